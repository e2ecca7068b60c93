//! Shapes of bodies, and what is wrong with them.

use serde::{Deserialize, Serialize};
use thalweg_model::{Body, PartShape, Pose, Solid};

use crate::error::BodyError;
use crate::polyhedron::{self, Surface};
use crate::world::hull;

/// Largest size of a shape and distance of its points from the origin of its frame, m.
pub(crate) const LARGEST: f64 = 1e5;

/// Smallest volume, m³: a cube of a millimetre. Less is lost in single precision.
pub(crate) const SMALLEST_VOLUME: f64 = 1e-9;

const MOST_POINTS: usize = 1 << 20;
const MOST_TRIANGLES: usize = 1 << 22;
const MOST_PARTS: usize = 4096;

/// A solid in its own frame; axes of round shapes are along y. m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Shape {
    /// A box around the origin.
    Box {
        /// Half its edges.
        half: [f64; 3],
    },
    /// A sphere around the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// All that is no further than `radius` from the line between y = ±`half_length`.
    Capsule {
        /// Half the line.
        half_length: f64,
        /// Radius around it.
        radius: f64,
    },
    /// A cylinder with flat ends at y = ±`half_length`.
    Cylinder {
        /// Half its length.
        half_length: f64,
        /// Its radius.
        radius: f64,
    },
    /// A cone with flat ends at y = ±`half_length`.
    Cone {
        /// Half its length.
        half_length: f64,
        /// Radii at the low and the high end; one of them may be 0.
        radii: [f64; 2],
    },
    /// The convex hull of points.
    Hull {
        /// The points.
        points: Vec<[f64; 3]>,
    },
    /// What a closed surface encloses.
    Mesh {
        /// Corners.
        vertices: Vec<[f64; 3]>,
        /// Numbers of corners, counter-clockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// Several shapes as one. Where parts overlap, their masses add.
    Compound {
        /// The parts and where they are.
        parts: Vec<(Shape, Pose)>,
    },
}

impl Shape {
    /// A solid of the vocabulary in a frame of its own, and where that is.
    pub fn of(solid: &Solid) -> (Self, Pose) {
        match solid {
            Solid::Box { min, max } => {
                let half = std::array::from_fn(|axis| 0.5 * (max[axis] - min[axis]));
                (Self::Box { half }, Pose::at(std::array::from_fn(|axis| 0.5 * (max[axis] + min[axis]))))
            }
            Solid::Sphere { center, radius } => (Self::Sphere { radius: *radius }, Pose::at(*center)),
            Solid::Capsule { ends, radius } => {
                let (half_length, pose) = along(*ends);
                (Self::Capsule { half_length, radius: *radius }, pose)
            }
            Solid::Cylinder { ends, radius } => {
                let (half_length, pose) = along(*ends);
                (Self::Cylinder { half_length, radius: *radius }, pose)
            }
            Solid::Cone { ends, radii } => {
                let (half_length, pose) = along(*ends);
                (Self::Cone { half_length, radii: *radii }, pose)
            }
            Solid::Mesh { mesh, position } => {
                let shape = Self::Mesh { vertices: mesh.vertices.clone(), triangles: mesh.triangles.clone() };
                (shape, Pose::at(*position))
            }
        }
    }

    /// The parts of a body as one shape in its frame.
    pub fn of_body(body: &Body) -> Self {
        let parts = body.parts.iter().map(|part| {
            let (shape, inner) = match &part.shape {
                PartShape::Solid(solid) => Self::of(solid),
                PartShape::Hull { points } => (Self::Hull { points: points.clone() }, Pose::default()),
            };
            (shape, part.pose.of(&inner))
        });
        let mut parts: Vec<_> = parts.collect();
        let is_simple = matches!(parts.as_slice(), [(_, pose)] if *pose == Pose::default());
        match parts.pop() {
            Some((shape, _)) if is_simple => shape,
            last => Self::Compound { parts: parts.into_iter().chain(last).collect() },
        }
    }

    /// Corners and triangles of the convex hull of points, counter-clockwise seen from outside.
    pub fn convex_hull(points: &[[f64; 3]]) -> Result<Surface, BodyError> {
        Self::Hull { points: points.to_vec() }.check()?;
        hull(points)
    }

