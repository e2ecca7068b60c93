//! Shapes of solids.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The shape of a solid where it stands. World coordinates `[x, y, z]`, m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "lowercase")]
pub enum Solid {
    /// A box along the axes.
    Box {
        /// Low corner.
        min: [f64; 3],
        /// High corner.
        max: [f64; 3],
    },
    /// A sphere.
    Sphere {
        /// Its middle.
        center: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// All that is no further than `radius` from the line between the ends.
    Capsule {
        /// Ends of the line.
        ends: [[f64; 3]; 2],
        /// Radius around it.
        radius: f64,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Middles of its ends.
        ends: [[f64; 3]; 2],
        /// Its radius.
        radius: f64,
    },
    /// A cone with flat ends; a radius of 0 makes a tip.
    Cone {
        /// Middles of its ends.
        ends: [[f64; 3]; 2],
        /// Radii at its ends, not both 0.
        radii: [f64; 2],
    },
    /// What a closed surface encloses.
    Mesh {
        /// The surface, scaled and turned, m.
        mesh: Arc<TriangleMesh>,
        /// Where its origin is.
        position: [f64; 3],
    },
}

impl Solid {
    /// Corners of a box around it, m.
    #[must_use]
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let (ends, radii) = match self {
            Self::Box { min, max } => return [*min, *max],
            Self::Mesh { mesh, position } => {
                return mesh.bounds().map(|corner| std::array::from_fn(|axis| corner[axis] + position[axis]));
            }
            Self::Sphere { center, radius } => ([*center; 2], [*radius; 2]),
            Self::Capsule { ends, radius } | Self::Cylinder { ends, radius } => (*ends, [*radius; 2]),
            Self::Cone { ends, radii } => (*ends, *radii),
        };
        let corner = |sign: f64, choose: fn(f64, f64) -> f64| {
            std::array::from_fn(|axis| choose(ends[0][axis] + sign * radii[0], ends[1][axis] + sign * radii[1]))
        };
        [corner(-1.0, f64::min), corner(1.0, f64::max)]
    }

    /// The same shape elsewhere.
    #[must_use]
    pub fn moved(self, way: [f64; 3]) -> Self {
        let moved = |p: [f64; 3]| std::array::from_fn(|axis| p[axis] + way[axis]);
        match self {
            Self::Box { min, max } => Self::Box { min: moved(min), max: moved(max) },
            Self::Sphere { center, radius } => Self::Sphere { center: moved(center), radius },
            Self::Capsule { ends, radius } => Self::Capsule { ends: ends.map(moved), radius },
            Self::Cylinder { ends, radius } => Self::Cylinder { ends: ends.map(moved), radius },
            Self::Cone { ends, radii } => Self::Cone { ends: ends.map(moved), radii },
            Self::Mesh { mesh, position } => Self::Mesh { mesh, position: moved(position) },
        }
    }

    /// Memory that a mesh takes, bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Mesh { mesh, .. } => 24 * mesh.vertices.len() as u64 + 12 * mesh.triangles.len() as u64,
            _ => 0,
        }
    }

    /// The point that a path is about.
    #[must_use]
    pub fn middle(&self) -> [f64; 3] {
        match self {
            Self::Mesh { position, .. } => *position,
            Self::Capsule { ends: [a, b], .. }
            | Self::Cylinder { ends: [a, b], .. }
            | Self::Cone { ends: [a, b], .. } => std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis])),
            _ => {
                let [low, high] = self.bounds();
                std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]))
            }
        }
    }
}

/// A closed surface of triangles, wound so that their fronts look outwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TriangleMesh {
    /// Corners; y is up.
    pub vertices: Vec<[f64; 3]>,
    /// Numbers of corners.
    pub triangles: Vec<[u32; 3]>,
    /// Whether they looked inwards in the file and were turned.
    pub was_inside_out: bool,
}

impl TriangleMesh {
    /// The volume inside; negative if triangles look inwards.
    #[must_use]
    pub fn volume(&self) -> f64 {
        // Seen from a corner of the mesh: far from the origin the terms would cancel.
        let [low, _] = self.bounds();
        let corner = |n: u32| {
            let v = self.vertices[n as usize];
            [v[0] - low[0], v[1] - low[1], v[2] - low[2]]
        };
        let part = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(corner);
            a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        self.triangles.iter().map(part).sum::<f64>() / 6.0
    }

    /// Corners of the box around it.
    #[must_use]
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let start = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        self.vertices.iter().fold(start, |[low, high], v| {
            [std::array::from_fn(|a| v[a].min(low[a])), std::array::from_fn(|a| v[a].max(high[a]))]
        })
    }

    /// Scaled, then turned around x, y and z by degrees.
    #[must_use]
    pub fn placed(mut self, scale: f64, degrees: [f64; 3]) -> Self {
        let turns = degrees.map(|angle| angle.to_radians().sin_cos());
        for vertex in &mut self.vertices {
            *vertex = vertex.map(|v| v * scale);
            for (axis, (sine, cosine)) in turns.into_iter().enumerate() {
                let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
                (vertex[b], vertex[c]) = (cosine * vertex[b] - sine * vertex[c], sine * vertex[b] + cosine * vertex[c]);
            }
        }
        self
    }
}
