//! Convex hulls.

use glam::DVec3;
use rapier3d::math::Vector;
use rapier3d::parry::transformation::try_convex_hull;

use crate::error::BodyError;
use crate::polyhedron::Surface;

/// Corners and triangles of the convex hull of points that are not flat.
pub(crate) fn hull(points: &[[f64; 3]]) -> Result<Surface, BodyError> {
    let low = points.iter().fold(DVec3::INFINITY, |low, p| low.min(DVec3::from(*p)));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(DVec3::from(*p)));
    let middle = 0.5 * (low + high);
    let near: Vec<Vector> = points.iter().map(|p| (DVec3::from(*p) - middle).as_vec3()).collect();
    let (corners, triangles) =
        try_convex_hull(&near).map_err(|error| BodyError::Contact { what: "hull", why: error.to_string() })?;
    Ok((corners.iter().map(|p| (p.as_dvec3() + middle).to_array()).collect(), triangles))
}
