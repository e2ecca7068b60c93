//! Shapes around the origin, with their axes along y, m.

use std::sync::Arc;

use thalweg_bodies::{Solid, TriangleMesh};

pub(crate) fn block(half: [f64; 3]) -> Solid {
    Solid::Box { min: half.map(|h| -h), max: half }
}

pub(crate) fn ball(radius: f64) -> Solid {
    Solid::Sphere { center: [0.0; 3], radius }
}

pub(crate) fn capsule(half_length: f64, radius: f64) -> Solid {
    Solid::Capsule { ends: ends(half_length), radius }
}

pub(crate) fn cylinder(half_length: f64, radius: f64) -> Solid {
    Solid::Cylinder { ends: ends(half_length), radius }
}

pub(crate) fn cone(half_length: f64, radii: [f64; 2]) -> Solid {
    Solid::Cone { ends: ends(half_length), radii }
}

pub(crate) fn mesh(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Solid {
    Solid::Mesh { mesh: Arc::new(TriangleMesh { vertices, triangles, was_inside_out: false }), position: [0.0; 3] }
}

fn ends(half_length: f64) -> [[f64; 3]; 2] {
    [[0.0, -half_length, 0.0], [0.0, half_length, 0.0]]
}
