//! The ground: a height map, shapes, or both.

pub(crate) mod bilinear;
mod placed;
mod shapes;
mod streamed;

pub(crate) use placed::PlacedMap;
pub use streamed::StreamedTerrain;

use crate::context::Context;
use crate::diagnostics::{Diagnostic, SceneError};
use crate::format::{self, HeightFile, Shape};
use crate::grid::Grid;
use crate::number::{exact, tidy};
use crate::report::At;
use shapes::Sampler;

/// Highest and lowest elevation accepted, m. Beyond it single precision has lost the decimetres.
pub(crate) const LARGEST_ELEVATION: f64 = 1e6;

/// The ground of a scene. Sample it onto a grid with [`Terrain::rasterise`].
#[derive(Debug, Clone)]
pub struct Terrain {
    file: Option<PlacedMap>,
    /// Instead of `file` and shapes.
    streamed: Option<StreamedTerrain>,
    shapes: Vec<Shape>,
    /// Points at the section in the scene.
    complaint: Diagnostic,
}

impl Terrain {
    /// The bed elevation at every cell's middle, m; cell `(i, k)` is at `i + nx·k`.
    ///
    /// An error where the file has no data at a cell and the scene names no value to use, or where
    /// the shapes add up to something that is no elevation.
    ///
    /// Ground that streams is read row by row: that takes as long as decoding all of it under the grid.
    pub fn rasterise(&self, grid: &Grid) -> Result<Vec<f32>, SceneError> {
        if let Some(streamed) = &self.streamed {
            let x: Vec<f64> = (0..grid.nx).map(|i| grid.center(i, 0)[0]).collect();
            let mut bed = Vec::with_capacity(grid.cells() as usize);
            for k in 0..grid.nz {
                let row = streamed.elevations(&x, &[grid.center(0, k)[1]])?;
                bed.extend(row.into_iter().map(|elevation| elevation as f32));
            }
            return Ok(bed);
        }
        let sampler = self.sampler();
        let mut bed = Vec::with_capacity(grid.cells() as usize);
        for k in 0..grid.nz {
            for i in 0..grid.nx {
                bed.push(sampler.elevation(grid.center(i, k))? as f32);
            }
        }
        Ok(bed)
    }

    /// The ground at any point, for grids too large to be rasterised.
    pub fn sampler(&self) -> TerrainSampler {
        let shapes = self.shapes.iter().map(|shape| Sampler::new(shape.clone())).collect();
        let (file, streamed) = (self.file.clone(), self.streamed.clone());
        TerrainSampler { file, streamed, shapes, complaint: self.complaint.clone() }
    }

    /// Whether the ground is flat at elevation 0 m.
    pub fn is_flat(&self) -> bool {
        self.file.is_none() && self.streamed.is_none() && self.shapes.is_empty()
    }

    /// How many shapes are laid on it.
    pub(crate) fn shapes(&self) -> usize {
        self.shapes.len()
    }

    /// The raster on disk that the ground streams from; `None` if it is in memory.
    pub fn streamed(&self) -> Option<&StreamedTerrain> {
        self.streamed.as_ref()
    }

    /// Memory that the height map takes, bytes.
    pub fn bytes(&self) -> u64 {
        let streamed = self.streamed.as_ref().map_or(0, StreamedTerrain::bytes);
        streamed + self.file.as_ref().map_or(0, PlacedMap::bytes)
    }

    pub(crate) fn lower(file: &format::Terrain, grid: &Grid, context: &mut Context<'_>) -> Option<Self> {
        let at = At::root().key("terrain");
        if file.memory.is_some() && !file.stream {
            let message = "`terrain.memory` is for ground that streams";
            context.report.error_with(&at.key("memory"), message, "add `stream = true`, or leave it out");
        }
        if file.stream {
            let streamed = Some(StreamedTerrain::lower(file, grid, context, &at)?);
            return Some(Self { file: None, streamed, shapes: Vec::new(), complaint: context.report.template(&at) });
        }
        let map = match &file.file {
            Some(name) => {
                let keys = HeightFile {
                    file: name,
                    height: file.height,
                    scale: file.scale,
                    offset: file.offset,
                    origin: file.origin,
                    size: file.size,
                    nodata: &file.nodata,
                };
                Some(PlacedMap::lower(keys, grid, context, &at))
            }
            None => {
                let stray = [
                    ("height", file.height.is_some()),
                    ("origin", file.origin.is_some()),
                    ("size", file.size.is_some()),
                ];
                for (key, _) in stray.iter().filter(|(_, given)| *given) {
                    context.report.error(&at.key(key), format!("`terrain.{key}` needs a `file`"));
                }
                None
            }
        };
        for (index, shape) in file.shapes.iter().enumerate() {
            check_shape(shape, context, &at.key("shapes").index(index));
        }
        // The outer level says whether there is a file, the inner one whether it could be read.
        let map = match map {
            Some(map) => Some(map?),
            None => None,
        };
        Some(Self { file: map, streamed: None, shapes: file.shapes.clone(), complaint: context.report.template(&at) })
    }
}

/// The ground at any point: of a scene, but on its own.
pub struct TerrainSampler {
    file: Option<PlacedMap>,
    streamed: Option<StreamedTerrain>,
    shapes: Vec<Sampler>,
    complaint: Diagnostic,
}

impl std::fmt::Debug for TerrainSampler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TerrainSampler").finish_non_exhaustive()
    }
}

impl TerrainSampler {
    /// The bed elevation at a point `[x, z]`, m; what [`Terrain::rasterise`] rounds to single precision. The same errors.
    pub fn elevation(&self, point: [f64; 2]) -> Result<f64, SceneError> {
        let start = match (&self.file, &self.streamed) {
            (Some(file), _) => file.at(point).ok_or_else(|| file.missing_at(point))?,
            (None, Some(streamed)) => streamed.elevations(&[point[0]], &[point[1]])?[0],
            (None, None) => 0.0,
        };
        let elevation = self.shapes.iter().fold(start, |ground, shape| shape.apply(ground, point));
        if elevation.is_nan() || elevation.abs() > LARGEST_ELEVATION {
            return Err(self.too_high(elevation, point));
        }
        Ok(elevation)
    }

    fn too_high(&self, elevation: f64, point: [f64; 2]) -> SceneError {
        Diagnostic {
            message: format!(
                "the ground at x {}, z {} has the elevation {} m",
                tidy(point[0]),
                tidy(point[1]),
                exact(elevation)
            ),
            hint: Some(format!("elevations must be between -{LARGEST_ELEVATION} and {LARGEST_ELEVATION} m")),
            ..self.complaint.clone()
        }
        .into()
    }
}

/// What a schema cannot say about a shape.
fn check_shape(shape: &Shape, context: &mut Context<'_>, at: &At) {
    match shape {
        Shape::Slope { from, to, .. } if from == to => {
            context.report.error(&at.key("to"), "a slope needs two different points, `from` and `to`");
        }
        Shape::Cone { base_radius, top_radius, .. } if top_radius >= base_radius => {
            context.report.error_with(
                &at.key("top_radius"),
                format!(
                    "the top of {} m is not smaller than the base of {} m",
                    exact(*top_radius),
                    exact(*base_radius)
                ),
                "`top_radius` must be less than `base_radius`",
            );
        }
        _ => (),
    }
}

#[cfg(test)]
mod tests;
