//! Absorbing layers: near an open side water is relaxed to the state beyond it (methods note §1).
//!
//! Surface and normal discharge relax at the same rate σ(d) = σ_max (1 − d/w)², which is matched to the
//! wave's impedance at normal incidence; tangential flow is left alone. Implicit in time. What the layer adds or
//! takes is counted cell by cell.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// Parameters of one layer.
    pub struct AbsorbParams {
        /// Cells along x.
        pub nx: u32,
        /// Cells along z.
        pub nz: u32,
        /// The layer's rectangle of cells.
        pub x0: u32, pub z0: u32, pub width: u32, pub height: u32,
        /// 0 west, 1 east, 2 south, 3 north.
        pub side: u32,
        /// Width of the layer, cells.
        pub layer: f32,
        /// σ_max, 1/s.
        pub strength: f32,
        /// Still level beyond, m above the datum.
        pub rest: f32,
        /// m/s².
        pub gravity: f32,
        /// Area of a cell, m².
        pub area: f32,
        /// First word of this layer in `exchanged`.
        pub exchanged_start: u32,
    }
}

kernel! {
    /// Relaxes the cells of one layer.
    pub struct Absorb slices AbsorbSlices = "shallow.absorb" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/absorb.wgsl")), entry: "absorb",
        workgroup: [256, 1, 1],
        params: AbsorbParams,
        cpu: cpu::absorb,
        read bed: f32,
        read clock: f32,
        write state: f32,
        write exchanged: f32,
    }
}
