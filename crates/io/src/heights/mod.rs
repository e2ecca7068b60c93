//! Water as a height field in files of pictures and of geographic programs.
//!
//! Rows of files run from north to south and columns from west to east: north is high z, east high x, as the reader of
//! terrain has it, so that a bed written here is a terrain again. Dry cells have no surface and no velocity in `.asc`
//! and `.tif` ([`NODATA`]); in pictures and NumPy arrays, which have no such mark, their surface is the bed and their
//! velocity 0, and the depth is what shows it. Maps over time have no value in cells that never were wet: [`NODATA`],
//! NaN in `.exr` and `.npz`, the level 0 in `.png`.

mod asc;
mod exr;
mod geotiff;
mod png;
#[cfg(test)]
mod tests;

pub use thalweg_model::HeightFormat;
use thalweg_model::{Maps, WaterSurface};

use crate::{Error, npz};

/// What stands for missing values in `.asc` and `.tif`.
pub const NODATA: f32 = -9999.0;

/// A height field to be written.
#[derive(Debug, Clone, Copy)]
pub struct HeightField<'a> {
    /// The water; the field has as many maps over time as it has.
    pub water: &'a WaterSurface,
    /// Cells with less water than this are dry, m.
    pub dry_depth: f32,
    /// Simulated time, s.
    pub time: f64,
}

/// One number per cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Map {
    /// Depth of the water, m.
    Depth,
    /// Elevation of the surface, m.
    Surface,
    /// Elevation of the ground, m.
    Bed,
    /// Velocity along x, m/s.
    VelocityX,
    /// Velocity along z, m/s.
    VelocityZ,
    /// Length of the velocity, m/s.
    Speed,
    /// Greatest depth so far, m.
    MaxDepth,
    /// Highest elevation of the surface so far, m.
    MaxSurface,
    /// Greatest speed so far, m/s.
    MaxSpeed,
    /// Time of the first wetting, s.
    Arrival,
    /// Time of the highest surface so far, s.
    PeakTime,
}

impl Map {
    /// What a file holds unless said otherwise: everything that does not follow from the rest.
    pub const USUAL: [Self; 5] = [Self::Depth, Self::Surface, Self::Bed, Self::VelocityX, Self::VelocityZ];

    /// Maps over time, which a field may lack.
    pub const OVER_TIME: [Self; 5] = [Self::MaxDepth, Self::MaxSurface, Self::MaxSpeed, Self::Arrival, Self::PeakTime];

    /// Whether it is one of [`Self::OVER_TIME`].
    pub fn is_over_time(self) -> bool {
        Self::OVER_TIME.contains(&self)
    }

    /// The name of its channel or band.
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Surface => "surface",
            Self::Bed => "bed",
            Self::VelocityX => "velocity.x",
            Self::VelocityZ => "velocity.z",
            Self::Speed => "speed",
            Self::MaxDepth => "max-depth",
            Self::MaxSurface => "max-surface",
            Self::MaxSpeed => "max-speed",
            Self::Arrival => "arrival",
            Self::PeakTime => "peak-time",
        }
    }

    /// The unit of its values.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Depth | Self::Surface | Self::Bed | Self::MaxDepth | Self::MaxSurface => "m",
            Self::VelocityX | Self::VelocityZ | Self::Speed | Self::MaxSpeed => "m/s",
            Self::Arrival | Self::PeakTime => "s",
        }
    }

    /// Whether it has no value where there is no water now.
    fn is_of_wet_cells(self) -> bool {
        matches!(self, Self::Surface | Self::VelocityX | Self::VelocityZ | Self::Speed)
    }
}

/// A file of heights.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightFile {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// PNG: the values of black and white.
    pub range: Option<[f64; 2]>,
}

/// The values of a map over time; `None` of another.
pub(crate) fn over_time(maps: &Maps, map: Map) -> Option<&[f32]> {
    match map {
        Map::MaxDepth => Some(&maps.depth),
        Map::MaxSurface => Some(&maps.surface),
        Map::MaxSpeed => Some(&maps.speed),
        Map::Arrival => Some(&maps.arrival),
        Map::PeakTime => Some(&maps.peak),
        _ => None,
    }
}

impl HeightField<'_> {
    /// All maps of this field: [`Map::USUAL`], and [`Map::OVER_TIME`] if it has maps over time.
    pub fn maps(&self) -> Vec<Map> {
        let over_time = self.water.maps.as_ref().map(|_| Map::OVER_TIME);
        Map::USUAL.into_iter().chain(over_time.into_iter().flatten()).collect()
    }

    /// The bytes of a file with the given maps; NumPy archives always hold all of [`Self::maps`].
    ///
    /// # Errors
    /// [`Error::Fields`] if a map has not one value per cell or the format holds another number of maps,
    /// [`Error::NotKept`] if it lacks the maps over time, [`Error::TooLarge`] if the format cannot count that far,
    /// [`Error::Encode`] if its library refuses.
    pub fn encode(&self, format: HeightFormat, maps: &[Map]) -> Result<HeightFile, Error> {
        let water = self.water;
        let cells = water.size[0] * water.size[1];
        let [u, w] = &water.velocity;
        if let Some(field) = [&water.bed, &water.depth, &water.surface, u, w].iter().find(|field| field.len() != cells)
        {
            return Err(Error::Fields { found: field.len(), expected: cells });
        }
        let kept = self.water.maps.iter().flat_map(|kept| Map::OVER_TIME.map(|map| over_time(kept, map)));
        if let Some(field) = kept.flatten().find(|field| field.len() != cells) {
            return Err(Error::Fields { found: field.len(), expected: cells });
        }
        if let Some(map) = maps.iter().find(|map| map.is_over_time() && self.water.maps.is_none()) {
            return Err(Error::NotKept { map: map.name() });
        }
        let [map, ..] = maps else { return Err(Error::Fields { found: 0, expected: 1 }) };
        if format.holds_one_map() && maps.len() > 1 {
            return Err(Error::Fields { found: maps.len(), expected: 1 });
        }
        let (bytes, range) = match format {
            HeightFormat::Png => {
                let (bytes, range) = png::encode(self, *map)?;
                (bytes, Some(range))
            }
            HeightFormat::Exr => (exr::encode(self, maps)?, None),
            HeightFormat::Asc => (asc::encode(self, *map), None),
            HeightFormat::Tif => (geotiff::encode(self, maps)?, None),
            HeightFormat::Npz => (npz::heights(self)?, None),
        };
        Ok(HeightFile { bytes, range })
    }

    /// The values of a map in rows from north to south; `missing` stands where there is none.
    fn rows(&self, map: Map, missing: Option<f32>) -> Vec<f32> {
        let water = self.water;
        let [u, w] = &water.velocity;
        let value = |at: usize| match map {
            Map::Depth => water.depth[at],
            Map::Surface => water.surface[at],
            Map::Bed => water.bed[at],
            Map::VelocityX => u[at],
            Map::VelocityZ => w[at],
            Map::Speed => u[at].hypot(w[at]),
            _ => water.maps.as_ref().and_then(|kept| over_time(kept, map)).map_or(f32::NAN, |values| values[at]),
        };
        let masked = |at: usize| {
            let is_dry = map.is_of_wet_cells() && water.depth[at] < self.dry_depth;
            match missing {
                Some(missing) if is_dry || (map.is_over_time() && value(at).is_nan()) => missing,
                _ => value(at),
            }
        };
        let [nx, nz] = water.size;
        (0..nz).rev().flat_map(|k| (0..nx).map(move |i| i + nx * k)).map(masked).collect()
    }
}
