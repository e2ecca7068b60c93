//! Incompressibility: the pressure solve of [`thalweg_pressure`] over the buffers of the simulation.
//!
//! The solve starts from the last pressure, moved to the new columns. [`Mask`] clears it where there is no unknown any more:
//! air has no pressure, and the matrix relies on that.

mod cpu;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// Samples of the finest level, and where its diagonal lies.
    pub struct MaskParams {
        /// Samples.
        pub len: u32,
        /// First diagonal in `cells`.
        pub diagonal_at: u32,
    }
}

kernel! {
    /// `q = 0` outside the unknowns.
    pub struct Mask slices MaskSlices = "tall.mask" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/mask.wgsl")), entry: "mask",
        workgroup: [256, 1, 1],
        params: MaskParams,
        cpu: cpu::mask,
        read cells: f32,
        write q: f32,
    }
}
