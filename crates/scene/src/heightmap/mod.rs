//! Height maps from files: PNG, TIFF/GeoTIFF, ESRI ASCII grid, CSV matrix, XYZ points.
//!
//! Every reader is a pure function from bytes to a [`HeightMap`]. It compares the size that the
//! header promises with the limits and with the bytes that are there before it takes memory, so a
//! forged header costs nothing.

mod csv;
mod esri;
mod png;
pub mod streamed;
mod tiff;

pub use csv::{read_csv, read_xyz};
pub use esri::read_esri;
pub use png::read_png;
pub use tiff::read_tiff;

use crate::table::TableError;

/// Largest height-map file, bytes.
pub const LARGEST_FILE: u64 = 1 << 30;

/// Most samples in a height map: 32768 x 32768.
pub const MOST_SAMPLES: u64 = 1 << 30;

/// Most samples along one side.
pub const LONGEST_SIDE: u64 = 1 << 20;

/// A rectangle of samples, row 0 in the south (low z), x fastest.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightMap {
    /// Samples along x.
    pub width: u32,
    /// Samples along z.
    pub height: u32,
    /// The samples, NaN where the file has no data; all others are finite.
    pub values: Vec<f32>,
    /// What the values are.
    pub values_are: Values,
    /// Distance `[x, z]` between samples, m, where the file says it.
    pub spacing: Option<[f64; 2]>,
    /// Where the samples are.
    pub samples_are: Samples,
}

/// What the values of a height map are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Metres.
    Metres,
    /// A part of the full scale, 0 to 1 (pictures).
    Fraction,
}

/// Where the samples of a height map are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Samples {
    /// In the middle of pixels that tile the map.
    Pixels,
    /// At points; the first and the last are on the edge of the map.
    Points,
}

/// Why a height map could not be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HeightMapError {
    /// No reader knows the file.
    #[error("not a height map: known are PNG, TIFF (.tif), ESRI ASCII (.asc), CSV (.csv) and points (.xyz)")]
    UnknownFormat,
    /// The file is of a known format but of a kind that is not read.
    #[error("{0}")]
    Unsupported(String),
    /// The map has no samples.
    #[error("the file holds no samples")]
    Empty,
    /// The map is larger than maps may be.
    #[error("{width} x {height} samples are too many, at most 32768 x 32768 are accepted")]
    TooLarge {
        /// Samples along x that the file promises.
        width: u64,
        /// Samples along z that the file promises.
        height: u64,
    },
    /// The file ends before its data do.
    #[error("the file is truncated: {0}")]
    Truncated(String),
    /// The file breaks the rules of its format.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// A line of a text format is wrong.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A sample is infinite or beyond single precision.
    #[error("sample ({column}, {row}) is not a finite number")]
    NotFinite {
        /// Column in the file, from 0.
        column: u64,
        /// Row in the file, from 0.
        row: u64,
    },
}

/// Reads a height map of any known format: pictures by their first bytes, text by the file's ending.
pub fn read(name: &str, bytes: &[u8]) -> Result<HeightMap, HeightMapError> {
    if bytes.starts_with(b"\x89PNG") {
        return read_png(bytes);
    }
    if [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"].iter().any(|magic| bytes.starts_with(*magic)) {
        return read_tiff(bytes);
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("png" | "tif" | "tiff") if bytes.is_empty() => Err(HeightMapError::Empty),
        Some("png") => Err(HeightMapError::Damaged("it does not start like a PNG".to_owned())),
        Some("tif" | "tiff") => Err(HeightMapError::Damaged("it does not start like a TIFF".to_owned())),
        Some("asc" | "grd") => read_esri(bytes),
        Some("csv") => read_csv(bytes),
        Some("xyz") => read_xyz(bytes),
        _ => Err(HeightMapError::UnknownFormat),
    }
}

/// The number of samples, where it is acceptable.
fn check_size(width: u64, height: u64) -> Result<usize, HeightMapError> {
    if width == 0 || height == 0 {
        return Err(HeightMapError::Empty);
    }
    // Sides are checked first, so the product cannot overflow.
    if width > LONGEST_SIDE || height > LONGEST_SIDE || width * height > MOST_SAMPLES {
        return Err(HeightMapError::TooLarge { width, height });
    }
    Ok((width * height) as usize)
}

/// Turns rows that run from north to south, as files have them, into rows from south to north.
fn flip_rows(values: &mut [f32], width: usize) {
    let rows = values.len() / width;
    for row in 0..rows / 2 {
        let (low, high) = values.split_at_mut((rows - 1 - row) * width);
        low[row * width..(row + 1) * width].swap_with_slice(&mut high[..width]);
    }
}

/// A sample in single precision; NaN stays, for missing data.
fn sample(value: f64, index: usize, width: usize) -> Result<f32, HeightMapError> {
    let single = value as f32;
    if single.is_infinite() {
        return Err(HeightMapError::NotFinite { column: (index % width) as u64, row: (index / width) as u64 });
    }
    Ok(single)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked_without_overflow() {
        assert_eq!(check_size(0, 5), Err(HeightMapError::Empty));
        assert_eq!(check_size(32768, 32768), Ok(1 << 30));
        for (width, height) in [(32769, 32768), (u64::MAX, u64::MAX), (LONGEST_SIDE + 1, 1)] {
            assert_eq!(check_size(width, height), Err(HeightMapError::TooLarge { width, height }));
        }
    }

    #[test]
    fn rows_flip() {
        let mut values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        flip_rows(&mut values, 2);
        assert_eq!(values, [5.0, 6.0, 3.0, 4.0, 1.0, 2.0]);
    }

    #[test]
    fn format_is_found_by_content_then_by_name() {
        assert_eq!(read("a.toml", b"[scene]"), Err(HeightMapError::UnknownFormat));
        assert_eq!(read("a.png", b""), Err(HeightMapError::Empty));
        assert!(matches!(read("a.png", b"GIF89a"), Err(HeightMapError::Damaged(_))));
        assert!(matches!(read("a.csv", b"\x89PNG"), Err(HeightMapError::Truncated(_) | HeightMapError::Damaged(_))));
        assert_eq!(read("a.CSV", b"1,2,3,4\n").expect("a matrix").width, 4);
    }
}
