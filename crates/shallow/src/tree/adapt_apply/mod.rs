//! Splits and merges carried out: water and momentum are passed on exactly, a lake stays at rest (methods note §4.4).
//!
//! **Split.** The water of a cell is poured into the four at equal level: with the beds `z` of the four,
//! `¼ Σ max(0, η − z) = h`. Where the water is deep enough for all four, surface and velocity follow their limited
//! slopes in the parent, by amounts whose mean is 0: flat steps would be a first-order error wherever fine cells go
//! along with a wave. **Merge.** Depth and discharge are means. The bed of a tile is the mean of its children's, and
//! the beds of tiles that merge are kept for the next split.
//!
//! Tiles that were split or merged are awake until a step has shown that their water is at rest. Merges far from an
//! observer may leave a shore uneven.
//!
//! Over a bed below the datum the state is the surface itself, which passes through unchanged: the rounding of deep
//! beds never becomes water.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// The tree.
    pub struct AdaptApplyParams {
        /// Levels.
        pub levels: u32,
        /// Slots.
        pub capacity: u32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
    }
}

kernel! {
    /// Splits and merges tiles.
    pub struct AdaptApply slices AdaptApplySlices = "tree.adapt_apply" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/adapt_apply.wgsl")), entry: "adapt_apply",
        workgroup: [256, 1, 1],
        params: AdaptApplyParams,
        cpu: cpu::adapt_apply,
        read plan: u32,
        write topology: u32,
        write cells: f32,
        write nursery: f32,
        write status: f32,
    }
}
