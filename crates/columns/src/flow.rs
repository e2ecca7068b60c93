//! Water as drops and foam see it: level set, velocities and solids at points.

use thalweg_compute::{Buffer, ComputeError, Recording};

use crate::around::columns_around;
pub use crate::constants::spray_word;
use crate::interpolate::{level_set, sample_pair};
use crate::{Heights, Shape};

/// Fields at the samples of the columns, in memory of the executor. Velocities are true in water and about a cell into
/// the air.
#[derive(Debug, Clone, Copy)]
pub struct Flow<'a> {
    /// `[H, T]` per column, cells.
    pub heights: &'a Buffer<Heights>,
    /// Level set, cells, negative in water.
    pub phi: &'a Buffer<f32>,
    /// Velocity, m/s; the last number is unused.
    pub velocity: &'a Buffer<[f32; 4]>,
    /// Share of the cell that is solid.
    pub solid: &'a Buffer<f32>,
}

/// The water under drops and foam. Any method on columns can implement this; it is all that `thalweg-whitewater` knows
/// of the water.
pub trait WaterFlow: Sync {
    /// Why something could not be recorded.
    type Error: From<ComputeError> + Send;

    /// Columns and samples; columns may grow between steps.
    fn shape(&self) -> Shape;

    /// Acceleration downwards, m/s².
    fn gravity(&self) -> f64;

    /// Records what a [`Flow`] needs beside the state; it stands until the next step.
    fn record_flow(&self, rec: &mut Recording<'_>) -> Result<Flow<'_>, Self::Error>;

    /// Records what drops took from the water and brought back, from the first words of `events`; see [`spray_word`].
    fn record_spray(&self, rec: &mut Recording<'_>, events: &Buffer<u32>) -> Result<(), Self::Error>;
}

/// A [`Flow`] as slices, for the CPU bodies of kernels.
#[derive(Debug, Clone, Copy)]
pub struct FlowSlices<'a> {
    /// Columns, and regular cells of each.
    pub shape: Shape,
    /// See [`Flow::heights`].
    pub heights: &'a [Heights],
    /// See [`Flow::phi`].
    pub phi: &'a [f32],
    /// See [`Flow::velocity`].
    pub velocity: &'a [[f32; 4]],
    /// See [`Flow::solid`].
    pub solid: &'a [f32],
}

/// A [`Flow`] at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowPoint {
    /// m/s.
    pub velocity: [f32; 3],
    /// Cells, negative in water.
    pub phi: f32,
    /// Share that is solid; 1 under the ground.
    pub solid: f32,
}

impl FlowSlices<'_> {
    /// Linear between the centres of cells, which are at integers; beyond the sides of the grid the last column counts.
    pub fn at(&self, point: [f32; 3]) -> FlowPoint {
        let n = self.shape.samples();
        let (mut velocity, mut phi, mut solid) = ([0.0; 3], 0.0, 0.0);
        for (column, share) in columns_around(self.shape, point) {
            let heights = self.heights[column];
            let pair = sample_pair(heights, n, point[1]);
            let line = column * n..(column + 1) * n;
            let [low, high] = [0, 1].map(|more| self.velocity[line.start + pair.lower + more]);
            for axis in 0..3 {
                velocity[axis] += share * (low[axis] + (high[axis] - low[axis]) * pair.share);
            }
            phi += share * level_set(&self.phi[line.clone()], pair);
            let buried = point[1] < heights[0] as f32 - 0.5;
            solid += share * if buried { 1.0 } else { pair.of(&self.solid[line]) };
        }
        FlowPoint { velocity, phi, solid }
    }

    /// The level set alone.
    pub fn phi_at(&self, point: [f32; 3]) -> f32 {
        let n = self.shape.samples();
        let value = |(column, share): (usize, f32)| {
            share * level_set(&self.phi[column * n..(column + 1) * n], sample_pair(self.heights[column], n, point[1]))
        };
        columns_around(self.shape, point).into_iter().map(value).sum()
    }
    /// The solid share alone; 1 under the ground.
    pub fn solid_at(&self, point: [f32; 3]) -> f32 {
        let n = self.shape.samples();
        let value = |(column, share): (usize, f32)| {
            let heights = self.heights[column];
            let buried = point[1] < heights[0] as f32 - 0.5;
            let line = &self.solid[column * n..(column + 1) * n];
            share * if buried { 1.0 } else { sample_pair(heights, n, point[1]).of(line) }
        };
        columns_around(self.shape, point).into_iter().map(value).sum()
    }
}
