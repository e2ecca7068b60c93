//! The ground of a tree from a raster that is larger than memory.

use std::sync::{Mutex, PoisonError};

use thalweg_scene::heightmap::streamed::{RasterError, RasterPyramid};
use thalweg_shallow::tree::{CELLS, Ground, TILE};

/// A [`RasterPyramid`] as the [`Ground`] of a [`TreeWater`](thalweg_shallow::tree::TreeWater): beds come from the raster's blocks when tiles need them.
///
/// Where a file can no longer be read while the water runs, tiles there stay as coarse as they are: the water keeps its volume. The first error waits to be
/// [taken](Self::take_failure): stop the run, or tell the user. While a tree is being made there is nothing to stay with: tiles get the coarse elevations
/// that are in memory, so ask for a failure after [`TreeWater::new`](thalweg_shallow::tree::TreeWater::new) and do not run such a tree.
#[derive(Debug)]
pub struct StreamedGround {
    pyramid: RasterPyramid,
    failure: Mutex<Option<RasterError>>,
}

impl StreamedGround {
    /// The ground of a pyramid; its size and levels must be those of the tree.
    pub fn new(pyramid: RasterPyramid) -> Self {
        Self { pyramid, failure: Mutex::default() }
    }

    /// The pyramid.
    pub fn pyramid(&self) -> &RasterPyramid {
        &self.pyramid
    }

    /// The first error since the last call, if a file could not be read. Ask once a frame.
    pub fn take_failure(&self) -> Option<RasterError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Ground for StreamedGround {
    fn tile(&self, level: u32, x: u32, z: u32) -> Box<[f64; CELLS]> {
        self.tile_if_ready(level, x, z).unwrap_or_else(|| {
            let (first, count) = place(x, z);
            boxed(&self.pyramid.rough_elevations(level, first, count))
        })
    }

    fn tile_if_ready(&self, level: u32, x: u32, z: u32) -> Option<Box<[f64; CELLS]>> {
        let (first, count) = place(x, z);
        match self.pyramid.elevations(level, first, count) {
            Ok(cells) => Some(boxed(&cells)),
            Err(error) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                None
            }
        }
    }
}

/// First cell of a tile, and how many there are, along x and z.
fn place(x: u32, z: u32) -> ([u32; 2], [u32; 2]) {
    let side = TILE as u32;
    ([x, z].map(|n| n.saturating_mul(side)), [side; 2])
}

fn boxed(cells: &[f64]) -> Box<[f64; CELLS]> {
    Box::new(std::array::from_fn(|at| cells.get(at).copied().unwrap_or_default()))
}
