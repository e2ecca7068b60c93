//! Position-based fluids: [Macklin & Müller 2013], with walls as planes.
//!
//! The density ρ_i = V ΣW_ij + f, in units of that at rest with V = a³/L, gives the constraint C_i = max(0, ρ_i − 1),
//! and that λ_i = −C_i/(Σ|G_ij|² + |ΣG_ij + G_wall|² + ε) with G_ij = V ∇W_ij. Places move by
//! Δx_i = ω (Σ(λ_i + λ_j + s_ij) G_ij + λ_i G_wall): [`Lambda`] and [`Shift`], as often as there are iterations. The
//! velocity is then what places have moved by ([`Velocity`]), made smoother by XSPH ([`Smooth`]); eddies that this
//! damps can be spun up again ([`Curl`], [`Confine`]).
//!
//! λ_j travels in the fourth number of a place, so that a neighbour is one load of 16 bytes. Bytes a particle and pass,
//! without neighbours, which caches hold: 20 + 20 (lambda), 36 + 16 (shift), 36 + 16 (velocity), 36 + 16 (smooth).
//!
//! [Macklin & Müller 2013]: https://doi.org/10.1145/2461912.2461984

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;
mod vorticity;

use thalweg_compute::kernel;

use crate::params::StepParams;

kernel! {
    /// Density and λ of every particle.
    pub struct Lambda slices LambdaSlices = "particles.lambda" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/lambda.wgsl")), entry: "lambda_of",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::lambda,
        read extent: u32,
        read starts: u32,
        read cells: u32,
        read places: [f32; 4],
        read planes: [f32; 4],
        write with_lambda: [f32; 4],
        write density: f32,
    }
}

kernel! {
    /// Moves every particle towards the density of rest, and out of walls.
    pub struct Shift slices ShiftSlices = "particles.shift" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/shift.wgsl")), entry: "shift",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::shift,
        read extent: u32,
        read starts: u32,
        read cells: u32,
        read with_lambda: [f32; 4],
        read planes: [f32; 4],
        read drifts: [f32; 4],
        read origins: [f32; 4],
        write shifted: [f32; 4],
    }
}

kernel! {
    /// Velocity by the way that a particle has gone, and its volume m/ρ in the fourth number.
    pub struct Velocity slices VelocitySlices = "particles.velocity" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/velocity.wgsl")), entry: "velocity",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::velocity,
        read extent: u32,
        read origins: [f32; 4],
        read places: [f32; 4],
        read density: f32,
        write motions: [f32; 4],
    }
}

kernel! {
    /// XSPH: v_i += c Σ (m/ρ_j) (v_j − v_i) W_ij.
    pub struct Smooth slices SmoothSlices = "particles.smooth" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/smooth.wgsl")), entry: "smooth_motion",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::smooth,
        read extent: u32,
        read starts: u32,
        read cells: u32,
        read places: [f32; 4],
        read motions: [f32; 4],
        write smoothed: [f32; 4],
    }
}

kernel! {
    /// ω_i = Σ (m/ρ_j) (v_j − v_i) × ∇W_ij, and its size.
    pub struct Curl slices CurlSlices = "particles.curl" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/curl.wgsl")), entry: "curl",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: vorticity::curl,
        read extent: u32,
        read starts: u32,
        read cells: u32,
        read places: [f32; 4],
        read motions: [f32; 4],
        write curls: [f32; 4],
    }
}

kernel! {
    /// Vorticity confinement: v_i += Δt ε η̂ × ω_i with η = ∇|ω|.
    pub struct Confine slices ConfineSlices = "particles.confine" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/confine.wgsl")), entry: "confine",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: vorticity::confine,
        read extent: u32,
        read starts: u32,
        read cells: u32,
        read places: [f32; 4],
        read motions: [f32; 4],
        read curls: [f32; 4],
        write confined: [f32; 4],
    }
}
