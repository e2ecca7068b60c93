//! Trial particles, \[000\] §3.9.3: water near the surface that flies on by itself during a step.
//!
//! Of the cells with `−generate ≤ φ ≤ 0` in a column at most [`SLOTS`] are taken, spread evenly over them. A trial
//! particle begins somewhere in its cell with the radius `−φ` and the water's velocity there, and falls freely for the
//! length of the step.
//!
//! That finds what the level set loses, which with short steps is next to nothing. Water also breaks where its velocity
//! changes much from cell to cell: by `s = |u(x + e) − u(x − e)|/2`, the root of the sum over the axes `e` that are a
//! cell long. With a chance of `breaking` per second a trial particle looks at it; where `s` passes a threshold it is
//! thrown off the surface along its normal, with up to `s` more speed.

//!
//! Along sides that lead the water ([`Whitewater::with_calm_sides`](crate::Whitewater::with_calm_sides)) its velocities
//! are not its own: no trial particles there.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

pub(crate) use crate::constants::trial::SLOTS;

uniform! {
    /// The columns, and the step that comes.
    pub struct TrialParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Of the random numbers.
        pub salt: u32,
        /// Depth in which trial particles begin, cells.
        pub depth: f32,
        /// `Δt/Δx`, s/m.
        pub cells_per_speed: f32,
        /// `g Δt`, m/s.
        pub falling: f32,
        /// `½ g Δt²/Δx`, cells.
        pub fallen: f32,
        /// Chance that a trial particle looks whether water breaks.
        pub breaking: f32,
        /// Change of the velocity from cell to cell at which water begins to break, m/s.
        pub calm: f32,
        /// First column along x that may have trial particles.
        pub from_x: u32,
        /// The column behind the last along x.
        pub to_x: u32,
        /// See `from_x`.
        pub from_z: u32,
        /// See `to_x`.
        pub to_z: u32,
    }
}

kernel! {
    /// Two entries per slot: where the trial particle will be (cells from the corner) with its radius (cells, 0: none),
    /// and its velocity then with 1 if it was thrown off by breaking water.
    pub struct Trial slices TrialSlices = "whitewater.trial" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/trial.wgsl")), entry: "trial",
        workgroup: [256, 1, 1],
        params: TrialParams,
        cpu: cpu::trial,
        read heights: [i32; 2],
        read phi: f32,
        read velocity: [f32; 4],
        read solid: f32,
        write trials: [f32; 4],
    }
}
