//! A raster on disk as the ground: read block by block, never whole.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::context::Context;
use crate::diagnostics::{Diagnostic, SceneError};
use crate::format::{self, Nodata};
use crate::grid::Grid;
use crate::heightmap::streamed::{DEFAULT_CACHE_BYTES, Placed, RasterError, Sampling, TiledRaster};
use crate::report::At;
use crate::terrain::LARGEST_ELEVATION;

/// Bytes of a MiB.
const MIB: u64 = 1 << 20;

/// Ground that streams: an open raster, and how it lies under the domain.
#[derive(Debug, Clone)]
pub struct StreamedTerrain {
    raster: Arc<TiledRaster>,
    /// With one level.
    sampling: Sampling,
    placed: Placed,
    /// Points at the file's key in the scene.
    complaint: Diagnostic,
    name: String,
}

impl StreamedTerrain {
    /// The raster, opened; of its values nothing was read so far.
    pub fn raster(&self) -> &Arc<TiledRaster> {
        &self.raster
    }

    /// The file's name in the scene.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Most memory for decoded blocks, bytes.
    pub fn cache_bytes(&self) -> u64 {
        self.raster.cache().limit
    }

    /// How the cells of a tree with so many levels lie on the raster.
    pub fn sampling(&self, levels: u32) -> Sampling {
        Sampling { levels, ..self.sampling.clone() }
    }

    /// Memory that it takes in a run, bytes: decoded blocks, and the means that are kept, 1/48 byte a finest cell.
    pub(crate) fn bytes(&self) -> u64 {
        let [nx, nz] = self.sampling.size.map(u64::from);
        self.cache_bytes() + nx * nz / 48
    }

    /// The error of the scene for one of its raster.
    pub fn complain(&self, error: &RasterError) -> SceneError {
        Diagnostic { message: error.to_string(), ..self.complaint.clone() }.into()
    }

    /// Elevations at the crossings of coordinates along x and z, m; x fastest. By the rule of maps in memory, with the same bits.
    pub(crate) fn elevations(&self, x: &[f64], z: &[f64]) -> Result<Vec<f64>, SceneError> {
        let placed = &self.placed;
        let taps = [placed.taps(0, x), placed.taps(1, z)];
        let [columns, rows] = [0, 1].map(|axis| {
            let pixels: BTreeSet<u32> = taps[axis].iter().flatten().map(|(pixel, _)| *pixel).collect();
            pixels.into_iter().collect::<Vec<u32>>()
        });
        let values = self.raster.gather(&columns, &rows).map_err(|error| self.complain(&error))?;
        let among = |list: &[u32], pixel: u32| list.partition_point(|known| *known < pixel);
        let mut elevations = Vec::with_capacity(x.len() * z.len());
        for row_taps in &taps[1] {
            for column_taps in &taps[0] {
                let mut sum = 0.0;
                for &(row, row_weight) in row_taps {
                    for &(column, column_weight) in column_taps {
                        let value = values[among(&columns, column) + columns.len() * among(&rows, row)];
                        let path = || self.raster.path().to_owned();
                        let elevation = match placed.elevation(value) {
                            None => Err(RasterError::NoData { path: path(), column, row }),
                            Some(elevation) if elevation.is_nan() || elevation.abs() > LARGEST_ELEVATION => {
                                Err(RasterError::NotAnElevation { path: path(), column, row, elevation })
                            }
                            Some(elevation) => Ok(elevation),
                        };
                        sum += row_weight * column_weight * elevation.map_err(|error| self.complain(&error))?;
                    }
                }
                elevations.push(sum);
            }
        }
        Ok(elevations)
    }

    /// Opens the raster and holds it against the domain; reads none of its values. Its sizes and times enter the digest: nobody reads all of it for that.
    pub(crate) fn lower(file: &format::Terrain, grid: &Grid, context: &mut Context<'_>, at: &At) -> Option<Self> {
        let stream_at = at.key("stream");
        let Some(name) = &file.file else {
            context.report.error(&stream_at, format!("`{stream_at}` needs a `file`"));
            return None;
        };
        if !file.shapes.is_empty() {
            let message = "shapes cannot be laid on ground that streams";
            let hint = "bring them into the raster, or leave `stream` out";
            context.report.error_with(&at.key("shapes"), message, hint);
        }
        if file.height.is_some() {
            let message = format!("`{at}.height` is not for ground that streams");
            let hint = "tiles that are pictures have it in their `tiles.toml`: `height = [lo, hi]`, m";
            context.report.error_with(&at.key("height"), message, hint);
        }
        let file_at = at.key("file");
        let path = context.path(&file_at, name)?;
        let cache_bytes = file.memory.map_or(DEFAULT_CACHE_BYTES, |mib| u64::from(mib) * MIB);
        let sampling = Sampling {
            origin: grid.origin,
            raster_origin: file.origin,
            raster_size: file.size,
            scale: file.scale,
            offset: file.offset,
            nodata: match file.nodata {
                Nodata::Name(_) => None,
                Nodata::Elevation(elevation) => Some(elevation),
            },
            ..Sampling::new([grid.nx, grid.nz], grid.cell, 1)
        };
        let (raster, placed) = match open(&path, cache_bytes, &sampling) {
            Ok(opened) => opened,
            Err(error) => {
                context.report.error(&file_at, error.to_string());
                return None;
            }
        };
        context.digest.write(&raster.identity());
        let complaint = context.report.template(&file_at);
        Some(Self { raster: Arc::new(raster), sampling, placed, complaint, name: name.clone() })
    }
}

/// Opens a raster that covers the domain, and places it there.
fn open(path: &Path, cache_bytes: u64, sampling: &Sampling) -> Result<(TiledRaster, Placed), RasterError> {
    let raster = TiledRaster::open(path, cache_bytes)?;
    let placed = sampling.placed(&raster)?;
    Ok((raster, placed))
}
