//! Light of the sky and the sun at a point.

use glam::Vec3;

use super::march::Kind;
use super::scene::World;
use crate::constants::light::{BELOW, BENDING, BEYOND, DIFFUSE, FROM_BELOW, LONGEST, SHARPNESS, SHORTEST, STEPS};
use crate::constants::scene::OVER_GROUND;
use crate::sky::{COLUMNS, ROWS};

impl World<'_> {
    /// Radiance of the sky; what looks down sees the horizon.
    #[inline(always)]
    pub(super) fn sky_at(&self, d: Vec3) -> Vec3 {
        let row = d.y.clamp(0.0, 1.0).sqrt() * (ROWS - 1) as f32;
        let (flat, sun) = ((d.x * d.x + d.z * d.z).sqrt(), (self.sun.x * self.sun.x + self.sun.z * self.sun.z).sqrt());
        let cosine = (d.x * self.sun.x + d.z * self.sun.z) / (flat * sun).max(1e-6);
        let column = (0.5 * (1.0 - cosine)).clamp(0.0, 1.0).sqrt() * (COLUMNS - 1) as f32;
        let (i, j) = ((column as usize).min(COLUMNS - 2), (row as usize).min(ROWS - 2));
        let (fx, fy) = (column - i as f32, row - j as f32);
        let at = |i: usize, j: usize| {
            let [r, g, b, _] = self.sky[i + COLUMNS * j];
            Vec3::new(r, g, b)
        };
        let low = at(i, j) * (1.0 - fx) + at(i + 1, j) * fx;
        let high = at(i, j + 1) * (1.0 - fx) + at(i + 1, j + 1) * fx;
        low * (1.0 - fy) + high * fy
    }

    /// Irradiance of the sky on a surface, and of the sunlit ground around it.
    pub(super) fn skylight_on(&self, n: Vec3) -> Vec3 {
        let up = 0.5 + 0.5 * n.y;
        let below = (self.sunlight * (self.sun.y.max(0.0) * DIFFUSE) + self.skylight) * FROM_BELOW;
        (self.skylight * up + below * (1.0 - up)) * std::f32::consts::PI
    }

    /// What comes from the sun to a point, a share per colour: solids shade it, water tints and gathers it.
    #[inline(always)]
    pub(super) fn sun_at(&self, q: Vec3) -> Vec3 {
        let is_far = self.p.far != 0;
        if is_far && self.beside(q) >= BEYOND {
            // Nothing but the sea is above.
            return exp(-self.absorb * ((self.p.sea - q.y).max(0.0) / self.sun.y.max(0.2)));
        }
        // Near the block the ground and the water are those at its edge.
        let span = if is_far { self.sea_span(q, self.sun) } else { self.span(q, self.sun) };
        let from = 0.12_f32.max(span.from);
        let mut open = self.past_bodies(q, [from, span.to], SHARPNESS);
        if open <= 0.0 {
            return Vec3::ZERO;
        }
        // Above the highest ground and water nothing shades the point, if the ray rises faster than shadows become
        // wide.
        let (highest, is_rising) = (self.highest(), SHARPNESS * OVER_GROUND * self.sun.y >= 1.0);
        let (mut t, mut length, mut caustic, mut was_wet) = (from, 0.0, 1.0_f32, false);
        // Light that leaves the block through a side is refracted there again, or mirrored: it makes no caustics.
        let is_inside = span.from <= 0.0;
        for _ in 0..STEPS {
            if t >= span.to {
                break;
            }
            let at = q + self.sun * t;
            if is_rising && !was_wet && at.y > highest && SHARPNESS * OVER_GROUND * (at.y - highest) >= t {
                break;
            }
            let tile = self.tile_at(at);
            let over = (at.y - tile.x) * OVER_GROUND;
            let is_lit = SHARPNESS * over >= t;
            let is_wet = at.y < tile.y - BELOW;
            if is_lit && (at.y > tile.z && !was_wet || is_wet) {
                // Nothing but air, or nothing but water, by the bounds of the tile.
                let to_air = if is_wet { (tile.y - BELOW - at.y) / self.sun.y.max(1e-3) } else { 1e9 };
                let step = to_air.max(SHORTEST).min(self.to_end_of_tile(at, self.sun, false, 1)).min(span.to - t);
                length += if is_wet { step } else { 0.0 };
                was_wet = is_wet;
                t += step;
                continue;
            }
            let f = self.water_at(at);
            let s = if is_lit && over >= f.abs().min(LONGEST) { over } else { self.over_ground(at) };
            if s < 0.0 {
                return Vec3::ZERO;
            }
            open = open.min(SHARPNESS * s / t);
            let step = s.min(f.abs()).clamp(SHORTEST, LONGEST);
            if f < 0.0 {
                length += step;
            } else if was_wet {
                // The last step went so far beyond the surface.
                let beyond = f / self.sun.y.max(0.2);
                length -= beyond.min(SHORTEST).min(length);
                if is_inside {
                    caustic *= self.caustic(at - self.sun * beyond, length);
                }
            }
            was_wet = f < 0.0;
            t += step;
        }
        let open = open.clamp(0.0, 1.0);
        exp(-self.absorb * length) * (open * open * (3.0 - 2.0 * open) * caustic)
    }

    /// How much the surface gathers light at a distance below it, as a lens with its curvature does.
    fn caustic(&self, q: Vec3, below: f32) -> f32 {
        let middle = self.water_at(q);
        let mut curvature = 0.0;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            curvature += self.water_at(q + axis) + self.water_at(q - axis) - 2.0 * middle;
        }
        (1.0 / (1.0 - BENDING * below.min(24.0) * curvature).max(0.3)).clamp(0.55, 2.2)
    }

    /// Share of the sky that solids leave to a point of a surface, by one lookup along its normal.
    pub(super) fn openness(&self, q: Vec3, n: Vec3) -> f32 {
        let (s, kind) = self.solid_at(q + n * 1.5);
        let wanted = if kind == Kind::Ground { 1.5 * 0.7 } else { 1.5 };
        0.45 + 0.55 * (s / wanted).clamp(0.0, 1.0)
    }
}

pub(super) fn exp(v: Vec3) -> Vec3 {
    // The same bits on every machine, which the platform's own library does not promise.
    Vec3::new(libm::expf(v.x), libm::expf(v.y), libm::expf(v.z))
}
