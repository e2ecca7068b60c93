//! The water at places: what gauges read without moving the tree off the executor.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

pub(crate) use crate::tree::layout::lookup::{NOWHERE, WORDS};

uniform! {
    /// The tree.
    pub struct LookupParams {
        /// Levels.
        pub levels: u32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
    }
}

kernel! {
    /// Finds the cell that holds each finest cell of a list (its numbers along x and z), and copies its water.
    pub struct Lookup slices LookupSlices = "tree.lookup" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/lookup.wgsl")), entry: "lookup",
        workgroup: [256, 1, 1],
        params: LookupParams,
        cpu: cpu::lookup,
        read topology: u32,
        read cells: f32,
        read places: u32,
        write values: f32,
    }
}
