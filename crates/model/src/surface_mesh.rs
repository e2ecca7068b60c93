//! The surface of the water as triangles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vector::{cross, dot, minus};

/// The surface of the water as triangles, counter-clockwise seen from outside: closed around three-dimensional water,
/// open over a height field.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SurfaceMesh {
    /// Places, m.
    pub vertices: Vec<[f32; 3]>,
    /// Unit vectors away from the water, one per vertex.
    pub normals: Vec<[f32; 3]>,
    /// Velocity of the water at the vertices, m/s.
    pub velocities: Vec<[f32; 3]>,
    /// Corners of triangles.
    pub triangles: Vec<[u32; 3]>,
    /// The level of the level set that was taken for the surface, so that the volume is right, m.
    pub level: f32,
}

impl SurfaceMesh {
    /// Volume inside, m³, if it is closed.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let place = |at: u32| self.vertices[at as usize].map(f64::from);
        let part = |[a, b, c]: &[u32; 3]| dot(place(*a), cross(place(*b), place(*c)));
        self.triangles.iter().map(part).sum::<f64>() / 6.0
    }

    /// Area, m².
    #[must_use]
    pub fn area(&self) -> f64 {
        let place = |at: u32| self.vertices[at as usize].map(f64::from);
        let part = |[a, b, c]: &[u32; 3]| {
            let (a, b, c) = (place(*a), place(*b), place(*c));

            let twice = cross(minus(b, a), minus(c, a));
            dot(twice, twice).sqrt()
        };
        0.5 * self.triangles.iter().map(part).sum::<f64>()
    }
}
