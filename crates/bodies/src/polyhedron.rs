//! Volumes and moments of what triangles enclose, by the divergence theorem.

use std::collections::HashMap;

use glam::{DMat3, DVec3};

use crate::error::BodyError;

/// Thickness of a hull, in parts of its size, below which it is flat: in single precision it is a plane.
const FLAT: f64 = 1e-4;

/// Corners, and triangles between them.
pub type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// Moments of a solid of density 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    pub(crate) volume: f64,
    pub(crate) centre: DVec3,
    /// Inertia about the centre.
    pub(crate) inertia: DMat3,
}

/// Moments of the inside of a closed surface; the volume is negative if triangles look inwards.
pub(crate) fn moments(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Moments {
    // Tetrahedra are seen from a corner: far from the origin the terms would cancel.
    let base = vertices.first().map_or(DVec3::ZERO, |v| DVec3::from(*v));
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|n| DVec3::from(vertices[n as usize]) - base);
        let six = a.dot(b.cross(c));
        let sum = a + b + c;
        volume += six / 6.0;
        first += sum * (six / 24.0);
        second += (outer(a) + outer(b) + outer(c) + outer(sum)) * (six / 120.0);
    }
    let centre = if volume == 0.0 { DVec3::ZERO } else { first / volume };
    let about = second - outer(centre) * volume;
    let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
    Moments { volume, centre: base + centre, inertia: DMat3::from_diagonal(DVec3::splat(trace)) - about }
}

/// `v vᵀ`.
pub(crate) fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Every edge must be used as often in one direction as in the other.
pub(crate) fn check_closed(triangles: &[[u32; 3]]) -> Result<(), BodyError> {
    let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            if from < to {
                *edges.entry([from, to]).or_default() += 1;
            } else if to < from {
                *edges.entry([to, from]).or_default() -= 1;
            }
        }
    }
    match edges.values().filter(|balance| **balance != 0).count() {
        0 if triangles.is_empty() => Err(BodyError::TooSmall { volume: 0.0 }),
        0 => Ok(()),
        open_edges => Err(BodyError::OpenMesh { open_edges }),
    }
}

/// Whether points lie in a plane, or nearly so.
pub(crate) fn is_flat(points: &[[f64; 3]]) -> bool {
    let Some(a) = points.first().map(|p| DVec3::from(*p)) else { return true };
    let farthest = |distance: &dyn Fn(DVec3) -> f64| {
        let far = points.iter().map(|p| (distance(DVec3::from(*p)), DVec3::from(*p)));
        far.fold((0.0, a), |best, next| if next.0 > best.0 { next } else { best })
    };
    let (size, b) = farthest(&|p| (p - a).length());
    if size == 0.0 {
        return true;
    }
    let along = (b - a) / size;
    let (width, c) = farthest(&|p| (p - a).reject_from_normalized(along).length());
    if width <= FLAT * size {
        return true;
    }
    let normal = along.cross((c - a).reject_from_normalized(along) / width);
    farthest(&|p| (p - a).dot(normal).abs()).0 <= FLAT * size
}