    /// What is wrong with the sizes, if anything.
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let size = |what: &'static str, value: f64| {
            if value > 0.0 && value <= LARGEST { Ok(()) } else { Err(BodyError::Size { what, value }) }
        };
        match self {
            Self::Box { half } => half.iter().try_for_each(|h| size("edge of the box", 2.0 * h)),
            Self::Sphere { radius } => size("radius of the sphere", *radius),
            Self::Capsule { half_length, radius } => {
                size("length of the capsule", 2.0 * half_length)?;
                size("radius of the capsule", *radius)
            }
            Self::Cylinder { half_length, radius } => {
                size("length of the cylinder", 2.0 * half_length)?;
                size("radius of the cylinder", *radius)
            }
            Self::Cone { half_length, radii } => {
                size("length of the cone", 2.0 * half_length)?;
                size("larger radius of the cone", radii[0].max(radii[1]))?;
                let least = radii[0].min(radii[1]);
                // `max` and `min` ignore a NaN if the other radius is a number.
                if least >= 0.0 && radii.iter().all(|r| r.is_finite()) {
                    Ok(())
                } else {
                    Err(BodyError::Size { what: "smaller radius of the cone", value: least })
                }
            }
            Self::Hull { points } => {
                count("points", points.len(), MOST_POINTS)?;
                check_points(points)?;
                if polyhedron::is_flat(points) {
                    return Err(BodyError::FlatHull { points: points.len() });
                }
                Ok(())
            }
            Self::Mesh { vertices, triangles } => {
                count("corners", vertices.len(), MOST_POINTS)?;
                count("triangles", triangles.len(), MOST_TRIANGLES)?;
                check_points(vertices)?;
                let is_there = |t: &[u32; 3]| t.iter().all(|n| (*n as usize) < vertices.len());
                if let Some(triangle) = triangles.iter().position(|t| !is_there(t)) {
                    return Err(BodyError::Triangle { triangle });
                }
                polyhedron::check_closed(triangles)
            }
            Self::Compound { parts } => {
                count("parts", parts.len(), MOST_PARTS)?;
                if parts.is_empty() {
                    return Err(BodyError::NoParts);
                }
                parts.iter().try_for_each(|(shape, pose)| match shape {
                    Self::Compound { .. } => Err(BodyError::Nested),
                    _ if !pose.is_good() => Err(BodyError::Pose),
                    _ if pose.position.iter().any(|v| v.abs() > LARGEST) => {
                        Err(BodyError::Size { what: "distance of a part", value: pose.position[0] })
                    }
                    _ => shape.check(),
                })
            }
        }
    }

    /// Its parts, in its own frame.
    pub(crate) fn parts(&self) -> Vec<(&Self, Pose)> {
        match self {
            Self::Compound { parts } => parts.iter().map(|(shape, pose)| (shape, *pose)).collect(),
            simple => vec![(simple, Pose::default())],
        }
    }

    /// Radius of a sphere around a point that holds the whole shape, m.
    pub(crate) fn radius_around(&self, centre: [f64; 3]) -> f64 {
        let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        let of_part = |(shape, pose): (&Self, Pose)| {
            let to = |p: [f64; 3]| {
                let p = pose.point(p);
                length([p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]])
            };
            let farthest = |points: &[[f64; 3]]| points.iter().map(|p| to(*p)).fold(0.0, f64::max);
            match shape {
                Self::Box { half } => to([0.0; 3]) + length(*half),
                Self::Sphere { radius } => to([0.0; 3]) + radius,
                Self::Capsule { half_length, radius } => to([0.0; 3]) + half_length + radius,
                Self::Cylinder { half_length, radius } => to([0.0; 3]) + half_length.hypot(*radius),
                Self::Cone { half_length, radii } => to([0.0; 3]) + half_length.hypot(radii[0].max(radii[1])),
                Self::Hull { points } => farthest(points),
                Self::Mesh { vertices, .. } => farthest(vertices),
                Self::Compound { .. } => 0.0, // `check` lets none be here
            }
        };
        self.parts().into_iter().map(of_part).fold(0.0, f64::max)
    }
}

/// Half the length of an axis, and the frame whose y is along it.
fn along([a, b]: [[f64; 3]; 2]) -> (f64, Pose) {
    let axis: [f64; 3] = std::array::from_fn(|n| b[n] - a[n]);
    let length = axis.iter().map(|v| v * v).sum::<f64>().sqrt();
    let [x, y, z] = axis.map(|v| v / length);
    let middle = std::array::from_fn(|n| 0.5 * (a[n] + b[n]));
    // The shortest turn from y: (y × axis, 1 + y · axis). Towards −y it is not defined: half a turn around x does it.
    let pose = if y > -1.0 + 1e-12 {
        let norm = (2.0 * (1.0 + y)).sqrt();
        Pose { position: middle, rotation: [z / norm, 0.0, -x / norm, 0.5 * norm] }
    } else {
        Pose { position: middle, rotation: [1.0, 0.0, 0.0, 0.0] }
    };
    (0.5 * length, pose)
}

fn count(what: &'static str, count: usize, most: usize) -> Result<(), BodyError> {
    if count <= most { Ok(()) } else { Err(BodyError::TooMany { what, count, most }) }
}

fn check_points(points: &[[f64; 3]]) -> Result<(), BodyError> {
    match points.iter().flatten().find(|v| v.is_nan() || v.abs() > LARGEST) {
        Some(value) if value.is_finite() => Err(BodyError::Size { what: "coordinate of a point", value: *value }),
        Some(_) => Err(BodyError::NotFinite { what: "coordinate of a point" }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Pose, along};

    #[test]
    fn axes_of_any_direction_become_frames() {
        for end in [[0.0, 2.0, 0.0], [0.0, -2.0, 0.0], [2.0, 0.0, 0.0], [-1.0, -1.5, 0.4], [0.0, 0.0, -3.0]] {
            let (half, pose): (f64, Pose) = along([[1.0, 1.0, 1.0], std::array::from_fn(|n| 1.0 + end[n])]);
            for (y, wanted) in [(-half, [0.0; 3]), (half, end)] {
                let found = pose.point([0.0, y, 0.0]);
                assert!((0..3).all(|n| (found[n] - 1.0 - wanted[n]).abs() < 1e-9), "{end:?}: {found:?}");
            }
        }
    }
}
