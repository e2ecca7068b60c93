//! Which samples of a raster the cells of a tree take, with which weights.
//!
//! The finest cells take the raster bilinearly at their middle; a larger cell is the mean of the finest cells in it. Both are sums over columns of sums over
//! rows, so the mean of 2^s × 2^s samples is the sum of the pixels below, weighted along x and along z: it costs as much as there are pixels,
//! however small the finest cells are, and it is the same mean to the last bits of f64.

use super::error::RasterError;
use super::raster::TiledRaster;
use super::survey::KEPT_SHIFT;
use crate::number::tidy;
use crate::terrain::LARGEST_ELEVATION;
use crate::terrain::bilinear::{SNAP, corners, position};

/// Most finest cells along a side.
const LONGEST_SIDE: u32 = 1 << 16;

/// Finest cells along a side of the smallest cells that are kept: the domain is whole ones, so that the survey sees all of it.
const KEPT_CELL: u32 = 1 << KEPT_SHIFT;

/// Most levels: cells of the coarsest are as large as the longest side.
const MOST_LEVELS: u32 = 17;

/// The cells of a tree, and where the raster lies under them.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    /// Finest cells along x and z: multiples of 16, at most 65536.
    pub size: [u32; 2],
    /// Size of the finest cells, m.
    pub cell: f64,
    /// Levels: cells of level 0, the coarsest, are `2^(levels − 1)` times as large as the finest.
    pub levels: u32,
    /// World coordinates `[x, z]` of the domain's low corner, m.
    pub origin: [f64; 2],
    /// World coordinates `[x, z]` of the raster's low corner, m. `None`: the domain's.
    pub raster_origin: Option<[f64; 2]>,
    /// Extent `[x, z]` over which the raster is stretched, m. `None`: its own pixel size, or the whole domain where it has none.
    pub raster_size: Option<[f64; 2]>,
    /// Factor on the raster's values.
    pub scale: f64,
    /// Added to the values after `scale`, m.
    pub offset: f64,
    /// Elevation where the raster has no data, m; `None` makes that an error.
    pub nodata: Option<f64>,
}

impl Sampling {
    /// A domain at the world's origin, over a raster that starts there too.
    pub fn new(size: [u32; 2], cell: f64, levels: u32) -> Self {
        Self {
            size,
            cell,
            levels,
            origin: [0.0; 2],
            raster_origin: None,
            raster_size: None,
            scale: 1.0,
            offset: 0.0,
            nodata: None,
        }
    }

    /// Held against a raster.
    pub(crate) fn placed(&self, raster: &TiledRaster) -> Result<Placed, RasterError> {
        Placed::new(self, raster)
    }
}

/// A sampling that was checked against a raster.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    pub(super) size: [u32; 2],
    pub(super) levels: u32,
    pub(super) cell: f64,
    pub(super) origin: [f64; 2],
    /// Pixels of the raster along x and z.
    pub(super) pixels: [u32; 2],
    /// World coordinates of the first pixel's middle, and the distance between pixels, m.
    pub(super) first: [f64; 2],
    pub(super) spacing: [f64; 2],
    /// Elevation = value · gain + bias, m.
    pub(super) gain: f64,
    pub(super) bias: f64,
    pub(super) nodata: Option<f64>,
}

impl Placed {
    pub(super) fn new(sampling: &Sampling, raster: &TiledRaster) -> Result<Self, RasterError> {
        let Sampling { size, cell, levels, origin, scale, offset, nodata, .. } = *sampling;
        let wrong = |what: String| Err(RasterError::Sampling(what));
        if size.iter().any(|n| *n == 0 || *n > LONGEST_SIDE || n % KEPT_CELL != 0) {
            let [nx, nz] = size;
            return wrong(format!("{nx} x {nz} finest cells: multiples of {KEPT_CELL} up to {LONGEST_SIDE} will do"));
        }
        if levels == 0 || levels > MOST_LEVELS {
            return wrong(format!("{levels} levels are outside 1 to {MOST_LEVELS}"));
        }
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let raster_origin = sampling.raster_origin.unwrap_or(origin);
        let numbers = [origin[0], origin[1], raster_origin[0], raster_origin[1], scale, offset];
        let given = [sampling.raster_size, raster.spacing()].into_iter().flatten().flatten();
        if !positive(cell) || !numbers.iter().all(|x| x.is_finite()) || !given.into_iter().all(positive) {
            return wrong("cell and raster need a size above 0, and finite coordinates, scale and offset".to_owned());
        }
        if nodata.is_some_and(|elevation| elevation.is_nan() || elevation.abs() > LARGEST_ELEVATION) {
            return wrong(format!("`nodata` must be between -{LARGEST_ELEVATION} and {LARGEST_ELEVATION} m"));
        }
        let pixels = [raster.width(), raster.height()];
        let domain = size.map(|n| f64::from(n) * cell);
        let over = |extent: [f64; 2]| [0, 1].map(|axis| extent[axis] / f64::from(pixels[axis]));
        let spacing = match (sampling.raster_size, raster.spacing()) {
            (Some(extent), _) => over(extent),
            (None, Some(spacing)) => spacing,
            (None, None) => over(domain),
        };
        let [low, high] = raster.range();
        let placed = Self {
            size,
            levels,
            cell,
            origin,
            pixels,
            first: [0, 1].map(|axis| raster_origin[axis] + 0.5 * spacing[axis]),
            spacing,
            gain: (high - low) * scale,
            bias: low * scale + offset,
            nodata,
        };
        placed.covers(raster)?;
        Ok(placed)
    }

