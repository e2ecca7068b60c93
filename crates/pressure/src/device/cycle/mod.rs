//! Kernels of a cycle and of the matrix: relaxation, transfers between levels, products, and the coarse levels by one
//! workgroup.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

pub(crate) use cpu::cells_of;
pub use cpu::{put, sum};
use thalweg_compute::{kernel, uniform};

use super::layout::{Layout, PackedLevel};
use crate::constants::{prolonged, restricted};
use crate::rows::Discretisation;
use crate::smooth::Group;
use crate::transfer::Prolongation;

uniform! {
    /// One level and what to do there; each kernel reads what it needs.
    pub struct MatrixParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// First column in the packed buffers.
        pub column_at: u32,
        /// First sample in the packed buffers.
        pub sample_at: u32,
        /// Number of the level; for the tail its first.
        pub number: u32,
        /// Samples of all levels.
        pub total: u32,
        /// First end of a column in `marks`.
        pub ends_at: u32,
        /// First block in `matrix`.
        pub blocks_at: u32,
        /// Whether tall rows are collocated.
        pub collocated: u32,
        /// Group to relax: red, black, tall even, tall odd.
        pub group: u32,
        /// What is restricted (`restricted::RHS` and so on), or what a prolongation does (`prolonged::SET` and so on).
        pub mode: u32,
        /// Workgroups of kernels that reduce.
        pub groups: u32,
        /// Number of the coarsest level.
        pub last: u32,
        /// One bit per level that may have tall cells.
        pub tall: u32,
        /// Sweeps before the coarse correction.
        pub before: u32,
        /// Sweeps after it.
        pub after: u32,
        /// Sweeps there and back on the coarsest level; 0 if its inverse is known.
        pub coarsest: u32,
        /// Whether the tail runs a full cycle.
        pub full: u32,
        /// First lowest solid sample of a column in `marks`.
        pub solids_at: u32,
    }
}

kernel! {
    /// `x = 0`, then the red and the black half of a sweep.
    pub struct Start slices StartSlices = "pressure.start" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "start",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::start_level,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write b: f32,
        read matrix: f32,
    }
}

kernel! {
    /// Relaxes the cells of one colour in place.
    pub struct Relax slices RelaxSlices = "pressure.relax" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "relax",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::relax_level,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write b: f32,
        read matrix: f32,
    }
}

kernel! {
    /// Relaxes one group of tall cells in place; one invocation per column.
    pub struct RelaxTall slices RelaxTallSlices = "pressure.relax_tall" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "relax_tall",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::relax_tall_level,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write b: f32,
        read matrix: f32,
    }
}

kernel! {
    /// `r = b − A x` of a level, for the next one.
    pub struct LevelResidual slices LevelResidualSlices = "pressure.level_residual" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "level_residual",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::level_residual,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write b: f32,
        read matrix: f32,
        write r: f32,
    }
}

kernel! {
    /// `b` of the next level from `r` or from `b` of this one.
    pub struct Restrict slices RestrictSlices = "pressure.restrict" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "restrict_level",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::restrict_level,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write b: f32,
        read matrix: f32,
        write r: f32,
    }
}

kernel! {
    /// `x` of this level from `x` of the next one.
    pub struct Prolong slices ProlongSlices = "pressure.prolong" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "prolong",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::prolong_level,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
    }
}

kernel! {
    /// A whole cycle over a level and all coarser ones, from `x = 0`, by one workgroup.
    pub struct Tail slices TailSlices = "pressure.tail" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "tail",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::tail,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write b: f32,
        read matrix: f32,
        write r: f32,
        read direct: f32,
    }
}

kernel! {
    /// The same by a workgroup of more invocations than every device has.
    pub struct TailWide slices TailWideSlices = "pressure.tail_wide" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "tail_wide",
        workgroup: [512, 1, 1],
        params: MatrixParams,
        cpu: cpu::tail_wide,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write b: f32,
        read matrix: f32,
        write r: f32,
        read direct: f32,
    }
}

kernel! {
    /// The dense matrix of a small level into `q`, column by column; `x` holds the unit vectors.
    pub struct CoarsestMatrix slices CoarsestMatrixSlices = "pressure.coarsest_matrix" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "coarsest_matrix",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::coarsest_matrix,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write q: f32,
        read matrix: f32,
    }
}

kernel! {
    /// `q = A x` on the finest level, and partial sums of `x·q`.
    pub struct MultiplyDot slices MultiplyDotSlices = "pressure.multiply_dot" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "multiply_dot",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::multiply_dot,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write q: f32,
        read matrix: f32,
        write partials: f32,
    }
}

kernel! {
    /// `whole = b − A x` on the finest level, and partial maxima of `|r|` and `|b|`.
    pub struct Residual slices ResidualSlices = "pressure.residual" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/matrix_rows.wgsl")), entry: "residual",
        workgroup: [256, 1, 1],
        params: MatrixParams,
        cpu: cpu::residual_level,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        write x: f32,
        write b: f32,
        read matrix: f32,
        write partials: f32,
        write whole: f32,
    }
}

impl MatrixParams {
    /// Parameters of one level; what only some kernels read is zero.
    pub(crate) fn new(layout: &Layout, level: &PackedLevel, discretisation: Discretisation) -> Self {
        Self {
            nx: level.shape.nx as u32,
            nz: level.shape.nz as u32,
            samples: level.shape.samples() as u32,
            column_at: level.column_at as u32,
            sample_at: level.sample_at as u32,
            number: level.number as u32,
            total: layout.samples() as u32,
            ends_at: layout.ends_at() as u32,
            blocks_at: layout.blocks_at() as u32,
            collocated: u32::from(discretisation == Discretisation::Collocated),
            group: 0,
            mode: 0,
            groups: super::layout::reduction_groups(level.shape.len()) as u32,
            last: layout.levels.len() as u32 - 1,
            tall: u32::MAX,
            before: 0,
            after: 0,
            coarsest: 0,
            full: 0,
            solids_at: layout.solids_at() as u32,
        }
    }

    fn level(&self) -> PackedLevel {
        PackedLevel::of(self.nx, self.nz, self.samples, self.column_at, self.sample_at, self.number)
    }

    fn discretisation(&self) -> Discretisation {
        if self.collocated == 0 { Discretisation::Galerkin } else { Discretisation::Collocated }
    }

    /// The same with a group to relax.
    pub(crate) fn relaxing(self, group: Group) -> Self {
        Self { group: group as u32, ..self }
    }

    /// The same for the restriction of the residual, or of `b` as it is.
    pub(crate) fn restricting(self, residual: bool) -> Self {
        Self { mode: if residual { restricted::RESIDUAL } else { restricted::RHS }, ..self }
    }

    /// The same for a prolongation.
    pub(crate) fn prolonging(self, mode: Prolongation) -> Self {
        Self { mode: if mode == Prolongation::Add { prolonged::ADD } else { prolonged::SET }, ..self }
    }
}
