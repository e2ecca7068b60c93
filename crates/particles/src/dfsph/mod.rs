//! Divergence-free SPH: [Bender & Koschier 2017], with walls as planes.
//!
//! With densities in units of that at rest and G_ij = V ∇W_ij (cubic spline, V = a³/L): ρ_i = V ΣW_ij + f and
//! α_i = 1/(|ΣG_ij + ∇f|² + Σ|G_ij|²) ([`Factors`]). A solver lowers Dρ_i/Dt = ΣG_ij·(v_i − v_j) + ∇f·(v_i − v_wall),
//! or the density after the step, ρ_i + Δt Dρ_i/Dt − 1, until the mean error is below its tolerance: [`Rate`] finds the
//! error and κ_i, [`Judge`] stops the iterations on the executor, [`Push`] changes velocities by −Σ(κ_i + κ_j) G_ij −
//! κ_i ∇f. Here κ_i = α_i Dρ_i/Dt, or α_i (ρ*_i − 1)/Δt: the paper's κ times Δt/ρ. Half of the κ of the last density
//! solve begins the next one ([`Warm`]); velocities carry it in their fourth number, times Δt.
//!
//! Walls hold velocities back within the iterations: a solver that does not know of them leaves the second layer of a
//! deep column 7 % too dense, for what it moves into the first one is thrown out again.
//!
//! A step: neighbours, factors, divergence, gravity ([`Accelerate`]), density, [`Travel`].
//!
//! Bytes a particle and pass, without neighbours: 36 + 36 (factors), 68 + 16 (rate), 68 + 16 (push), 48 + 32 (travel).
//!
//! [Bender & Koschier 2017]: https://doi.org/10.1109/TVCG.2016.2578335

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::kernel;

use crate::params::StepParams;

/// Which sum a solver works on, `StepParams::which`.
pub(crate) mod solve {
    pub(crate) use crate::constants::solve::{DENSITY, DIVERGENCE};
}

kernel! {
    /// Density, α and what walls do, for as long as places stay.
    pub struct Factors slices FactorsSlices = "particles.factors" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/factors.wgsl")), entry: "factors_of",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::factors,
        read extent: u32,
        read starts: u32,
        read cells: u32,
        read places: [f32; 4],
        read planes: [f32; 4],
        read drifts: [f32; 4],
        write factors: [f32; 8],
        write density: f32,
    }
}

kernel! {
    /// The error of every particle, its κ, and the sum of errors of every workgroup.
    pub struct Rate slices RateSlices = "particles.rate" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/rate.wgsl")), entry: "rate",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::rate,
        read extent: u32,
        read starts: u32,
        read cells: u32,
        read places: [f32; 4],
        read motions: [f32; 4],
        read factors: [f32; 8],
        write with_kappa: [f32; 4],
        write errors: f32,
    }
}

kernel! {
    /// The mean error; no more iterations once it is small: one workgroup.
    pub struct Judge slices JudgeSlices = "particles.judge" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/judge.wgsl")), entry: "judge",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::judge,
        read errors: f32,
        write extent: u32,
        write report: f32,
    }
}

kernel! {
    /// Changes velocities by the κ of neighbours.
    pub struct Push slices PushSlices = "particles.push" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/push.wgsl")), entry: "push",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::push,
        read extent: u32,
        read starts: u32,
        read cells: u32,
        read with_kappa: [f32; 4],
        read factors: [f32; 8],
        read planes: [f32; 4],
        read drifts: [f32; 4],
        write motions: [f32; 4],
    }
}

kernel! {
    /// Half of the κ of the last step, to begin with.
    pub struct Warm slices WarmSlices = "particles.warm" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/warm.wgsl")), entry: "warm",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::warm,
        read extent: u32,
        read places: [f32; 4],
        write motions: [f32; 4],
        write with_kappa: [f32; 4],
    }
}

kernel! {
    /// v += Δt g, as far as walls let it.
    pub struct Accelerate slices AccelerateSlices = "particles.accelerate" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/accelerate.wgsl")), entry: "accelerate",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::accelerate,
        read extent: u32,
        read places: [f32; 4],
        read planes: [f32; 4],
        read drifts: [f32; 4],
        write motions: [f32; 4],
    }
}

kernel! {
    /// x += Δt v, as far as walls let it.
    pub struct Travel slices TravelSlices = "particles.travel" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/travel.wgsl")), entry: "travel",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::travel,
        read extent: u32,
        read planes: [f32; 4],
        read drifts: [f32; 4],
        write places: [f32; 4],
        write motions: [f32; 4],
    }
}
