//! Sums over the water of every tile.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

pub(crate) use crate::tree::layout::sums::WORDS;

uniform! {
    /// The tree.
    pub struct SumsParams {
        /// Levels.
        pub levels: u32,
        /// Slots.
        pub capacity: u32,
        /// Size of the finest cells, m.
        pub cell: f32,
        /// m/s².
        pub gravity: f32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
        /// Depth from which a cell counts as wet, m.
        pub wet_depth: f32,
    }
}

kernel! {
    /// Sums of the cells of every tile.
    pub struct Sums slices SumsSlices = "tree.sums" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/sums.wgsl")), entry: "sums",
        workgroup: [256, 1, 1],
        params: SumsParams,
        cpu: cpu::sums,
        read topology: u32,
        read cells: f32,
        write totals: f32,
    }
}
