//! Drops as discs in the picture, hidden by what is nearer.
//!
//! The last number of a drop is its kind and its radius: 0 and a fraction is a drop of spray, 1 mist (a faint puff), 2
//! foam (a patch on the water). How much of it a pixel sees is added in fixed point, so that the order does not matter.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

pub(crate) use crate::constants::splat::ONE;
use thalweg_compute::{kernel, uniform};

uniform! {
    /// Camera and drops; see [`TraceParams`](crate::trace::TraceParams).
    pub struct SplatParams {
        /// Drops.
        pub count: u32,
        /// Pixels across.
        pub width: u32,
        /// Pixels down.
        pub height: u32,
        /// Place of the camera.
        pub eye_x: f32,
        /// Place of the camera.
        pub eye_y: f32,
        /// Place of the camera.
        pub eye_z: f32,
        /// From the middle of the picture to its right edge, at distance 1.
        pub right_x: f32,
        /// See `right_x`.
        pub right_y: f32,
        /// See `right_x`.
        pub right_z: f32,
        /// From the middle of the picture to its upper edge, at distance 1.
        pub up_x: f32,
        /// See `up_x`.
        pub up_y: f32,
        /// See `up_x`.
        pub up_z: f32,
        /// Unit vector into the picture.
        pub forward_x: f32,
        /// See `forward_x`.
        pub forward_y: f32,
        /// See `forward_x`.
        pub forward_z: f32,
    }
}

kernel! {
    /// Adds every drop (place, kind and radius, cells; an empty slot is 0) to the pixels that it covers.
    pub struct Splat slices SplatSlices = "render.splat" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/splat.wgsl")), entry: "splat",
        workgroup: [256, 1, 1],
        params: SplatParams,
        cpu: cpu::splat,
        read drops: [f32; 4],
        read image: [f32; 4],
        write spray: u32,
    }
}
