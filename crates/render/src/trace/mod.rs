//! Rays from the eye through the block of water and ground to what lights them.
//!
//! Lengths are in cells from the low corner of the domain: columns `i…i+1` by `k…k+1`, y from the lowest ground. A ray
//! goes through air and water in turn; at every surface most of it is refracted and followed, what is reflected towards
//! the eye is looked up once. Solids are lit by the sun, through water if it is there, and by the sky. [`Trace`] takes
//! one ray per pixel, [`Refine`] more where neighbours differ.

mod bodies;
mod cpu;
mod light;
mod march;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod scene;
mod shade;
mod slice;
#[cfg(test)]
mod tests;
mod tiles;
mod waves;

use thalweg_compute::{kernel, uniform};

pub(crate) use crate::constants::mode;

uniform! {
    /// Camera, light and materials.
    pub struct TraceParams {
        /// Pixels across.
        pub width: u32,
        /// Pixels down.
        pub height: u32,
        /// Rays of a pixel where neighbours differ.
        pub samples: u32,
        /// What is shown.
        pub mode: u32,
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Values of the level set along x.
        pub lattice_x: u32,
        /// Values of the level set up.
        pub lattice_y: u32,
        /// Values of the level set along z.
        pub lattice_z: u32,
        /// Values of the level set along the edge of a cell.
        pub per_cell: f32,
        /// Cells of the field up.
        pub field_y: u32,
        /// 1 if the water is a height field, whose surface stands in `ground`.
        pub height_field: u32,
        /// Obstacles.
        pub obstacle_count: u32,
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
        /// Height of the block, unless the water is a height field.
        pub top: f32,
        /// End of the block along z: that of the columns, or a cut.
        pub end_z: f32,
        /// Unit vector to the sun.
        pub sun_x: f32,
        /// See `sun_x`.
        pub sun_y: f32,
        /// See `sun_x`.
        pub sun_z: f32,
        /// Irradiance of the sun, red.
        pub sunlight_r: f32,
        /// Green.
        pub sunlight_g: f32,
        /// Blue.
        pub sunlight_b: f32,
        /// Mean radiance of the sky, red.
        pub skylight_r: f32,
        /// Green.
        pub skylight_g: f32,
        /// Blue.
        pub skylight_b: f32,
        /// Absorption of water per cell, red.
        pub absorb_r: f32,
        /// Green.
        pub absorb_g: f32,
        /// Blue.
        pub absorb_b: f32,
        /// Share of the light that deep water sends back, red.
        pub body_r: f32,
        /// Green.
        pub body_g: f32,
        /// Blue.
        pub body_b: f32,
        /// Colour of the ground, red.
        pub ground_r: f32,
        /// Green.
        pub ground_g: f32,
        /// Blue.
        pub ground_b: f32,
        /// Colour of obstacles, red.
        pub obstacle_r: f32,
        /// Green.
        pub obstacle_g: f32,
        /// Blue.
        pub obstacle_b: f32,
        /// Edge of the tiles on the ground; 0: none.
        pub tile: f32,
        /// Half the width of the lines along the edges of the block; 0: none.
        pub edge: f32,
        /// Value at the low end of the field's colours.
        pub field_low: f32,
        /// Value at their high end.
        pub field_high: f32,
        /// What radiances are multiplied with before tones are mapped.
        pub exposure: f32,
        /// Tiles of waves; 0: none. They lie in `field`, which only cuts use otherwise.
        pub waves: u32,
        /// Points along the side of a tile.
        pub wave_points: u32,
        /// Strength of the waves on simulated water.
        pub texture: f32,
        /// 1 if the sea goes on beyond the block.
        pub far: u32,
        /// Level of the still sea.
        pub sea: f32,
        /// Height of the highest waves over it.
        pub crests: f32,
        /// Width of a pixel at distance 1.
        pub pixel: f32,
    }
}

kernel! {
    /// One ray through the middle of every pixel: radiance, and distance along the axis of the camera.
    pub struct Trace slices TraceSlices = "render.trace" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/trace.wgsl")), entry: "trace",
        workgroup: [256, 1, 1],
        params: TraceParams,
        cpu: cpu::trace,
        read water: f32,
        read ground: [f32; 4],
        read obstacles: f32,
        read distances: f32,
        read field: f32,
        read sky: [f32; 4],
        read list: u32,
        write image: [f32; 4],
    }
}

kernel! {
    /// More rays for the pixels that are listed, as sums in `image`; see [`ListEdges`](crate::edges::ListEdges).
    pub struct Refine slices RefineSlices = "render.refine" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/trace.wgsl")), entry: "refine",
        workgroup: [256, 1, 1],
        params: TraceParams,
        cpu: cpu::refine,
        read water: f32,
        read ground: [f32; 4],
        read obstacles: f32,
        read distances: f32,
        read field: f32,
        read sky: [f32; 4],
        read list: u32,
        write image: [f32; 4],
    }
}
