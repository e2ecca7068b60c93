use rayon::prelude::*;

use super::{SurfaceParams, SurfaceSlices};
use crate::constants::surface::LEAST;
use crate::evolve::FIELDS;

pub(super) fn surface(p: &SurfaceParams, s: SurfaceSlices<'_>) {
    let area = (p.points * p.points) as usize;
    let count = p.tiles as usize * area;
    let points = s.moved[..count].par_iter_mut().zip(&mut s.bent[..count]).enumerate().with_min_len(1024);
    points.for_each(|(index, (moved, bent))| {
        let first = index / area * FIELDS * area + index % area;
        let [height, xz] = s.fields[first];
        let [dx, dz] = s.fields[first + area];
        let [slope_x, slope_z] = s.fields[first + 2 * area];
        let [xx, zz] = s.fields[first + 3 * area];
        let c = p.choppiness;
        let (wide_x, wide_z) = (1.0 + c * xx, 1.0 + c * zz);
        let jacobian = wide_x * wide_z - c * c * xz * xz;
        let fresh = ((p.threshold - jacobian) / p.width).clamp(0.0, 1.0);
        *moved = [c * dx, height, c * dz, (moved[3] * p.keeps).max(fresh)];
        *bent = [slope_x / wide_x.max(LEAST), slope_z / wide_z.max(LEAST), jacobian, 0.0];
    });
}
