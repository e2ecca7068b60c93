//! What is where: the level set, the ground, obstacles.

use glam::{Vec3, Vec4};
use thalweg_solids::packed;

use super::TraceParams;
use super::march::Kind;
use crate::constants::scene::{DEEP, OVER_GROUND, OVER_WATER};

/// The state and the parameters, as vectors.
pub(super) struct World<'a> {
    pub(super) p: &'a TraceParams,
    pub(super) water: &'a [f32],
    /// Per column: height of the ground, wetness, foam, and the surface of a height field or the top of the tall cell.
    pub(super) ground: &'a [[f32; 4]],
    pub(super) obstacles: &'a [f32],
    pub(super) distances: &'a [f32],
    pub(super) field: &'a [f32],
    pub(super) sky: &'a [[f32; 4]],
    pub(super) eye: Vec3,
    pub(super) forward: Vec3,
    pub(super) sun: Vec3,
    pub(super) sunlight: Vec3,
    pub(super) skylight: Vec3,
    pub(super) absorb: Vec3,
    /// Radiance of deep water.
    pub(super) body: Vec3,
    /// Far corner of the block.
    pub(super) high: Vec3,
    /// Values of the level set across a cell. Thin domains have one value across, whatever the lattice is.
    pub(super) values_per_cell: Vec3,
}

impl World<'_> {
    /// The level set at a point, cells; negative in water.
    #[inline(always)]
    pub(super) fn water_at(&self, q: Vec3) -> f32 {
        if self.p.height_field != 0 {
            return (q.y - self.ground_at(q).w) * OVER_WATER;
        }
        let p = self.p;
        lattice(self.water, [p.lattice_x, p.lattice_y, p.lattice_z], q * self.values_per_cell - 0.5) / p.per_cell
    }

    /// The field that a cut shows.
    pub(super) fn field_at(&self, q: Vec3) -> f32 {
        lattice(self.field, [self.p.nx, self.p.field_y, self.p.nz], q - 0.5)
    }

    /// What `ground` holds, between columns.
    #[inline(always)]
    pub(super) fn ground_at(&self, q: Vec3) -> Vec4 {
        let (nx, nz) = (self.p.nx, self.p.nz);
        let (x, z) = ((q.x - 0.5).clamp(0.0, (nx - 1) as f32), (q.z - 0.5).clamp(0.0, (nz - 1) as f32));
        let (i, k) = (x as u32, z as u32);
        let (fx, fz) = (x - i as f32, z - k as f32);
        let (i1, k1) = ((i + 1).min(nx - 1), (k + 1).min(nz - 1));
        let at = |i: u32, k: u32| Vec4::from(self.ground[(i + nx * k) as usize]);
        let front = at(i, k) * (1.0 - fx) + at(i1, k) * fx;
        let back = at(i, k1) * (1.0 - fx) + at(i1, k1) * fx;
        front * (1.0 - fz) + back * fz
    }

    /// Distance to the ground, or less.
    #[inline(always)]
    pub(super) fn over_ground(&self, q: Vec3) -> f32 {
        (q.y - self.ground_at(q).x) * OVER_GROUND
    }

    /// Distance to the nearest solid, or less, and what it is.
    pub(super) fn solid_at(&self, q: Vec3) -> (f32, Kind) {
        let mut nearest = (self.over_ground(q), Kind::Ground);
        for at in 0..self.p.obstacle_count as usize {
            let words = &self.obstacles[packed::WORDS * at..][..packed::WORDS];
            let [low, high] = packed::corners(words).map(Vec3::from);
            let to_box = (low - q).max(q - high).max(Vec3::ZERO).length();
            if to_box >= nearest.0 {
                continue;
            }
            let distance = self.distance_to(at, q);
            if distance < nearest.0 {
                nearest = (distance, Kind::Obstacle);
            }
        }
        nearest
    }

    /// Unit vector out of what was met.
    #[inline(always)]
    pub(super) fn normal(&self, q: Vec3, kind: Kind, body: usize) -> Vec3 {
        match kind {
            // The normal of the sea is that of its waves.
            Kind::Water if self.sea_share(q) >= 1.0 => Vec3::Y,
            // As wide as a value of the level set: facets between values do not show.
            Kind::Water => gradient(q, 1.0 / self.p.per_cell, |q| self.water_at(q)),
            Kind::Obstacle => {
                let mut sum = 0.0;
                let normal = gradient(q, 0.05, |q| {
                    let distance = self.distance_to(body, q);
                    sum += distance;
                    distance
                });
                // The top of the block cuts it: what is seen is the cut.
                if sum < -6.0 * DEEP { Vec3::Y } else { normal }
            }
            _ => {
                let along = |e: Vec3| self.ground_at(q - e).x - self.ground_at(q + e).x;
                Vec3::new(along(Vec3::X * 0.5), 1.0, along(Vec3::Z * 0.5)).normalize()
            }
        }
    }
}

#[inline(always)]
fn gradient(q: Vec3, h: f32, mut value: impl FnMut(Vec3) -> f32) -> Vec3 {
    let mut along = |e: Vec3| value(q + e) - value(q - e);
    let g = Vec3::new(along(Vec3::X * h), along(Vec3::Y * h), along(Vec3::Z * h));
    let length = g.length();
    if length > 1e-6 { g / length } else { Vec3::Y }
}

/// Trilinear between values at whole places, y fastest; beyond the ends the last one counts, above grows with the
/// distance.
#[inline(always)]
fn lattice(values: &[f32], [nx, ny, nz]: [u32; 3], at: Vec3) -> f32 {
    let last = Vec3::new((nx - 1) as f32, (ny - 1) as f32, (nz - 1) as f32);
    let inside = at.clamp(Vec3::ZERO, last);
    let (i, j, k) = (inside.x as u32, (inside.y as u32).min(ny.max(2) - 2), inside.z as u32);
    let share = inside - Vec3::new(i as f32, j as f32, k as f32);
    let (i1, k1) = ((i + 1).min(nx - 1), (k + 1).min(nz - 1));
    let up = |i: u32, k: u32| {
        let first = (j + ny * (i + nx * k)) as usize;
        let low = values[first];
        low + (values[first + usize::from(ny > 1)] - low) * share.y
    };
    let front = up(i, k) + (up(i1, k) - up(i, k)) * share.x;
    let back = up(i, k1) + (up(i1, k1) - up(i, k1)) * share.x;
    front + (back - front) * share.z + (at.y - last.y).max(0.0)
}
