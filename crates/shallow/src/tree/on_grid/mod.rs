//! The tree on equal cells in memory of the executor, for pictures.
//!
//! Cells of the tree that are smaller than those of the grid are averaged by area. In larger ones the surface goes on
//! in flat triangles between the middle of the cell, its corners, and the middles of sides beyond which cells are
//! smaller, so that it has no step anywhere. Under water the bed is the tree's, under films and on dry land the grid's
//! own.

pub(crate) mod constants;
mod corners;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{Buffer, Dispatch, kernel, uniform};

use super::layout::CELLS;
use super::water::TreeWater;
use crate::drift::HeightView;
use crate::error::{Result, invalid};
use constants::CORNERS;

uniform! {
    /// The tree, and the grid over it.
    pub struct OnGridParams {
        /// Cells of the grid along x.
        pub nx: u32,
        /// Cells of the grid along z.
        pub nz: u32,
        /// Finest cells along a cell of the grid, as a power of two.
        pub shift: u32,
        /// Levels of the tree.
        pub levels: u32,
        /// Slots.
        pub capacity: u32,
        /// Size of the finest cells, m.
        pub cell: f32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
        /// 1 if discharges are wanted too.
        pub moves: u32,
    }
}

kernel! {
    /// The water at the corners of the cells of every tile: surface above the datum, depth, velocity along x and z.
    /// Tiles with smaller cells than the grid's are left alone.
    pub struct Corners slices CornersSlices = "tree.corners" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/tile_corners.wgsl")), entry: "tile_corners",
        workgroup: [256, 1, 1],
        params: OnGridParams,
        cpu: corners::corners,
        read topology: u32,
        read cells: f32,
        write corners: [f32; 4],
    }
}

kernel! {
    /// The state and the bed of every cell of the grid, as on a uniform grid; without discharges unless they are
    /// wanted.
    pub struct OnGrid slices OnGridSlices = "tree.on_grid" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/on_grid.wgsl")), entry: "on_grid",
        workgroup: [256, 1, 1],
        params: OnGridParams,
        cpu: cpu::on_grid,
        read topology: u32,
        read cells: f32,
        read corners: [f32; 4],
        read ground: f32,
        write state: f32,
        write bed: f32,
    }
}

/// Memory for the tree on equal cells.
#[derive(Debug)]
pub struct TreeGrid {
    params: OnGridParams,
    /// The grid's own bed above the datum, m.
    ground: Buffer<f32>,
    corners: Buffer<[f32; 4]>,
    state: Buffer<f32>,
    bed: Buffer<f32>,
}

impl TreeWater {
    /// Takes the memory for a grid whose cells are `2^shift` finest cells long; `bed` is the ground on it, m. Only
    /// where the water `moves` is its velocity known.
    pub fn grid(&self, [nx, nz]: [u32; 2], shift: u32, bed: &[f32], moves: bool) -> Result<TreeGrid> {
        let cells = nx as usize * nz as usize;
        if bed.len() != cells || shift > 15 {
            return invalid(format!("a grid of {nx} by {nz} cells of 2^{shift} finest ones with {} beds", bed.len()));
        }
        let ground: Vec<f32> = bed.iter().map(|bed| (f64::from(*bed) - self.datum) as f32).collect();
        let capacity = self.plan.capacity;
        let params = OnGridParams {
            nx,
            nz,
            shift,
            levels: self.levels,
            capacity: capacity as u32,
            cell: self.cell as f32,
            h_eps: self.h_eps,
            moves: u32::from(moves),
        };
        Ok(TreeGrid {
            params,
            ground: self.exec.buffer_from("tree.grid_ground", &ground)?,
            corners: self.exec.buffer("tree.corners", capacity * CORNERS)?,
            state: self.exec.buffer("tree.grid_state", if moves { 3 * cells } else { cells })?,
            bed: self.exec.buffer("tree.grid_bed", cells)?,
        })
    }

    /// The water on a grid, and the velocity of each of its cells (m/s) if that is asked for and known. Waits for the
    /// last frame's clock alone.
    pub fn on_grid<'a>(&mut self, grid: &'a TreeGrid, velocity: Option<&Buffer<[f32; 2]>>) -> Result<HeightView<'a>> {
        self.settle()?;
        let TreeGrid { params, ground, corners, state, bed } = grid;
        let (topology, cells) = (&self.buffers.topology, &self.buffers.cells);
        let mut rec = self.exec.record();
        rec.stage("picture");
        let tiles = Dispatch::Elements(CELLS * self.plan.capacity);
        rec.run(&Corners { topology, cells, corners }, params, tiles)?;
        let kernel = OnGrid { topology, cells, corners, ground, state, bed };
        rec.run(&kernel, params, Dispatch::Elements(bed.len()))?;
        let view = HeightView { state, bed, datum: self.datum };
        if let Some(velocity) = velocity.filter(|_| params.moves != 0) {
            view.record_drift(&mut rec, velocity, self.h_eps)?;
        }
        rec.submit()?;
        Ok(view)
    }
}
