//! Random grids and velocities for the tests of kernels.

use thalweg_compute::parity::Rng;
use thalweg_compute::{Buffer, Executor};

use crate::{ColumnGrid, FaceVelocity, Shape};

/// Awkward sizes: slices, single columns, thin layers, odd numbers.
const SHAPES: [(usize, usize, usize); 8] =
    [(13, 9, 6), (16, 16, 8), (7, 1, 5), (1, 11, 4), (5, 3, 1), (21, 6, 13), (2, 2, 3), (9, 18, 2)];

/// A random grid with cells of 1 m.
#[derive(Debug, Clone)]
pub struct RandomGrid {
    /// The grid.
    pub grid: ColumnGrid,
    /// Whether most tall cells are deep, about 30 cells.
    pub deep: bool,
}

/// Terrain, tall cells from 2 to deep side by side. The number chooses the size.
pub fn random_grid(rng: &mut Rng, number: u64) -> RandomGrid {
    let (nx, nz, regular) = SHAPES[number as usize % SHAPES.len()];
    let shape = Shape { nx, nz, regular };
    let columns = shape.columns();
    // A kind per scene: uniform, tall and steep, tall and deep.
    let kind = rng.below(4);
    let terrain: Vec<i32> = (0..columns).map(|_| rng.below(if kind == 0 { 1 } else { 6 }) as i32 - 3).collect();
    let tall: Vec<i32> = (0..columns)
        .map(|_| match (kind, rng.below(4)) {
            (0, _) | (_, 0) => 2,
            (3, _) => 30 + rng.below(6) as i32,
            _ => 2 + rng.below(9) as i32,
        })
        .collect();
    let grid = ColumnGrid::new(shape, 1.0, &terrain, &tall).expect("a valid scene");
    RandomGrid { grid, deep: kind == 3 }
}

/// Random velocities on all faces.
pub fn random_velocity(rng: &mut Rng, shape: Shape) -> FaceVelocity<f32> {
    FaceVelocity { faces: rng.f32s(3 * shape.len(), -1.0, 1.0), inner: rng.f32s(shape.columns(), -1.0, 1.0) }
}

/// Velocities in the memory of an executor.
pub struct FaceBuffers {
    /// See [`FaceVelocity::faces`].
    pub faces: Buffer<f32>,
    /// See [`FaceVelocity::inner`].
    pub inner: Buffer<f32>,
}

impl FaceBuffers {
    /// Takes the memory.
    pub fn new(exec: &Executor, u: &FaceVelocity<f32>) -> Self {
        let faces = exec.buffer_from("u", &u.faces).expect("memory");
        Self { faces, inner: exec.buffer_from("inner", &u.inner).expect("memory") }
    }

    /// Reads both back.
    pub fn read(&self, exec: &Executor) -> FaceVelocity<f32> {
        FaceVelocity {
            faces: exec.read(&self.faces).expect("a buffer"),
            inner: exec.read(&self.inner).expect("a buffer"),
        }
    }

    /// Writes both.
    pub fn write(&self, exec: &Executor, u: &FaceVelocity<f32>) {
        exec.write(&self.faces, 0, &u.faces).expect("memory");
        exec.write(&self.inner, 0, &u.inner).expect("memory");
    }

    /// Faces, inner.
    pub fn buffers(&self) -> [&Buffer<f32>; 2] {
        [&self.faces, &self.inner]
    }
}
