//! Air that no pass of the extrapolation reaches takes velocities from a hierarchy of means, \[000\] §3.3.
//!
//! With sub-steps no trace begins so far out. A frame taken as one step can carry water over more cells than the passes
//! reach: there a rough velocity is needed, and a cheap one. Every column has the mean of what was continued into its
//! air; squares of 2, 4, 8 … columns have the means of theirs, and a face takes that of the smallest square around it
//! that knows any. \[000\] uses the cells of the multigrid for this. Columns are enough: above a surface the far air
//! differs from place to place, not from height to height.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_columns::Shape;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

uniform! {
    /// The columns and the squares of columns, those of one level after those of the finer one.
    pub struct FarParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Squares of all levels, columns included.
        pub squares: u32,
        /// For [`FarCoarsen`]: the level that is read, 0 are the columns.
        pub level: u32,
    }
}

kernel! {
    /// Sum and number of the velocities that were continued into the air, per component and column.
    pub struct FarGather slices FarGatherSlices = "tall.far_gather" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/far_field.wgsl")), entry: "gather",
        workgroup: [256, 1, 1],
        params: FarParams,
        cpu: cpu::gather,
        read known: u32,
        write faces: f32,
        write sums: [f32; 2],
    }
}

kernel! {
    /// The next coarser level.
    pub struct FarCoarsen slices FarCoarsenSlices = "tall.far_coarsen" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/far_field.wgsl")), entry: "coarsen",
        workgroup: [256, 1, 1],
        params: FarParams,
        cpu: cpu::coarsen,
        read known: u32,
        write faces: f32,
        write sums: [f32; 2],
    }
}

kernel! {
    /// Means into the faces that no pass has reached.
    pub struct FarFill slices FarFillSlices = "tall.far_fill" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/far_field.wgsl")), entry: "fill",
        workgroup: [256, 1, 1],
        params: FarParams,
        cpu: cpu::fill,
        read known: u32,
        write faces: f32,
        write sums: [f32; 2],
    }
}

/// Squares along an axis of a level, each as many columns wide as `1 << level`.
fn squares_along(columns: u32, level: u32) -> u32 {
    columns.div_ceil(1 << level)
}

/// The stage with its memory.
#[derive(Debug)]
pub(crate) struct FarField {
    params: FarParams,
    levels: u32,
    sums: Buffer<[f32; 2]>,
}

impl FarField {
    /// Takes the memory: about eight words per column.
    pub(crate) fn new(exec: &Executor, shape: Shape) -> Result<Self, ComputeError> {
        let (nx, nz) = (shape.nx as u32, shape.nz as u32);
        let levels = nx.max(nz).next_power_of_two().ilog2() + 1;
        let squares = (0..levels).map(|level| squares_along(nx, level) * squares_along(nz, level)).sum();
        let params = FarParams { nx, nz, samples: shape.samples() as u32, squares, level: 0 };
        Ok(Self { params, levels, sums: exec.buffer("tall.far_sums", 3 * squares as usize)? })
    }

    /// Records the stage after an extrapolation whose `known` faces tell which are far.
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        known: &Buffer<u32>,
        faces: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let Self { params, levels, sums } = self;
        let FarParams { nx, nz, samples, .. } = *params;
        let columns = (nx * nz) as usize;
        rec.run(&FarGather { known, faces, sums }, params, Dispatch::Elements(3 * columns))?;
        for level in 0..levels - 1 {
            let coarse = (squares_along(nx, level + 1) * squares_along(nz, level + 1)) as usize;
            let params = FarParams { level, ..*params };
            rec.run(&FarCoarsen { known, faces, sums }, &params, Dispatch::Elements(3 * coarse))?;
        }
        rec.run(&FarFill { known, faces, sums }, params, Dispatch::Elements(3 * columns * samples as usize))
    }
}
