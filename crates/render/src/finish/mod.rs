//! From radiance to pixels: spray over the picture, tones mapped, 8 bits.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// The picture.
    pub struct FinishParams {
        /// Pixels.
        pub pixels: u32,
        /// What radiances are multiplied with.
        pub exposure: f32,
        /// Radiance of spray, red.
        pub spray_r: f32,
        /// Green.
        pub spray_g: f32,
        /// Blue.
        pub spray_b: f32,
    }
}

kernel! {
    /// Pixels as bytes red, green, blue, 255.
    pub struct Finish slices FinishSlices = "render.finish" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/finish.wgsl")), entry: "finish",
        workgroup: [256, 1, 1],
        params: FinishParams,
        cpu: cpu::finish,
        read image: [f32; 4],
        read spray: u32,
        write pixels: u32,
    }
}
