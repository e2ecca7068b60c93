//! The level set is carried by the water, in a semi-Lagrangian step.
//!
//! It follows the faces themselves: they are free of divergence in the water and in two layers of air, which
//! is what keeps the volume. Traces are cut into pieces of at most one cell, each a midpoint step.

mod cpu;
mod cubic;
mod fine;

pub(crate) use cubic::SHARP;
use thalweg_compute::kernel;

use crate::solver::stages::advect::AdvectParams;

kernel! {
    /// `φ'(x) = φ(x − Δt u)`: `source` is `phi`, by the name that the shader shares with [`FineLevelSet`].
    pub struct LevelSet slices LevelSetSlices = "tall.level_set" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/level_set.wgsl")), entry: "level_set",
        workgroup: [256, 1, 1],
        params: AdvectParams,
        cpu: cpu::level_set,
        read heights: [i32; 2],
        read phi: f32,
        read faces: f32,
        read inner: f32,
        write moved: f32,
        read source: f32,
    }
}

kernel! {
    /// The same on the fine lattice (`fine/`), with the velocities of the columns. `source` is the level set of the
    /// fine lattice, `phi` that of the columns.
    pub struct FineLevelSet slices FineLevelSetSlices = "tall.fine_level_set" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/level_set.wgsl")), entry: "fine_level_set",
        workgroup: [256, 1, 1],
        params: AdvectParams,
        cpu: fine::fine_level_set,
        read heights: [i32; 2],
        read phi: f32,
        read faces: f32,
        read inner: f32,
        write moved: f32,
        read source: f32,
    }
}
