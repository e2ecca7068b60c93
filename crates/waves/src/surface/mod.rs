//! From transformed fields to the moved surface: shift, height, slopes, the Jacobian, and foam where it folds.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::{kernel, uniform};

/// Where crests become white.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foam {
    /// Foam begins where a small square of the surface keeps less than this of its area. Default 0.5; 0 and less:
    /// hardly any.
    pub threshold: f64,
    /// It is white where this much less is kept. Default 0.3.
    pub width: f64,
    /// Time in which it fades to a third, s. Default 4.
    pub decay: f64,
}

impl Default for Foam {
    fn default() -> Self {
        Self { threshold: 0.5, width: 0.3, decay: 4.0 }
    }
}

uniform! {
    /// All tiles.
    pub struct SurfaceParams {
        /// Points along the side of a tile.
        pub points: u32,
        /// Tiles.
        pub tiles: u32,
        /// Horizontal displacement of points (choppiness), 0 to 1.3.
        pub choppiness: f32,
        /// See [`Foam::threshold`].
        pub threshold: f32,
        /// See [`Foam::width`].
        pub width: f32,
        /// What foam keeps.
        pub keeps: f32,
    }
}

kernel! {
    /// Per point `moved`: shift along x, height, shift along z, foam; `bent`: slopes along x and z, Jacobian, nothing.
    pub struct Surface slices SurfaceSlices = "waves.surface" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/surface.wgsl")), entry: "surface",
        workgroup: [256, 1, 1],
        params: SurfaceParams,
        cpu: cpu::surface,
        read fields: [f32; 2],
        write moved: [f32; 4],
        write bent: [f32; 4],
    }
}
