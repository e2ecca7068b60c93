//! Blocks of a folder: tiles of equal size, and an index `tiles.toml` that says how they lie.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::blocks::Blocks;
use super::cache::Block;
use super::error::RasterError;
use super::stamp::Stamp;
use crate::files::{FileError, Files};
use crate::heightmap::{self, HeightMap, HeightMapError, LARGEST_FILE, LONGEST_SIDE, Samples, Values};
use crate::number::exact;

/// Largest index, bytes.
const LARGEST_INDEX: u64 = 1 << 16;

/// Most tiles in a folder: each is asked for its size and time when the raster is opened.
const MOST_TILES: u64 = 1 << 20;

/// Most bytes that a pixel takes in a text file, and room for a header.
const BYTES_OF_A_PIXEL: u64 = 40;
const BYTES_OF_A_HEADER: u64 = 1 << 20;

/// `tiles.toml`: how the tiles of a folder lie.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    /// Pixels along a side of a tile.
    tile: u32,
    /// Tiles along x.
    columns: u32,
    /// Tiles along z.
    rows: u32,
    /// Size of a pixel, m.
    pixel: f64,
    /// Name of a tile's file, with `{x}` and `{z}` for its numbers, `{x:3}` for one with leading zeros.
    files: String,
    /// Pixels `[x, z]` of the whole, where the last column and the last row of tiles are cut.
    size: Option<[u32; 2]>,
    /// Number of the first tile.
    #[serde(default)]
    first: u64,
    /// The side where rows of tiles begin.
    #[serde(default)]
    rows_from: RowsFrom,
    /// Value of pixels without data: m, or the grey level of a picture.
    nodata: Option<f64>,
    /// Pictures only: elevations of black and white, m.
    height: Option<[f64; 2]>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RowsFrom {
    #[default]
    South,
    North,
}

/// A folder of tiles on disk.
#[derive(Debug)]
pub(super) struct Folder {
    folder: PathBuf,
    index: Index,
    pub(super) blocks: Blocks,
}

impl Folder {
    /// Reads and checks the index; tiles are read when they are asked for.
    pub(super) fn open(index_path: &Path) -> Result<Self, RasterError> {
        let folder = index_path.parent().unwrap_or(Path::new("")).to_owned();
        let name = index_path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let bytes = Files::Folder(folder.clone())
            .read(&name, LARGEST_INDEX)
            .map_err(|error| RasterError::File { path: index_path.into(), error })?;
        let wrong = |what: String| RasterError::Index { path: index_path.into(), what };
        let text = std::str::from_utf8(&bytes).map_err(|_| wrong("the index is not UTF-8 text".to_owned()))?;
        let index: Index = toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        let blocks = index.check().map_err(wrong)?;
        Ok(Self { folder, index, blocks })
    }

    /// Size of a pixel, m.
    pub(super) fn spacing(&self) -> [f64; 2] {
        [self.index.pixel; 2]
    }

    /// Elevations that the values 0 and 1 stand for, m.
    pub(super) fn range(&self) -> [f64; 2] {
        self.index.height.unwrap_or([0.0, 1.0])
    }

    /// Adds all tiles to a stamp; so a tile that is not there is found before anything is computed.
    pub(super) fn stamp(&self, stamp: &mut Stamp) -> Result<(), RasterError> {
        for z in 0..self.index.rows {
            for x in 0..self.index.columns {
                let path = self.folder.join(self.index.name([x, z]));
                match stamp.add(&path) {
                    Err(RasterError::File { error: FileError::Missing, .. }) => return Err(self.missing([x, z])),
                    other => other?,
                }
            }
        }
        Ok(())
    }

    fn missing(&self, place: [u32; 2]) -> RasterError {
        let [x, z] = place.map(|n| self.index.first + u64::from(n));
        RasterError::MissingTile { path: self.folder.join(self.index.name(place)), x, z }
    }

    pub(super) fn read(&self, place: [u32; 2]) -> Result<Block, RasterError> {
        let name = self.index.name(place);
        let path = self.folder.join(&name);
        let expected = self.blocks.size(place).map(u64::from);
        let limit = (expected[0] * expected[1] * BYTES_OF_A_PIXEL + BYTES_OF_A_HEADER).min(LARGEST_FILE);
        let bytes = match Files::Folder(self.folder.clone()).read(&name, limit) {
            Err(FileError::Missing) => return Err(self.missing(place)),
            Err(error) => return Err(RasterError::File { path, error }),
            Ok(bytes) => bytes,
        };
        let wrong_size = |found: [u64; 2]| RasterError::WrongSize { path: path.clone(), found, expected };
        // A forged header must not take memory for more pixels than a tile has.
        if let Some(found) = picture_size(&bytes)
            && found != expected
        {
            return Err(wrong_size(found));
        }
        let map = heightmap::read(&name, &bytes).map_err(|error| RasterError::content(&path, error))?;
        let found = [map.width, map.height].map(u64::from);
        if found != expected {
            return Err(wrong_size(found));
        }
        self.values(map).map_err(|error| RasterError::content(path, error))
    }

