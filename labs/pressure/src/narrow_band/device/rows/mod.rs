//! Kernels over the rows of a matrix in compressed rows: product, residual, damped Jacobi sweep.
//!
//! One invocation per row. The two that belong to the outer iteration reduce: they take every so many rows and leave
//! one partial result per workgroup, which the kernels of [`thalweg_pressure::parts::device`] add up. Their products
//! are `Σ a_ij (x_j − x_i) + s_i x_i` with the sum `s_i` of the row as it was in f64, nearly always 0: hundreds of
//! entries of a seam row, each rounded to f32, do not sum to zero, and the level of the pressure would leak through the
//! difference.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::{kernel, uniform};

pub(super) use crate::constants::product::{ADD, BLEND, SET};

uniform! {
    /// A matrix and what to do with it.
    pub struct RowsParams {
        /// Rows.
        pub rows: u32,
        /// Workgroups of a reduction, at most 1024.
        pub groups: u32,
        /// What becomes of the product: `SET`, `ADD` or `BLEND`.
        pub mode: u32,
        /// Factor of a sweep's correction.
        pub omega: f32,
    }
}

kernel! {
    /// `y = A x`, for rows of any sum or of sum 1, or `y += A x`.
    pub struct Multiply slices MultiplySlices = "labs.band_multiply" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/band_rows.wgsl")), entry: "multiply",
        workgroup: [256, 1, 1],
        params: RowsParams,
        cpu: cpu::multiply,
        read row_start: u32,
        read columns: u32,
        read values: f32,
        read x: f32,
        write y: f32,
    }
}

kernel! {
    /// `r = b − A x`.
    pub struct Rest slices RestSlices = "labs.band_rest" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/band_rows.wgsl")), entry: "rest",
        workgroup: [256, 1, 1],
        params: RowsParams,
        cpu: cpu::rest,
        read row_start: u32,
        read columns: u32,
        read values: f32,
        read x: f32,
        read b: f32,
        write r: f32,
    }
}

kernel! {
    /// `relaxed = x + ω w (b − A x)` with a weight `w` per row, or `ω w b` where the start counts as zero.
    pub struct Relax slices RelaxSlices = "labs.band_relax" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/band_rows.wgsl")), entry: "relax",
        workgroup: [256, 1, 1],
        params: RowsParams,
        cpu: cpu::relax,
        read row_start: u32,
        read columns: u32,
        read values: f32,
        read x: f32,
        read b: f32,
        write relaxed: f32,
        read weight: f32,
    }
}

kernel! {
    /// `r = b − A x` by differences, and partial maxima of `|r|`.
    pub struct Residual slices ResidualSlices = "labs.band_residual" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/band_operator.wgsl")), entry: "residual",
        workgroup: [256, 1, 1],
        params: RowsParams,
        cpu: cpu::residual,
        read row_start: u32,
        read columns: u32,
        read values: f32,
        read row_sum: f32,
        read x: f32,
        write partials: f32,
        read b: f32,
        write r: f32,
    }
}

kernel! {
    /// `y = A x` by differences, and partial sums of `x·y`.
    pub struct MultiplyDot slices MultiplyDotSlices = "labs.band_multiply_dot" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/band_operator.wgsl")), entry: "multiply_dot",
        workgroup: [256, 1, 1],
        params: RowsParams,
        cpu: cpu::multiply_dot,
        read row_start: u32,
        read columns: u32,
        read values: f32,
        read row_sum: f32,
        read x: f32,
        write partials: f32,
        write y: f32,
    }
}
