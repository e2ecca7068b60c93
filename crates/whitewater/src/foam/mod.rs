//! The foam map: how much of a column's surface is white.
//!
//! `f' = f(x − Δt u) e^{−Δt/τ} + deposits`, semi-Lagrangian in the plane with the velocity of the highest water of the
//! column; at most 1, and 0 where there is no water.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// The columns and the step.
    pub struct FoamParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// `Δt/Δx`, s/m.
        pub cells_per_speed: f32,
        /// `e^{−Δt/τ}`.
        pub keeps: f32,
    }
}

kernel! {
    /// The foam of every column after a step.
    pub struct FoamMap slices FoamMapSlices = "whitewater.foam" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/foam.wgsl")), entry: "foam_map",
        workgroup: [256, 1, 1],
        params: FoamParams,
        cpu: cpu::foam_map,
        read phi: f32,
        read velocity: [f32; 4],
        read events: u32,
        read foam: f32,
        write moved: f32,
    }
}