    /// Whether every finest cell's middle is on the raster, up to half a pixel beyond the outer ones.
    fn covers(&self, raster: &TiledRaster) -> Result<(), RasterError> {
        for (axis, name) in [(0, "x"), (1, "z")] {
            if self.pixels[axis] == 1 {
                continue; // a single row is the same all across
            }
            let slack = (0.5 + SNAP) * self.spacing[axis];
            let low = self.first[axis] - slack;
            let high = self.first[axis] + f64::from(self.pixels[axis] - 1) * self.spacing[axis] + slack;
            let ends = [0, self.size[axis] - 1].map(|n| self.middle(axis, n));
            if ends[0] < low || ends[1] > high {
                return Err(RasterError::Sampling(format!(
                    "{} does not cover the domain: along {name} it goes from {} to {} m, middles of cells from {} to {} m; move or stretch it, or make the domain smaller",
                    raster.path().display(),
                    tidy(low),
                    tidy(high),
                    tidy(ends[0]),
                    tidy(ends[1])
                )));
            }
        }
        Ok(())
    }

    /// World coordinate of the middle of a finest cell, m.
    fn middle(&self, axis: usize, n: u32) -> f64 {
        self.origin[axis] + (f64::from(n) + 0.5) * self.cell
    }

    /// Pixels that cells `first..first + count` take along an axis; a cell is `2^shift` finest ones long.
    pub(super) fn weights(&self, axis: usize, shift: u32, first: u32, count: u32) -> Weights {
        let part = 1.0 / f64::from(1u32 << shift);
        let cell = |n: u32| {
            let mut taps: Vec<(u32, f64)> = Vec::new();
            for finest in n << shift..(n + 1) << shift {
                let at = position(self.middle(axis, finest), self.first[axis], self.spacing[axis], self.pixels[axis]);
                for (pixel, weight) in corners(at).into_iter().filter(|(_, weight)| *weight > 0.0) {
                    let pixel = pixel as u32;
                    // Positions rise: a pixel that was there before is one of the last two.
                    match taps.iter_mut().rev().take(2).find(|(known, _)| *known == pixel) {
                        Some((_, sum)) => *sum += weight * part,
                        None => taps.push((pixel, weight * part)),
                    }
                }
            }
            taps
        };
        Weights((first..first + count).map(cell).collect())
    }

    /// Pixels that points at world coordinates along an axis take, and their weights.
    pub(crate) fn taps(&self, axis: usize, coordinates: &[f64]) -> Vec<Vec<(u32, f64)>> {
        let taps = |coordinate: &f64| {
            let at = position(*coordinate, self.first[axis], self.spacing[axis], self.pixels[axis]);
            let taken = corners(at).into_iter().filter(|(_, weight)| *weight > 0.0);
            taken.map(|(pixel, weight)| (pixel as u32, weight)).collect()
        };
        coordinates.iter().map(taps).collect()
    }

    /// The elevation of a pixel's value, m; `None` where there are no data and no replacement.
    pub(crate) fn elevation(&self, value: f32) -> Option<f64> {
        if value.is_nan() { self.nodata } else { Some(f64::from(value) * self.gain + self.bias) }
    }
}

/// For each of a row of cells, the pixels that it takes along one axis, rising, and their weights, which add up to 1.
pub(super) struct Weights(pub(super) Vec<Vec<(u32, f64)>>);

impl Weights {
    /// All pixels, sorted.
    pub(super) fn pixels(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.0.iter().flatten().map(|(pixel, _)| *pixel).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The same with numbers of the pixels in a sorted list instead of the pixels.
    pub(super) fn among(&self, pixels: &[u32]) -> Vec<Vec<(usize, f64)>> {
        let tap = |&(pixel, weight): &(u32, f64)| (pixels.partition_point(|known| *known < pixel), weight);
        self.0.iter().map(|cell| cell.iter().map(tap).collect()).collect()
    }
}
