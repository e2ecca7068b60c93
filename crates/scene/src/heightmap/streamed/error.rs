//! Why a raster cannot be streamed, and what to do about it.

use std::path::PathBuf;

use crate::files::FileError;
use crate::heightmap::HeightMapError;
use crate::number::exact;

/// Why a raster, or a part of it, could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RasterError {
    /// The file or folder cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: FileError,
    },
    /// Something else than a TIFF or a folder of tiles.
    #[error("{}: {why}; stream a TIFF (.tif), or a folder with a `tiles.toml`", path.display())]
    NotARaster {
        /// The file.
        path: PathBuf,
        /// What it is.
        why: String,
    },
    /// A TIFF or tile whose content is wrong, or of a kind that is not read.
    #[error("{}: {error}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        error: HeightMapError,
    },
    /// A TIFF that is compressed in a way that is not read.
    #[error(
        "{}: compression {code} is not read; write it anew with `gdal_translate -co COMPRESS=DEFLATE -co TILED=YES`",
        path.display()
    )]
    Compression {
        /// The file.
        path: PathBuf,
        /// The number of the compression in TIFF's tag 259.
        code: u16,
    },
    /// The index of a folder is wrong.
    #[error("{}: {what}", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// What is wrong and what would do.
        what: String,
    },
    /// A tile of a folder is not there.
    #[error("tile ({x}, {z}) is missing: {} does not exist; add it, or correct `files`, `columns` or `rows` in the index", path.display())]
    MissingTile {
        /// Where it should be.
        path: PathBuf,
        /// Its number along x, as in the file's name.
        x: u64,
        /// Its number along z, as in the file's name.
        z: u64,
    },
    /// A tile of a folder has another size than the index says.
    #[error(
        "{} has {} x {} pixels, the index asks for {} x {}; cut it anew, or correct `tile` or `size`",
        path.display(), found[0], found[1], expected[0], expected[1]
    )]
    WrongSize {
        /// The tile.
        path: PathBuf,
        /// Pixels that it has.
        found: [u64; 2],
        /// Pixels that it should have.
        expected: [u64; 2],
    },
    /// Blocks are so large that they cannot be streamed.
    #[error(
        "{}: blocks of {} x {} pixels take {bytes} bytes, more than the {limit} that a block may take; write the raster with smaller tiles (`gdal_translate -co TILED=YES`) or allow a larger cache",
        path.display(), size[0], size[1]
    )]
    BlockTooLarge {
        /// The raster.
        path: PathBuf,
        /// Pixels of a block.
        size: [u64; 2],
        /// Memory that it would take.
        bytes: u64,
        /// Most memory that it may take.
        limit: u64,
    },
    /// A pixel that is needed has no data.
    #[error(
        "{}: no data at pixel ({column}, {row}), counted from the south-west; name the elevation to use there (`nodata`), m",
        path.display()
    )]
    NoData {
        /// The raster.
        path: PathBuf,
        /// Column from the west, from 0.
        column: u32,
        /// Row from the south, from 0.
        row: u32,
    },
    /// A pixel whose value cannot be an elevation.
    #[error(
        "{}: pixel ({column}, {row}), counted from the south-west, has the elevation {} m; check its unit, scale and offset",
        path.display(),
        exact(*elevation)
    )]
    NotAnElevation {
        /// The raster.
        path: PathBuf,
        /// Column from the west, from 0.
        column: u32,
        /// Row from the south, from 0.
        row: u32,
        /// The value, m.
        elevation: f64,
    },
    /// The cells that are asked for make no sense.
    #[error("{0}")]
    Sampling(String),
}

impl RasterError {
    pub(super) fn content(path: impl Into<PathBuf>, error: HeightMapError) -> Self {
        Self::Content { path: path.into(), error }
    }

    pub(super) fn io(path: impl Into<PathBuf>, error: std::io::Error) -> Self {
        Self::File { path: path.into(), error: crate::files::from_io(error) }
    }
}
