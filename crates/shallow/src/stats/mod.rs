//! Sums over the domain: volume, energy, wet area, fastest water. Each chunk of 256 cells gives one partial
//! result; the host adds partials in order, in f64.

mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

pub(crate) use constants::{CHUNK, WORDS};

uniform! {
    /// Parameters of the sums.
    pub struct StatsParams {
        /// Cells of the domain.
        pub cells: u32,
        /// m/s².
        pub gravity: f32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
        /// Depth from which a cell counts as wet, m.
        pub wet_depth: f32,
    }
}

kernel! {
    /// Sums per chunk: depth (m), ½ h |u|² and ½ g s (η + z⁺) (m³/s²), wet cells, speed (m/s).
    pub struct Stats slices StatsSlices = "shallow.stats" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/stats.wgsl")), entry: "stats",
        workgroup: [256, 1, 1],
        params: StatsParams,
        cpu: cpu::stats,
        read state: f32,
        read bed: f32,
        write sums: f32,
    }
}
