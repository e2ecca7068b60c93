//! A height map placed in the world, and its value at any point of it.

use std::sync::Arc;

use crate::context::Context;
use crate::diagnostics::{Diagnostic, SceneError, quoted};
use crate::format::{HeightFile, Nodata};
use crate::grid::Grid;
use crate::heightmap::{self, HeightMap, Samples, Values};
use crate::number::{exact, tidy};
use crate::report::At;
use crate::terrain::bilinear::{SNAP, corners, position};

/// A height map with its place, its scale and its rule for missing data.
#[derive(Debug, Clone)]
pub(crate) struct PlacedMap {
    map: Arc<HeightMap>,
    /// World position of sample (0, 0), m.
    first: [f64; 2],
    /// Distance between samples, m.
    spacing: [f64; 2],
    /// Elevation = value · gain + bias, m.
    gain: f64,
    bias: f64,
    /// Elevation where there are no data; `None` makes that an error.
    nodata: Option<f64>,
    /// Points at the file's key in the scene.
    complaint: Diagnostic,
    name: String,
}

impl PlacedMap {
    /// The elevation at a point `[x, z]`, bilinear between samples; `None` where there are no data.
    pub(crate) fn at(&self, point: [f64; 2]) -> Option<f64> {
        let [column, row] = [0, 1].map(|axis| {
            let count = if axis == 0 { self.map.width } else { self.map.height };
            position(point[axis], self.first[axis], self.spacing[axis], count)
        });
        let mut sum = 0.0;
        for (row, row_weight) in corners(row) {
            for (column, column_weight) in corners(column) {
                let weight = row_weight * column_weight;
                if weight > 0.0 {
                    sum += weight * self.elevation(column, row)?;
                }
            }
        }
        Some(sum)
    }

    fn elevation(&self, column: usize, row: usize) -> Option<f64> {
        let value = self.map.values[row * self.map.width as usize + column];
        if value.is_nan() {
            return self.nodata;
        }
        Some(f64::from(value) * self.gain + self.bias)
    }

    /// Memory that the samples take, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.map.values.len() as u64 * 4
    }

    /// The error for a point without data.
    pub(crate) fn missing_at(&self, point: [f64; 2]) -> SceneError {
        Diagnostic {
            message: format!("{} has no data at x {}, z {}", quoted(&self.name), tidy(point[0]), tidy(point[1])),
            hint: Some("set `nodata` to the elevation to use there, m".to_owned()),
            ..self.complaint.clone()
        }
        .into()
    }

    /// The error for a value that is no elevation or depth.
    pub(crate) fn unreasonable_at(&self, point: [f64; 2], value: f64) -> SceneError {
        Diagnostic {
            message: format!(
                "{} has the value {} m at x {}, z {}",
                quoted(&self.name),
                exact(value),
                tidy(point[0]),
                tidy(point[1])
            ),
            hint: Some("check its unit, `scale` and `offset`".to_owned()),
            ..self.complaint.clone()
        }
        .into()
    }

    /// Reads and places the file that `at` describes.
    pub(crate) fn lower(file: HeightFile<'_>, grid: &Grid, context: &mut Context<'_>, at: &At) -> Option<Self> {
        let file_at = at.key("file");
        let bytes = context.read(&file_at, file.file, heightmap::LARGEST_FILE)?;
        let map = match heightmap::read(file.file, &bytes) {
            Ok(map) => map,
            Err(error) => {
                context.report.error(&file_at, format!("{}: {error}", quoted(file.file)));
                return None;
            }
        };
        let (low, high) = match (map.values_are, file.height) {
            (Values::Fraction, Some([low, high])) => (low, high),
            (Values::Metres, None) => (0.0, 1.0),
            (Values::Fraction, None) => {
                context.report.error_with(
                    &file_at,
                    format!("`{at}` lacks the key `height`"),
                    "a picture needs the elevations of black and white: `height = [lo, hi]`, m",
                );
                return None;
            }
            (Values::Metres, Some(_)) => {
                context.report.error_with(
                    &at.key("height"),
                    format!("`{at}.height` is for pictures; {} holds metres", quoted(file.file)),
                    "use `scale` and `offset`",
                );
                return None;
            }
        };

        let origin = file.origin.unwrap_or(grid.origin);
        // Along an axis, points have one gap less than samples; a single one counts as a pixel.
        let gaps = [map.width, map.height].map(|count| match map.samples_are {
            Samples::Points if count > 1 => f64::from(count - 1),
            _ => f64::from(count),
        });
        let whole = [0, 1].map(|axis| grid.high()[axis] - grid.origin[axis]);
        let spacing = match (file.size, map.spacing) {
            (Some(size), _) => [size[0] / gaps[0], size[1] / gaps[1]],
            (None, Some(spacing)) => spacing,
            (None, None) => [whole[0] / gaps[0], whole[1] / gaps[1]],
        };
        let first = [0, 1].map(|axis| {
            let inset = match (map.samples_are, [map.width, map.height][axis]) {
                (Samples::Points, 2..) => 0.0,
                _ => 0.5,
            };
            origin[axis] + inset * spacing[axis]
        });
        let placed = Self {
            map: Arc::new(map),
            first,
            spacing,
            gain: (high - low) * file.scale,
            bias: low * file.scale + file.offset,
            nodata: match file.nodata {
                Nodata::Name(_) => None,
                Nodata::Elevation(elevation) => Some(*elevation),
            },
            complaint: context.report.template(&file_at),
            name: file.file.to_owned(),
        };
        placed.covers(grid, context, &file_at).then_some(placed)
    }

    /// Whether every cell's middle is on the map, up to half a sample.
    fn covers(&self, grid: &Grid, context: &mut Context<'_>, at: &At) -> bool {
        let counts = [self.map.width, self.map.height];
        let cells = [grid.center(0, 0), grid.center(grid.nx - 1, grid.nz - 1)];
        for (axis, name) in [(0, "x"), (1, "z")] {
            // A single row is the same all across.
            if counts[axis] == 1 {
                continue;
            }
            let slack = (0.5 + SNAP) * self.spacing[axis];
            let low = self.first[axis] - slack;
            let high = self.first[axis] + f64::from(counts[axis] - 1) * self.spacing[axis] + slack;
            if cells[0][axis] < low || cells[1][axis] > high {
                context.report.error_with(
                    at,
                    format!(
                        "{} does not cover the domain: along {name} it goes from {} to {} m, the domain from {} to {} m",
                        quoted(&self.name),
                        tidy(low),
                        tidy(high),
                        exact(grid.origin[axis]),
                        tidy(grid.high()[axis])
                    ),
                    "move it with `origin = [x, z]` or stretch it with `size = [x, z]`",
                );
                return false;
            }
        }
        true
    }
}
