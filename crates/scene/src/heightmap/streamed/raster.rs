//! A raster that is read window by window.

use std::path::{Path, PathBuf};

use super::blocks::Blocks;
use super::cache::{Block, BlockCache, CacheUse};
use super::error::RasterError;
use super::folder::Folder;
use super::stamp::Stamp;
use super::tiff_blocks::TiffBlocks;

/// Memory for decoded blocks unless the caller says otherwise, bytes: 1024 tiles of 256 x 256 pixels.
pub const DEFAULT_CACHE_BYTES: u64 = 256 << 20;

/// Largest block, bytes: 4096 x 4096 pixels. A larger one would be read whole for a few pixels of it.
const LARGEST_BLOCK: u64 = 64 << 20;

/// The name of a folder's index.
const INDEX: &str = "tiles.toml";

/// Elevations in a TIFF or in a folder of tiles. Only the blocks that are asked for are read, and only those used last are kept; all threads share them.
///
/// Rows count from the south, columns from the west.
#[derive(Debug)]
pub struct TiledRaster {
    path: PathBuf,
    source: Source,
    blocks: Blocks,
    cache: BlockCache,
    stamp: Stamp,
}

#[derive(Debug)]
enum Source {
    Tiff(TiffBlocks),
    Folder(Folder),
}

impl TiledRaster {
    /// Opens a TIFF, a folder with a `tiles.toml`, or such an index. Decoded blocks take at most `cache_bytes`, and those that threads work on right now.
    pub fn open(path: impl AsRef<Path>, cache_bytes: u64) -> Result<Self, RasterError> {
        let mut path = path.as_ref().to_owned();
        let metadata = path.metadata().map_err(|error| RasterError::io(&path, error))?;
        if metadata.is_dir() {
            path.push(INDEX);
            if !path.exists() {
                path.pop();
                return Err(RasterError::NotARaster { path, why: format!("the folder has no `{INDEX}`") });
            }
        } else if !metadata.is_file() {
            return Err(RasterError::NotARaster { path, why: "it is neither a file nor a folder".to_owned() });
        }
        let mut stamp = Stamp::default();
        stamp.add(&path)?;
        let is_index = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
        let (source, blocks) = if is_index {
            let folder = Folder::open(&path)?;
            folder.stamp(&mut stamp)?;
            let blocks = folder.blocks;
            (Source::Folder(folder), blocks)
        } else {
            check_magic(&path)?;
            let tiff = TiffBlocks::open(&path)?;
            let blocks = tiff.blocks;
            (Source::Tiff(tiff), blocks)
        };
        let limit = LARGEST_BLOCK.min(cache_bytes);
        if blocks.bytes() > limit {
            let size = blocks.block.map(u64::from);
            return Err(RasterError::BlockTooLarge { path, size, bytes: blocks.bytes(), limit });
        }
        Ok(Self { path, source, blocks, cache: BlockCache::new(cache_bytes), stamp })
    }

    /// The TIFF, or the index of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Pixels along x.
    pub fn width(&self) -> u32 {
        self.blocks.width
    }

    /// Pixels along z.
    pub fn height(&self) -> u32 {
        self.blocks.height
    }

    /// Size of a pixel `[x, z]`, m, where the raster says it.
    pub fn spacing(&self) -> Option<[f64; 2]> {
        match &self.source {
            Source::Tiff(tiff) => tiff.spacing,
            Source::Folder(folder) => Some(folder.spacing()),
        }
    }

    /// Elevations that the values 0 and 1 stand for, m: `[0, 1]` unless the raster consists of pictures.
    pub fn range(&self) -> [f64; 2] {
        match &self.source {
            Source::Tiff(_) => [0.0, 1.0],
            Source::Folder(folder) => folder.range(),
        }
    }

    /// What the cache holds, and what it did so far.
    pub fn cache(&self) -> CacheUse {
        self.cache.usage()
    }

    /// Values at the crossings of columns and rows, x fastest; NaN where there are no data. Both are sorted and on the raster.
    pub fn gather(&self, columns: &[u32], rows: &[u32]) -> Result<Vec<f32>, RasterError> {
        let sorted = |list: &[u32], count: u32| list.is_sorted() && list.last().is_none_or(|&last| last < count);
        if !sorted(columns, self.width()) || !sorted(rows, self.height()) {
            return Err(RasterError::Sampling(format!(
                "columns and rows must be sorted, and below {} and {}",
                self.width(),
                self.height()
            )));
        }
        let mut values = vec![0.0; columns.len() * rows.len()];
        let mut first_row = 0;
        for run in rows.chunk_by(|a, b| self.blocks.row_of(*a) == self.blocks.row_of(*b)) {
            let z = self.blocks.row_of(run[0]);
            let mut first_column = 0;
            for part in columns.chunk_by(|a, b| self.blocks.column_of(*a) == self.blocks.column_of(*b)) {
                let x = self.blocks.column_of(part[0]);
                let block = self.cache.get(self.blocks.number([x, z]), || self.read([x, z]))?;
                let (west, south) = (self.blocks.columns(x), self.blocks.rows(z).start);
                for (n, row) in run.iter().enumerate() {
                    let line = &block[(row - south) as usize * west.len()..][..west.len()];
                    let out = &mut values[first_column + columns.len() * (first_row + n)..][..part.len()];
                    out.iter_mut().zip(part).for_each(|(out, column)| *out = line[(column - west.start) as usize]);
                }
                first_column += part.len();
            }
            first_row += run.len();
        }
        Ok(values)
    }

    /// Reads a block past the cache.
    pub(super) fn read(&self, place: [u32; 2]) -> Result<Block, RasterError> {
        match &self.source {
            Source::Tiff(tiff) => tiff.read(place),
            Source::Folder(folder) => folder.read(place),
        }
    }

    pub(super) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// What tells it from other rasters, and from itself after a change: sizes and times of its files.
    pub(crate) fn identity(&self) -> [u8; 20] {
        self.stamp.identity()
    }

    pub(super) fn stamp(&self) -> Stamp {
        self.stamp
    }
}

/// Whether a file starts like a TIFF.
fn check_magic(path: &Path) -> Result<(), RasterError> {
    use std::io::Read;
    let mut magic = [0; 4];
    let mut file = std::fs::File::open(path).map_err(|error| RasterError::io(path, error))?;
    let found = file.read(&mut magic).map_err(|error| RasterError::io(path, error))?;
    if found == 4 && [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"].contains(&&magic) {
        return Ok(());
    }
    let why = if &magic == b"\x89PNG" {
        "a PNG cannot be read in parts, cut it into tiles"
    } else {
        "it does not start like a TIFF"
    };
    Err(RasterError::NotARaster { path: path.into(), why: why.to_owned() })
}
