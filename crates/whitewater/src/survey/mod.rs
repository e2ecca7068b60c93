//! The columns after a step of the water, before anything moves: which trial particles have left it, and above what
//! height there is only air.
//!
//! A trial particle of radius `r` is outside where `φ > 2r` (\[000\] §3.9.3), and clear of the surface by
//! [`CLEARANCE`]: a drop nearer than that falls back in the next step, and where the surface passes through a trial
//! particle `2r` is next to nothing. What breaking water threw off needs to be in the air, no more.
//!
//! The **ceiling** of a column is the height above which no sample is wet or solid. A drop above those of the four
//! columns around it flies on whatever the samples are, and reads four integers instead of 28 numbers.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

pub(crate) use crate::constants::NO_CEILING;

/// Least distance of a new drop to the surface, cells.
pub(crate) const CLEARANCE: f32 = 0.5;

uniform! {
    /// The columns.
    pub struct SurveyParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Drops where a trial particle has left the water.
        pub per_trial: u32,
        /// Least distance to the surface, cells.
        pub clearance: f32,
        /// Where in `events` the drops made are, per workgroup of columns.
        pub made: u32,
        /// Where in `events` the survivors are, per block of workgroups: they are set to 0.
        pub blocks: u32,
        /// How many blocks there are.
        pub block_count: u32,
    }
}

kernel! {
    /// Ceilings (in cells, of centres at integers), and a bit for each trial particle of a column that is free; sets
    /// last step's `events` to 0 and counts the drops that will be made.
    pub struct Survey slices SurveySlices = "whitewater.survey" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/survey.wgsl")), entry: "survey",
        workgroup: [256, 1, 1],
        params: SurveyParams,
        cpu: cpu::survey,
        read heights: [i32; 2],
        read phi: f32,
        read solid: f32,
        read trials: [f32; 4],
        write ceilings: i32,
        write freed: u32,
        write events: u32,
    }
}