    /// The values of a tile, in the unit of the folder.
    fn values(&self, mut map: HeightMap) -> Result<Block, HeightMapError> {
        let unsupported = |what: &str| Err(HeightMapError::Unsupported(what.to_owned()));
        if map.samples_are == Samples::Points {
            return unsupported("tiles are PNG, TIFF or ESRI ASCII (.asc): points are not pixels");
        }
        let levels = match (map.values_are, self.index.height) {
            (Values::Metres, None) => 1.0,
            (Values::Fraction, Some(_)) => 65535.0,
            (Values::Fraction, None) => {
                return unsupported(
                    "pictures need the elevations of black and white in the index: `height = [lo, hi]`, m",
                );
            }
            (Values::Metres, Some(_)) => {
                return unsupported("`height` in the index is for pictures, this tile holds metres");
            }
        };
        if let Some(nodata) = self.index.nodata {
            let is_nodata = |value: f32| match map.values_are {
                Values::Metres => value == nodata as f32,
                Values::Fraction => (f64::from(value) * levels).round() == nodata,
            };
            map.values.iter_mut().filter(|value| is_nodata(**value)).for_each(|value| *value = f32::NAN);
        }
        Ok(map.values.into())
    }
}

impl Index {
    /// How the tiles lie, or what is wrong.
    fn check(&self) -> Result<Blocks, String> {
        let tiles = u64::from(self.columns) * u64::from(self.rows);
        if self.tile == 0 || tiles == 0 {
            return Err("`tile`, `columns` and `rows` must be at least 1".to_owned());
        }
        if tiles > MOST_TILES {
            return Err(format!("{tiles} tiles are too many, at most {MOST_TILES}: make them larger"));
        }
        if !(self.pixel.is_finite() && self.pixel > 0.0) {
            return Err(format!("`pixel` is the size of a pixel in m and more than 0, not {}", exact(self.pixel)));
        }
        if self.height.is_some_and(|range| range.iter().any(|x| !x.is_finite())) {
            return Err("`height` must be two finite elevations, m".to_owned());
        }
        if self.first > 1 << 32 {
            return Err("`first`, the number of the first tile, is too large".to_owned());
        }
        for (mark, count) in [('x', self.columns), ('z', self.rows)] {
            if count > 1 && fill(&self.files, mark, 1) == self.files {
                return Err(format!("`files` lacks `{{{mark}}}`: {count} tiles would have one name"));
            }
        }
        let whole = [self.columns, self.rows].map(|n| u64::from(n) * u64::from(self.tile));
        let size = self.size.map_or(whole, |size| size.map(u64::from));
        for (axis, n) in [("x", 0), ("z", 1)] {
            if whole[n] > LONGEST_SIDE {
                return Err(format!("{} pixels along {axis} are too many, at most {LONGEST_SIDE}", whole[n]));
            }
            if size[n] > whole[n] || size[n] + u64::from(self.tile) <= whole[n] {
                let low = whole[n] - u64::from(self.tile) + 1;
                return Err(format!(
                    "`size` along {axis} is {}, but these tiles have {low} to {} pixels",
                    size[n], whole[n]
                ));
            }
        }
        let [width, height] = size.map(|n| n as u32);
        let block = [self.tile.min(width), self.tile.min(height)];
        Ok(Blocks { width, height, block, from_north: self.rows_from == RowsFrom::North })
    }

    /// Name of a tile's file.
    fn name(&self, place: [u32; 2]) -> String {
        let [x, z] = place.map(|n| self.first + u64::from(n));
        fill(&fill(&self.files, 'x', x), 'z', z)
    }
}

/// Puts a number into a pattern: for `{x}` as it is, for `{x:3}` with zeros in front up to three digits.
fn fill(pattern: &str, mark: char, number: u64) -> String {
    let plain = pattern.replace(&format!("{{{mark}}}"), &number.to_string());
    (1..=9).fold(plain, |name, digits| name.replace(&format!("{{{mark}:{digits}}}"), &format!("{number:0digits$}")))
}

/// Pixels that the header of a PNG or TIFF promises.
fn picture_size(bytes: &[u8]) -> Option<[u64; 2]> {
    if bytes.starts_with(b"\x89PNG") {
        let number = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes).map(u64::from);
        return Some([number(16)?, number(20)?]);
    }
    let mut decoder = tiff::decoder::Decoder::new(std::io::Cursor::new(bytes)).ok()?;
    decoder.dimensions().ok().map(|(width, height)| [width, height].map(u64::from))
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn numbers_have_as_many_digits_as_asked_for() {
        assert_eq!(fill(&fill("{z:2}/dem_{x}_{x:4}.png", 'x', 31), 'z', 7), "07/dem_31_0031.png");
        assert_eq!(fill("{x:2}", 'x', 1234), "1234");
        assert_eq!(fill("{y}{x", 'x', 1), "{y}{x");
    }
}
