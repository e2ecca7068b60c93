//! Waves of an ocean: on the simulated water, and beyond the block to the horizon.
//!
//! On the simulated water the slopes of waves that no cell holds are looked up at coordinates that drift with the
//! water. Beyond the block the sea has the heights of all waves; over the first columns the level set goes from that of
//! the block to that of the sea, so that the surface has no crack. Tiles whose waves are smaller than a pixel fade, and
//! what slopes they had makes the surface rough.

use glam::Vec3;
use thalweg_waves::layout::{COLUMN, HEAD, HEAD_OF_TILE, POINT};

use super::march::reciprocal;
use super::scene::World;
use super::tiles::Sea;
use crate::constants::scene::OVER_WATER;
use crate::constants::waves::{BLEND, CALMING, LAYERS, ROUGHEST, STEEP, STEEPEST};

/// All tiles at a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ripple {
    /// Slopes along x and z.
    pub(super) slope: [f32; 2],
    /// Foam, 0 to 1.
    pub(super) foam: f32,
    /// Variance of slopes that are too fine to be seen.
    pub(super) lost: f32,
}

/// A surface with waves on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rippled {
    pub(super) normal: Vec3,
    pub(super) foam: f32,
    pub(super) lost: f32,
}

impl World<'_> {
    /// How far a place is beside the block, cells; 0 in it.
    pub(super) fn beside(&self, q: Vec3) -> f32 {
        let (x, z) = ((-q.x).max(q.x - self.high.x).max(0.0), (-q.z).max(q.z - self.high.z).max(0.0));
        (x * x + z * z).sqrt()
    }

    /// Share of the sea in the surface at a place, 0 in the block.
    pub(super) fn sea_share(&self, q: Vec3) -> f32 {
        if self.p.far == 0 {
            return 0.0;
        }
        let x = (self.beside(q) / BLEND).min(1.0);
        x * x * (3.0 - 2.0 * x)
    }

    /// Width of a pixel on level water at a distance, cells.
    pub(super) fn width(&self, t: f32, d: Vec3) -> f32 {
        t * self.p.pixel / d.y.abs().max(0.02).sqrt()
    }

    /// The tiles at a place, columns; `share`: 0 for waves that no cell holds, 1 for all.
    fn ripple(&self, at: [f32; 2], width: f32, share: f32) -> Ripple {
        let mut sum = Ripple { slope: [0.0; 2], foam: 0.0, lost: 0.0 };
        for tile in 0..self.p.waves as usize {
            let head = &self.field[HEAD_OF_TILE * tile..][..8];
            let part = head[4] + (1.0 - head[4]) * share;
            let seen = part * (2.0 - 4.0 * width / head[5]).clamp(0.0, 1.0);
            sum.lost += (part * part - seen * seen) * head[6];
            if seen <= 0.0 {
                continue;
            }
            let value = self.in_tile(tile, at);
            sum.slope[0] += seen * value(1);
            sum.slope[1] += seen * value(2);
            sum.foam = sum.foam.max(seen * value(3));
        }
        sum
    }

    /// Height of all waves over still water, cells.
    fn wave_height(&self, at: [f32; 2], width: f32) -> f32 {
        let mut sum = 0.0;
        for tile in 0..self.p.waves as usize {
            let head = &self.field[HEAD_OF_TILE * tile..][..8];
            let seen = (2.0 - 4.0 * width / head[5]).clamp(0.0, 1.0);
            if seen > 0.0 {
                sum += seen * self.in_tile(tile, at)(0) * head[7];
            }
        }
        sum
    }

    /// The words of a tile, between its points.
    #[inline(always)]
    fn in_tile(&self, tile: usize, [x, z]: [f32; 2]) -> impl Fn(usize) -> f32 {
        let (head, side) = (&self.field[HEAD_OF_TILE * tile..][..8], self.p.wave_points);
        let (u, v) = (head[0] + head[2] * x + head[3] * z, head[1] - head[3] * x + head[2] * z);
        let (u, v) = ((u - u.floor()) * side as f32, (v - v.floor()) * side as f32);
        let (i, k) = ((u as u32).min(side - 1), (v as u32).min(side - 1));
        let (fx, fz) = (u - i as f32, v - k as f32);
        let (i1, k1) = ((i + 1) & (side - 1), (k + 1) & (side - 1));
        let first = HEAD + POINT * tile * (side * side) as usize;
        let at = move |i: u32, k: u32| first + POINT * (i + side * k) as usize;
        let corners = [at(i, k), at(i1, k), at(i, k1), at(i1, k1)];
        move |n: usize| {
            let [a, b, c, d] = corners.map(|at| self.field[at + n]);
            (a * (1.0 - fx) + b * fx) * (1.0 - fz) + (c * (1.0 - fx) + d * fx) * fz
        }
    }

    /// The level set of the block and of the sea around it. `width`: of a pixel there, cells.
    #[inline(always)]
    pub(super) fn surface_at(&self, q: Vec3, width: f32) -> f32 {
        let share = self.sea_share(q);
        let mut value = 0.0;
        if share < 1.0 {
            value = self.water_at(q) * (1.0 - share);
        }
        if share > 0.0 {
            value += (q.y - self.p.sea - self.wave_height([q.x, q.z], width)) * OVER_WATER * share;
        }
        value
    }

    /// A normal of the water with waves on it.
    pub(super) fn rippled(&self, q: Vec3, normal: Vec3, width: f32) -> Rippled {
        let share = self.sea_share(q);
        let calm = self.p.texture * (1.0 - CALMING * self.ground_at(q).z.clamp(0.0, 1.0)) * (1.0 - share);
        let mut sum = Ripple { slope: [0.0; 2], foam: 0.0, lost: 0.0 };
        for layer in if calm > 0.0 { 0 } else { LAYERS }..=LAYERS {
            // The last layer is the sea itself, which does not drift.
            let [x, z, weight] = if layer == LAYERS { [0.0, 0.0, share] } else { self.drift(q, layer) };
            let weight = if layer == LAYERS { weight } else { weight * calm };
            if weight <= 0.0 {
                continue;
            }
            let part = self.ripple([q.x + x, q.z + z], width, if layer == LAYERS { 1.0 } else { 0.0 });
            sum.slope[0] += weight * part.slope[0];
            sum.slope[1] += weight * part.slope[1];
            sum.foam = sum.foam.max(weight.min(1.0) * part.foam);
            sum.lost += weight * weight * part.lost;
        }
        let base = normal * (1.0 - share) + Vec3::Y * share;
        let tilted = base - Vec3::new(sum.slope[0], 0.0, sum.slope[1]) * base.y.max(0.0);
        Rippled { normal: tilted.normalize(), foam: sum.foam, lost: sum.lost.min(ROUGHEST) }
    }

    /// Offset and weight of a layer of coordinates, between columns.
    fn drift(&self, q: Vec3, layer: usize) -> [f32; 3] {
        let (nx, nz) = (self.p.nx, self.p.nz);
        let (x, z) = ((q.x - 0.5).clamp(0.0, (nx - 1) as f32), (q.z - 0.5).clamp(0.0, (nz - 1) as f32));
        let (i, k) = (x as u32, z as u32);
        let (fx, fz) = (x - i as f32, z - k as f32);
        let (i1, k1) = ((i + 1).min(nx - 1), (k + 1).min(nz - 1));
        let side = self.p.wave_points as usize;
        let first = HEAD + POINT * self.p.waves as usize * side * side + 3 * layer;
        let at = |i: u32, k: u32, n: usize| self.field[first + COLUMN * (i + nx * k) as usize + n];
        std::array::from_fn(|n| {
            let front = at(i, k, n) * (1.0 - fx) + at(i1, k, n) * fx;
            let back = at(i, k1, n) * (1.0 - fx) + at(i1, k1, n) * fx;
            front * (1.0 - fz) + back * fz
        })
    }

    /// How a ray and the sea lie to each other. It goes away from the open sea if it is steeper than waves are, or
    /// mirrored by it: waves that waves mirror are taken to be as bright as the sky above them.
    pub(super) fn sea_on(&self, o: Vec3, d: Vec3, side: f32, width: f32) -> Sea {
        if self.p.far == 0 {
            return Sea { leaves: false, from: 0.0, to: 0.0 };
        }
        let is_mirrored = side > 0.0 && width >= 0.0 && d.y > 0.0;
        let along = |o: f32, d: f32, high: f32| {
            let (a, b) = ((-BLEND - o) * reciprocal(d), (high + BLEND - o) * reciprocal(d));
            [a.min(b), a.max(b)]
        };
        let ([a, b], [e, f]) = (along(o.x, d.x, self.high.x), along(o.z, d.z, self.high.z));
        Sea { leaves: is_mirrored || side * d.y > STEEPEST, from: a.max(e), to: b.min(f) }
    }

    /// How far a ray may go over the sea, where its level set is `f`.
    pub(super) fn sea_step(&self, t: f32, d: Vec3, f: f32) -> f32 {
        // The largest tile has the highest waves: when it is too fine to be seen the sea is level.
        let rough = (2.0 - 4.0 * self.width(t, d) / self.field[5]).clamp(0.0, 1.0);
        let steep = (-d.y).max(0.0) + STEEP * rough + 0.01;
        f / (OVER_WATER * steep)
    }
}

/// What roughness leaves of a mirror at grazing angles, beyond the 2 % that water mirrors at least (Bruneton et al.
/// 2010).
pub(super) fn dulled(share: f32, lost: f32) -> f32 {
    let sigma = lost.sqrt();
    0.02 + (share - 0.02) / (1.0 + 22.7 * sigma * sigma.sqrt())
}
