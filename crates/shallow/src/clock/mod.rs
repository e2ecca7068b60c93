//! The clock: one small kernel before every sub-step picks the time step from the fastest signal, reads
//! the drivers (sides, rain, sources) at that instant, and switches the sub-step off once the frame is done.
//!
//! Everything stays on the executor: a frame is recorded as a list of sub-steps without knowing how many
//! are needed, and those past the end run zero workgroups.

mod constants;
mod cpu;
pub(crate) mod drivers;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;
pub(crate) mod word;

use thalweg_compute::{kernel, uniform};

pub(crate) use constants::{DRIVER_SAMPLES, DRIVER_STEPS, FIXED_DRIVERS, NOT_FINITE, status};

uniform! {
    /// Parameters of the clock.
    pub struct ClockParams {
        /// Words of `speeds`.
        pub speeds: u32,
        /// Sources.
        pub sources: u32,
        /// Kernels whose extent the clock sets.
        pub kernels: u32,
        /// Size of a cell, m.
        pub cell: f32,
        /// m/s².
        pub gravity: f32,
        /// Largest dt · (sum of signal speeds) / cell.
        pub courant: f32,
        /// 2 axes, or 1 in a domain one cell thick.
        pub axes: f32,
        /// Sub-steps of one frame at which the run is given up.
        pub max_substeps: f32,
        /// Kinds of the sides.
        pub west_kind: u32, pub east_kind: u32, pub south_kind: u32, pub north_kind: u32,
        /// Lowest bed along each side, m above the datum.
        pub west_bed: f32, pub east_bed: f32, pub south_bed: f32, pub north_bed: f32,
    }
}

kernel! {
    /// Picks the next time step, or switches the sub-step off.
    pub struct Clock slices ClockSlices = "shallow.clock" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/clock.wgsl")), entry: "tick",
        workgroup: [256, 1, 1],
        params: ClockParams,
        cpu: cpu::tick,
        read speeds: f32,
        read drivers: f32,
        read extents: u32,
        write clock: f32,
        write args: u32,
    }
}
