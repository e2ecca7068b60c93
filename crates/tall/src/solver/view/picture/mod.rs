//! The water as a renderer wants it: the level set on a lattice of equal cells, and what the ground looks like.

pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{Buffer, Dispatch, Recording, kernel, uniform};

use crate::error::Result;
use crate::solver::view::View;
use crate::water::TallWater;

/// The level set beyond this many cells is not told: distances farther out are not kept true.
const REACH: f32 = 6.0;

/// Time in which wet ground dries to a third unless told otherwise, s.
const DRIES_IN: f64 = 30.0;

uniform! {
    /// Columns and the lattice over them.
    pub struct PictureParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Cells of the lattice up.
        pub ny: u32,
        /// The level set is cut off here, cells.
        pub reach: f32,
        /// What wet ground keeps of its wetness.
        pub keeps: f32,
    }
}

kernel! {
    /// The level set at the middles of cells `j + ny (i + nx k)`.
    pub struct Unfold slices UnfoldSlices = "tall.unfold" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/unfold.wgsl")), entry: "unfold",
        workgroup: [256, 1, 1],
        params: PictureParams,
        cpu: cpu::unfold,
        read heights: [i32; 2],
        read phi: f32,
        write lattice: f32,
    }
}

kernel! {
    /// Per column: height of the ground, how wet it is, foam, and the top of the tall cell.
    pub struct Ground slices GroundSlices = "tall.ground" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/ground.wgsl")), entry: "ground_of_columns",
        workgroup: [256, 1, 1],
        params: PictureParams,
        cpu: cpu::ground,
        read heights: [i32; 2],
        read terrain: f32,
        read phi: f32,
        read foam: f32,
        write ground: [f32; 4],
    }
}

/// What [`TallWater::record_picture`] writes.
#[derive(Debug)]
pub struct Picture {
    /// Level set in cells of the lattice, `j + ny (i + nx k)`.
    pub lattice: Buffer<f32>,
    /// Cells of the lattice along x, y, z.
    pub size: [u32; 3],
    /// Cells of the lattice along the edge of a cell.
    pub per_cell: u32,
    /// Per column: height of the ground in cells, wetness, foam, top of the tall cell.
    pub ground: Buffer<[f32; 4]>,
    /// Time in which wet ground dries to a third, s.
    pub dries_in: f64,
    no_foam: Buffer<f32>,
    /// Time for which it stands, s.
    time: Option<f64>,
}

impl TallWater {
    /// Takes the memory for pictures of the lowest `cells_up` cells.
    pub fn picture(&self, cells_up: u32) -> Result<Picture> {
        let View { exec, state: s, stages, .. } = self.view();
        let fine = stages.surface.fine();
        let per_cell = if fine.is_some() { 2 } else { 1 };
        let shape = fine.map_or(s.shape, |fine| fine.shape);
        let size = [shape.nx as u32, cells_up.max(1) * per_cell, shape.nz as u32];
        let len = size.iter().map(|n| *n as usize).product();
        Ok(Picture {
            lattice: exec.buffer("tall.lattice", len)?,
            size,
            per_cell,
            ground: exec.buffer("tall.ground", s.shape.columns())?,
            dries_in: DRIES_IN,
            no_foam: exec.buffer("tall.no_foam", s.shape.columns())?,
            time: None,
        })
    }

    /// Records the water as it is, with `foam` from 0 to 1 per column.
    pub fn record_picture(
        &self,
        rec: &mut Recording<'_>,
        picture: &mut Picture,
        foam: Option<&Buffer<f32>>,
    ) -> Result<()> {
        let [nx, ny, nz] = picture.size;
        let View { state: s, stages, time, .. } = self.view();
        let (heights, phi, samples) = match stages.surface.fine() {
            Some(fine) => (fine.heights, fine.phi, fine.shape.samples()),
            None => (&s.now.heights, &s.now.phi, s.shape.samples()),
        };
        let reach = REACH * picture.per_cell as f32;
        // Ground that was never looked at is as wet as the water is now.
        let since = picture.time.map_or(f64::INFINITY, |before| (time - before).max(0.0));
        let keeps = (-since / picture.dries_in).exp() as f32;
        picture.time = Some(time);
        let params = PictureParams { nx, nz, samples: samples as u32, ny, reach, keeps };
        let cells = (nx * ny * nz) as usize;
        rec.run(&Unfold { heights, phi, lattice: &picture.lattice }, &params, Dispatch::Elements(cells))?;
        let kernel = Ground {
            heights: &s.now.heights,
            terrain: &s.terrain,
            phi: &s.now.phi,
            foam: foam.unwrap_or(&picture.no_foam),
            ground: &picture.ground,
        };
        let params =
            PictureParams { nx: s.shape.nx as u32, nz: s.shape.nz as u32, samples: s.shape.samples() as u32, ..params };
        Ok(rec.run(&kernel, &params, Dispatch::Elements(s.shape.columns()))?)
    }

    /// Obstacles where they are now, packed as [`packed`](thalweg_solids::packed) reads them, and the distances of meshes; `None` if there
    /// are none.
    pub fn obstacle_words(&self) -> Option<(&Buffer<f32>, &Buffer<f32>, u32)> {
        let solids = &self.view().stages.solids;
        let count = solids.count() as u32;
        (count > 0).then(|| (solids.words_buffer(), solids.distances_buffer(), count))
    }
}
