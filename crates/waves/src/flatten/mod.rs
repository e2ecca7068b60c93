//! The moved surface over places that do not move: what is above a point of a tile, seen from above.
//!
//! Finds the point at rest that is now above a place by four steps `x ← x' − λD(x)`; each tile by itself. Slopes are
//! turned into the axes of the world.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// All tiles, and how they lie in the world.
    pub struct FlattenParams {
        /// Points along the side of a tile.
        pub points: u32,
        /// Tiles.
        pub tiles: u32,
        /// First word of the tiles in the output.
        pub head: u32,
        /// Points per metre of the first tile.
        pub per_metre_0: f32,
        /// The same of the second.
        pub per_metre_1: f32,
        /// The same of the third.
        pub per_metre_2: f32,
        /// The same of the fourth.
        pub per_metre_3: f32,
        /// Cosine of the angle of the first tile.
        pub cos_0: f32,
        /// The same of the second.
        pub cos_1: f32,
        /// The same of the third.
        pub cos_2: f32,
        /// The same of the fourth.
        pub cos_3: f32,
        /// Sine of the angle of the first tile.
        pub sin_0: f32,
        /// The same of the second.
        pub sin_1: f32,
        /// The same of the third.
        pub sin_2: f32,
        /// The same of the fourth.
        pub sin_3: f32,
    }
}

kernel! {
    /// Per point of a tile: height, slopes along x and z of the world, foam.
    pub struct Flatten slices FlattenSlices = "waves.flatten" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/flatten.wgsl")), entry: "flatten",
        workgroup: [256, 1, 1],
        params: FlattenParams,
        cpu: cpu::flatten,
        read moved: [f32; 4],
        read bent: [f32; 4],
        write words: f32,
    }
}
