//! Values of chosen cells: what gauges and lines read without moving the whole state.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

/// Words per cell: depth, surface above the datum, velocity along x and z, bed above the datum.
pub(crate) const WORDS: usize = 5;

uniform! {
    /// Parameters of the gathering.
    pub struct SampleParams {
        /// Cells of the domain.
        pub cells: u32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
    }
}

kernel! {
    /// Copies depth, surface, velocity and bed of the listed cells.
    pub struct SampleCells slices SampleSlices = "shallow.sample_cells" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/sample_cells.wgsl")), entry: "sample_cells",
        workgroup: [256, 1, 1],
        params: SampleParams,
        cpu: cpu::sample_cells,
        read state: f32,
        read bed: f32,
        read list: u32,
        write values: f32,
    }
}
