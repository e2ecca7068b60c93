//! Which trial particles have left the water.
//!
//! After the step a trial particle of radius `r` is outside where `φ > 2r` (\[000\] §3.9.3), and clear of the surface by [`CLEARANCE`]: a drop
//! nearer than that falls back in the next step, and where the surface passes through a trial particle `2r` is next to nothing. What breaking water threw
//! off needs to be in the air, no more.

mod cpu;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

/// Least distance of a new drop to the surface, cells.
pub(crate) const CLEARANCE: f32 = 0.5;

uniform! {
    /// The columns.
    pub struct SeedParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Trial particles.
        pub slots: u32,
        /// Drops where one has left the water.
        pub per_trial: u32,
        /// Least distance to the surface, cells.
        pub clearance: f32,
    }
}

kernel! {
    /// How many drops each trial particle makes.
    pub struct Seed slices SeedSlices = "whitewater.seed" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/seed.wgsl")), entry: "seed",
        workgroup: [256, 1, 1],
        params: SeedParams,
        cpu: cpu::seed,
        read heights: [i32; 2],
        read phi: f32,
        read solid: f32,
        read trials: [f32; 4],
        write counts: u32,
    }
}
