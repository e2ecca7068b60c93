//! Water for the tests of kernels.

use thalweg_columns::grid::world_cell;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::parity::Rng;
use thalweg_compute::{Buffer, Executor, Result};

/// Fields at the samples of columns.
#[derive(Debug, Clone)]
pub(crate) struct Water {
    pub(crate) shape: Shape,
    pub(crate) heights: Vec<Heights>,
    pub(crate) phi: Vec<f32>,
    pub(crate) velocity: Vec<[f32; 4]>,
    pub(crate) solid: Vec<f32>,
}

/// The same in memory of an executor.
#[derive(Debug)]
pub(crate) struct WaterBuffers {
    pub(crate) heights: Buffer<Heights>,
    pub(crate) phi: Buffer<f32>,
    pub(crate) velocity: Buffer<[f32; 4]>,
    pub(crate) solid: Buffer<f32>,
}

impl Water {
    /// Single cells on flat ground; the level set in cells at points in cells from the corner.
    #[cfg(test)]
    pub(crate) fn plain([nx, ny, nz]: [usize; 3], phi: impl Fn([f32; 3]) -> f32, velocity: [f32; 3]) -> Self {
        let shape = Shape { nx, nz, regular: ny - 2 };
        let heights = vec![[0, 2]; shape.columns()];
        let n = shape.samples();
        let centre = |at: usize| {
            let column = at / n;
            let cell = [column % nx, at % n, column / nx];
            phi(cell.map(|c| c as f32 + 0.5))
        };
        Self {
            phi: (0..shape.len()).map(centre).collect(),
            velocity: vec![[velocity[0], velocity[1], velocity[2], 0.0]; shape.len()],
            solid: vec![0.0; shape.len()],
            shape,
            heights,
        }
    }

    /// A rough surface over rough ground with tall cells, random velocities and some solids.
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let shape = Shape { nx: 9, nz: 7, regular: 14 };
        let heights: Vec<Heights> = (0..shape.columns())
            .map(|_| {
                let bottom = rng.below(3) as i32;
                [bottom, bottom + 2 + rng.below(5) as i32]
            })
            .collect();
        let n = shape.samples();
        let tilt = [rng.range(-0.4, 0.4), rng.range(-0.4, 0.4)];
        let phi = (0..shape.len())
            .map(|at| {
                let column = at / n;
                let y = world_cell(heights[column], at % n) as f32;
                let (i, k) = ((column % shape.nx) as f32, (column / shape.nx) as f32);
                y - 8.0 - tilt[0] * i - tilt[1] * k + rng.range(-0.3, 0.3)
            })
            .collect();
        let velocity = (0..shape.len()).map(|_| [0; 4].map(|_| rng.range(-3.0, 3.0))).collect();
        let solid = (0..shape.len()).map(|_| if rng.below(12) == 0 { rng.range(0.0, 1.0) } else { 0.0 }).collect();
        Self { shape, heights, phi, velocity, solid }
    }

    pub(crate) fn upload(&self, exec: &Executor) -> Result<WaterBuffers> {
        Ok(WaterBuffers {
            heights: exec.buffer_from("heights", &self.heights)?,
            phi: exec.buffer_from("phi", &self.phi)?,
            velocity: exec.buffer_from("velocity", &self.velocity)?,
            solid: exec.buffer_from("solid", &self.solid)?,
        })
    }

    /// Columns along x and z, and samples.
    pub(crate) fn size(&self) -> [u32; 3] {
        [self.shape.nx, self.shape.nz, self.shape.samples()].map(|n| n as u32)
    }
}

/// Particles of all kinds in and over random water, with empty slots between.
pub(crate) fn random_particles(rng: &mut Rng, count: usize) -> (Vec<[f32; 4]>, Vec<[f32; 4]>) {
    let place = |rng: &mut Rng| {
        let word = if rng.below(5) == 0 { 0.0 } else { rng.below(3) as f32 + rng.range(0.01, 0.4) };
        [rng.range(0.0, 9.0), rng.range(3.0, 20.0), rng.range(0.0, 7.0), word]
    };
    let places = (0..count).map(|_| place(rng)).collect();
    let motions =
        (0..count).map(|_| [rng.range(-3.0, 3.0), rng.range(-3.0, 3.0), rng.range(-3.0, 3.0), rng.range(0.01, 2.0)]);
    (places, motions.collect())
}
