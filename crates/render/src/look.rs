//! How a picture looks: camera, light, materials, size.

use crate::camera::Camera;

/// How a picture looks.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Where one looks from.
    pub camera: Camera,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Rays of a pixel at edges; one is enough elsewhere.
    pub samples: u32,
    /// Azimuth of the sun from the side of large z towards large x, and elevation, degrees.
    pub sun: [f64; 2],
    /// Brightness in stops: 1 is twice as bright.
    pub exposure: f64,
    /// The water.
    pub water: WaterLook,
    /// Colour of the ground, linear red, green, blue from 0 to 1.
    pub ground: [f32; 3],
    /// Edge of the tiles on the ground, m; 0: none.
    pub tile: f64,
    /// Colour of obstacles.
    pub obstacles: [f32; 3],
    /// Whether the edges of the domain are drawn, as those of a glass tank.
    pub edges: bool,
    /// What is shown.
    pub show: Show,
}

/// What water does to light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaterLook {
    /// Absorption, 1/m, of red, green and blue.
    pub absorption: [f64; 3],
    /// Share of the light that deep water sends back.
    pub body: [f32; 3],
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Show {
    /// Water as one would see it.
    Water,
    /// The cells in a vertical cut at a z of the world, m, tall cells below an orange line.
    Cells {
        /// Where the cut is.
        z: f64,
    },
    /// A field in the same cut.
    Field {
        /// Where the cut is.
        z: f64,
        /// Values at the ends of the colours.
        range: [f32; 2],
    },
}
