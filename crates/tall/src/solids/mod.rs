//! Solid fractions of cells and open fractions of faces on the current heights, from terrain and static obstacles.
//!
//! Heights and obstacles are in cells from the corner of the domain: cell `(i, y, k)` spans `i…i+1`, `y…y+1`, `k…k+1`.
//! **Terrain** has a height per column, at its centre; between two columns its height is their mean. `H` is its whole part,
//! so that only the lowest cell of a column and its side faces are cut. **Obstacles** are shapes with a signed distance `d`:
//! a cell is solid by `clamp(½ − d, 0, 1)` with the distance of its centre, a face by that of its own; exact for flat walls
//! along the axes. Only samples and faces that stand for one cell feel them: [`Ceiling`] keeps tall cells away.

mod cpu;
mod obstacle;
#[cfg(test)]
mod tests;

use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};
use thalweg_pressure::Shape;
use thalweg_pressure::grid::Heights;

pub use obstacle::{Obstacle, ObstacleError};

uniform! {
    /// The columns and the obstacles between them.
    pub struct SolidsParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Number of obstacles.
        pub count: u32,
    }
}

kernel! {
    /// Solid fraction of every sample, open fraction of every face.
    pub struct Fractions slices FractionsSlices = "tall.fractions" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fractions.wgsl")), entry: "fractions",
        workgroup: [256, 1, 1],
        params: SolidsParams,
        cpu: cpu::fractions,
        read heights: [i32; 2],
        read terrain: f32,
        read obstacles: f32,
        write solid: f32,
        write open: f32,
    }
}

kernel! {
    /// Largest `T` per column that keeps obstacles out of tall cells.
    pub struct Ceiling slices CeilingSlices = "tall.ceiling" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/ceiling.wgsl")), entry: "ceiling_of_columns",
        workgroup: [256, 1, 1],
        params: SolidsParams,
        cpu: cpu::ceiling,
        read obstacles: f32,
        write ceiling: i32,
    }
}

/// Static solids of a domain.
#[derive(Debug)]
pub(crate) struct Solids {
    shape: Shape,
    count: usize,
    obstacles: Buffer<f32>,
}

impl Solids {
    /// Takes the memory for obstacles, which are in cells from the corner of the domain.
    pub(crate) fn new(exec: &Executor, shape: Shape, obstacles: &[Obstacle]) -> Result<Self, ComputeError> {
        let words: Vec<f32> = obstacles.iter().flat_map(Obstacle::pack).collect();
        Ok(Self { shape, count: obstacles.len(), obstacles: exec.buffer_from("tall.obstacles", &words)? })
    }

    /// Records the fractions on these heights. `terrain` is in cells, one per column; `solid` has one entry per sample,
    /// `open` three.
    pub(crate) fn fractions(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        terrain: &Buffer<f32>,
        solid: &Buffer<f32>,
        open: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let kernel = Fractions { heights, terrain, obstacles: &self.obstacles, solid, open };
        rec.run(&kernel, &self.params(), Dispatch::Elements(3 * self.shape.len()))
    }

    /// Records the largest `T` of every column, `i32::MAX` where there is no obstacle. Obstacles are static, so once is
    /// enough.
    pub(crate) fn ceiling(&self, rec: &mut Recording<'_>, ceiling: &Buffer<i32>) -> Result<(), ComputeError> {
        let kernel = Ceiling { obstacles: &self.obstacles, ceiling };
        rec.run(&kernel, &self.params(), Dispatch::Elements(self.shape.columns()))
    }

    fn params(&self) -> SolidsParams {
        SolidsParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            count: self.count as u32,
        }
    }
}

impl SolidsParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
