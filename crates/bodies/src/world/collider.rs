//! Shapes as the contact library takes them.

use rapier3d::math::Vector;
use rapier3d::parry::transformation::vhacd::VHACDParameters;
use rapier3d::prelude::{SharedShape, TriMeshFlags};
use thalweg_model::Pose;

use crate::error::BodyError;
use crate::polyhedron;
use crate::shape::Shape;

/// Corners of the circles that stand for the ends of a cone.
const CORNERS: usize = 32;

/// A mesh whose hull is at most this much larger touches others with its hull.
const CONVEX: f64 = 1.05;

/// Contact surfaces of a shape and where they are in its frame. A `fixed` mesh is its triangles. One that moves is split
/// into convex pieces: between two surfaces without an inside, contacts let bodies through.
pub(crate) fn contacts(shape: &Shape, fixed: bool) -> Result<Vec<(SharedShape, Pose)>, BodyError> {
    shape.parts().into_iter().map(|(part, pose)| Ok((contact(part, fixed)?, pose))).collect()
}

fn contact(shape: &Shape, fixed: bool) -> Result<SharedShape, BodyError> {
    Ok(match shape {
        Shape::Box { half: [x, y, z] } => SharedShape::cuboid(*x as f32, *y as f32, *z as f32),
        Shape::Sphere { radius } => SharedShape::ball(*radius as f32),
        Shape::Capsule { half_length, radius } => SharedShape::capsule_y(*half_length as f32, *radius as f32),
        Shape::Cylinder { half_length, radius } => SharedShape::cylinder(*half_length as f32, *radius as f32),
        Shape::Cone { half_length, radii } => hull("cone", &rings(*half_length, *radii))?,
        Shape::Hull { points } => hull("hull", points)?,
        Shape::Mesh { vertices, triangles } => mesh(vertices, triangles, fixed)?,
        Shape::Compound { .. } => return Err(BodyError::Nested),
    })
}

fn singles(points: &[[f64; 3]]) -> Vec<Vector> {
    points.iter().map(|p| Vector::new(p[0] as f32, p[1] as f32, p[2] as f32)).collect()
}

fn hull(what: &'static str, points: &[[f64; 3]]) -> Result<SharedShape, BodyError> {
    let failed = || BodyError::Contact { what, why: "its convex hull has no inside".to_owned() };
    SharedShape::convex_hull(&singles(points)).ok_or_else(failed)
}

/// Corners around a cone; those of an end without radius are one tip.
fn rings(half_length: f64, radii: [f64; 2]) -> Vec<[f64; 3]> {
    let ring = |y: f64, radius: f64| {
        let corners = if radius > 0.0 { CORNERS } else { 1 };
        (0..corners).map(move |n| {
            let (sine, cosine) = libm::sincos(std::f64::consts::TAU * n as f64 / CORNERS as f64);
            [radius * cosine, y, radius * sine]
        })
    };
    ring(-half_length, radii[0]).chain(ring(half_length, radii[1])).collect()
}

fn mesh(vertices: &[[f64; 3]], triangles: &[[u32; 3]], fixed: bool) -> Result<SharedShape, BodyError> {
    let points = singles(vertices);
    if fixed {
        let flags = TriMeshFlags::ORIENTED | TriMeshFlags::FIX_INTERNAL_EDGES;
        return SharedShape::trimesh_with_flags(points, triangles.to_vec(), flags)
            .map_err(|error| BodyError::Contact { what: "mesh", why: error.to_string() });
    }
    if polyhedron::is_flat(vertices) {
        return Err(BodyError::FlatHull { points: vertices.len() });
    }
    let (corners, faces) = super::hull(vertices)?;
    let volume = polyhedron::moments(vertices, triangles).volume;
    if polyhedron::moments(&corners, &faces).volume <= CONVEX * volume {
        return hull("mesh", vertices);
    }
    let pieces = SharedShape::convex_decomposition_with_params(&points, triangles, &VHACDParameters::default());
    match pieces.as_compound().map(|compound| compound.shapes().len()) {
        Some(0) | None => hull("mesh", vertices),
        Some(_) => Ok(pieces),
    }
}
