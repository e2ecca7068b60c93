//! Blocks of a TIFF: its strips or tiles, decoded one at a time.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tiff::ColorType;
use tiff::decoder::{Decoder, Limits};
use tiff::tags::Tag;

use super::blocks::Blocks;
use super::cache::Block;
use super::error::RasterError;
use crate::heightmap::tiff::{COMPRESSION_NONE, MOST_FROM_A_BYTE, Placement, from_tiff, nodata, pixel_scale};
use crate::heightmap::{HeightMapError, LONGEST_SIDE, flip_rows};

/// None, LZW, deflate, PackBits, and deflate by its old number.
const COMPRESSIONS: [u16; 5] = [COMPRESSION_NONE, 5, 8, 32773, 32946];

type FileDecoder = Decoder<BufReader<File>>;

/// A TIFF on disk.
pub(super) struct TiffBlocks {
    path: PathBuf,
    pub(super) blocks: Blocks,
    pub(super) spacing: Option<[f64; 2]>,
    nodata: Option<f64>,
    /// Bytes of a sample in the file.
    sample_bytes: u64,
    /// Decoders that no thread uses now; each has its own place in the file.
    idle: Mutex<Vec<FileDecoder>>,
}

impl std::fmt::Debug for TiffBlocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TiffBlocks").field("path", &self.path).field("blocks", &self.blocks).finish_non_exhaustive()
    }
}

impl TiffBlocks {
    /// Reads the header; sizes are held against the limits and the length of the file before memory is taken for blocks.
    pub(super) fn open(path: &Path) -> Result<Self, RasterError> {
        let content = |error| RasterError::content(path, error);
        let damaged = |error| RasterError::content(path, from_tiff(error));
        let length = path.metadata().map_err(|error| RasterError::io(path, error))?.len();
        let mut decoder = open(path)?;
        let (width, height) = decoder.dimensions().map_err(damaged)?;
        let compression = decoder.find_tag_unsigned(Tag::Compression).map_err(damaged)?.unwrap_or(COMPRESSION_NONE);
        if !COMPRESSIONS.contains(&compression) {
            return Err(RasterError::Compression { path: path.into(), code: compression });
        }
        let sample_bytes = match decoder.colortype().map_err(damaged)? {
            ColorType::Gray(bits @ (8 | 16 | 32 | 64)) => u64::from(bits / 8),
            other => {
                return Err(content(HeightMapError::Unsupported(format!(
                    "a raster has one band of 8, 16, 32 or 64 bit numbers, this one is {other:?}; pick a band with `gdal_translate -b 1`"
                ))));
            }
        };
        if width == 0 || height == 0 {
            return Err(content(HeightMapError::Empty));
        }
        if u64::from(width.max(height)) > LONGEST_SIDE {
            return Err(RasterError::NotARaster {
                path: path.into(),
                why: format!("{width} x {height} pixels are too many: at most {LONGEST_SIDE} along a side"),
            });
        }
        let raw = u64::from(width) * u64::from(height) * sample_bytes;
        let gain = if compression == COMPRESSION_NONE { 1 } else { MOST_FROM_A_BYTE };
        if raw > length.saturating_mul(gain) {
            let what = format!("{length} bytes cannot hold {width} x {height} samples");
            return Err(content(HeightMapError::Truncated(what)));
        }
        let (across, down) = decoder.chunk_dimensions();
        if across == 0 || down == 0 {
            return Err(content(HeightMapError::Damaged("its tiles have no size".to_owned())));
        }
        let blocks = Blocks { width, height, block: [across.min(width), down.min(height)], from_north: true };
        let spacing = pixel_scale(&mut decoder);
        let nodata = nodata(&mut decoder);
        // The first decoder is not kept: its limits are those for headers.
        Ok(Self { path: path.into(), blocks, spacing, nodata, sample_bytes, idle: Mutex::default() })
    }

    pub(super) fn read(&self, [x, z]: [u32; 2]) -> Result<Block, RasterError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut decoder = match waiting {
            Some(decoder) => decoder,
            None => open(&self.path)?.with_limits(self.limits()),
        };
        let block = self.decode(&mut decoder, [x, z]);
        idle().push(decoder);
        block
    }

    /// A block takes so much at most, in the file and unpacked; no compression that is read makes it twice as long.
    fn limits(&self) -> Limits {
        let raw = (self.blocks.bytes() / 4 * self.sample_bytes) as usize;
        let mut limits = Limits::default();
        limits.decoding_buffer_size = raw + (1 << 16);
        limits.intermediate_buffer_size = 2 * raw + (1 << 16);
        limits
    }

    fn decode(&self, decoder: &mut FileDecoder, place: [u32; 2]) -> Result<Block, RasterError> {
        let content = |error| RasterError::content(&self.path, error);
        let chunk = u32::try_from(self.blocks.number(place))
            .map_err(|_| content(HeightMapError::Damaged("it has too many strips or tiles".to_owned())))?;
        let decoded = decoder.read_chunk(chunk).map_err(|error| content(from_tiff(error)))?;
        let [width, height] = self.blocks.size(place).map(|n| n as usize);
        let mut values = vec![f32::NAN; width * height];
        let whole = Placement { corner: (0, 0), size: (width, height), width };
        let (columns, rows) = (self.blocks.columns(place[0]), self.blocks.rows(place[1]));
        let placed = whole.copy(&decoded, self.nodata, &mut values).map_err(|error| match error {
            HeightMapError::NotFinite { column, row } => HeightMapError::NotFinite {
                column: column + u64::from(columns.start),
                row: row + u64::from(self.blocks.height - rows.end),
            },
            error => error,
        });
        placed.map_err(content)?;
        flip_rows(&mut values, width);
        Ok(values.into())
    }
}

fn open(path: &Path) -> Result<FileDecoder, RasterError> {
    let file = File::open(path).map_err(|error| RasterError::io(path, error))?;
    Decoder::new(BufReader::new(file)).map_err(|error| RasterError::content(path, from_tiff(error)))
}
