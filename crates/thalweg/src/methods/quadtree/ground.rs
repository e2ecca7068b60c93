//! Ground of a scene that streams from disk: its pyramid, what went wrong, and its bed on the grid of height fields.

use std::sync::Arc;

use thalweg_scene::heightmap::streamed::{PyramidReport, RasterError, RasterPyramid};
use thalweg_scene::{Grid, SceneError, StreamedTerrain};

use crate::error::Error;
use crate::ground::StreamedGround;

/// Rows of cells that are read from the raster in one go.
const STRIP_ROWS: u32 = 16;

/// A scene's streamed terrain in use.
pub(crate) struct OpenGround {
    pub(crate) ground: Arc<StreamedGround>,
    pub(crate) report: PyramidReport,
    /// Knows the line of the scene that errors belong to.
    terrain: StreamedTerrain,
}

impl OpenGround {
    /// Surveys the raster, or loads its survey. `progress` is told of blocks read and to be read.
    pub(crate) fn new(
        terrain: &StreamedTerrain,
        levels: u32,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, Error> {
        let opened = RasterPyramid::open(terrain.raster().clone(), &terrain.sampling(levels), progress);
        let (pyramid, report) = opened.map_err(|error| terrain.complain(&error))?;
        Ok(Self { ground: Arc::new(StreamedGround::new(pyramid)), report, terrain: terrain.clone() })
    }

    /// The lowest ground, m.
    pub(crate) fn lowest(&self) -> f64 {
        self.ground.pyramid().range()[0]
    }

    /// The first error since the last call.
    pub(crate) fn failure(&self) -> Option<SceneError> {
        self.ground.take_failure().map(|error| self.terrain.complain(&error))
    }

    /// Elevations on a grid whose cells are `2^shift` finest cells long, m: means of the finest ones.
    pub(crate) fn bed(&self, grid: &Grid, shift: u32) -> Result<Vec<f32>, Error> {
        Ok(bed(self.ground.pyramid(), grid, shift).map_err(|error| self.terrain.complain(&error))?)
    }
}

fn bed(pyramid: &RasterPyramid, grid: &Grid, shift: u32) -> Result<Vec<f32>, RasterError> {
    // Averaged are the largest cells of the tree that are no larger than the grid's, and whole in the domain, also where the grid's last ones stick out of it.
    let whole = pyramid.size().map(u32::trailing_zeros);
    let own_shift = shift.min(pyramid.levels() - 1).min(whole[0]).min(whole[1]);
    let level = pyramid.levels() - 1 - own_shift;
    let per_cell = 1u32 << (shift - own_shift);
    let [nx, nz] = pyramid.size().map(|n| n >> own_shift);
    // Those of a cell that are in the domain.
    let within = |n: u32, count: u32| (n * per_cell).min(count)..((n + 1) * per_cell).min(count);
    let mut bed = Vec::with_capacity(grid.cells() as usize);
    let rows = STRIP_ROWS.div_ceil(per_cell);
    for first in (0..grid.nz).step_by(rows as usize) {
        let last = (first + rows).min(grid.nz);
        let low = within(first, nz).start;
        let high = within(last - 1, nz).end;
        let strip = pyramid.elevations(level, [0, low], [nx, high - low])?;
        for k in first..last {
            for i in 0..grid.nx {
                let (columns, rows) = (within(i, nx), within(k, nz));
                let count = columns.len() * rows.len();
                let cells = rows.flat_map(|row| columns.clone().map(move |column| column + nx * (row - low)));
                let sum: f64 = cells.map(|at| strip[at as usize]).sum();
                bed.push((sum / count as f64) as f32);
            }
        }
    }
    Ok(bed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use thalweg_scene::heightmap::streamed::{Sampling, TiledRaster};

    /// Means are the same whether the tree has cells as large as the grid's or not, also of what is in the domain of cells that stick out of it.
    #[test]
    fn beds_do_not_depend_on_levels() {
        let folder = tempfile::tempdir().expect("a folder");
        let heights: String = (0..40 * 40).map(|n| format!("{} ", (n * 7919) % 101)).collect();
        let tile = format!("ncols 40\nnrows 40\ncellsize 2\n{heights}\n");
        std::fs::write(folder.path().join("0-0.asc"), tile).expect("a tile");
        let index = "tile = 40\ncolumns = 1\nrows = 1\npixel = 2\nfiles = \"{x}-{z}.asc\"\n";
        std::fs::write(folder.path().join("tiles.toml"), index).expect("an index");
        let raster = Arc::new(TiledRaster::open(folder.path(), 1 << 20).expect("a raster"));
        let on_grid = |levels: u32, shift: u32| {
            let sampling = Sampling::new([48, 80], 1.0, levels);
            let (pyramid, _) = RasterPyramid::open(raster.clone(), &sampling, &mut |_, _| ()).expect("a pyramid");
            let [nx, nz] = [48u32, 80].map(|n| n.div_ceil(1 << shift));
            let grid = Grid { nx, nz, cell: f64::from(1u32 << shift), origin: [0.0; 2], height: 1.0 };
            bed(&pyramid, &grid, shift).expect("a bed")
        };
        let finest = on_grid(1, 0);
        // Cells of 32 and 64 finest ones stick out.
        for shift in 0..7 {
            let [nx, nz] = [48usize, 80].map(|n| n.div_ceil(1 << shift));
            let mean = |i: usize, k: usize| {
                let inside = |n: usize, count: usize| n << shift..((n + 1) << shift).min(count);
                let cells = inside(k, 80).flat_map(|k| inside(i, 48).map(move |i| i + 48 * k));
                let heights: Vec<f64> = cells.map(|at| f64::from(finest[at])).collect();
                heights.iter().sum::<f64>() / heights.len() as f64
            };
            for levels in 1..8 {
                let found = on_grid(levels, shift);
                assert_eq!(found.len(), nx * nz);
                let off = |(at, height): (usize, &f32)| (f64::from(*height) - mean(at % nx, at / nx)).abs();
                // One by one: a maximum would pass over NaN.
                for cell in found.iter().enumerate() {
                    assert!(off(cell) < 1e-5, "{levels} levels, {shift} doublings: cell {} is {} m", cell.0, cell.1);
                }
            }
        }
    }
}
