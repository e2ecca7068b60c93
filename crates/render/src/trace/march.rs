//! Where a ray meets something. Twin: trace.march.wesl.

use glam::Vec3;

use super::scene::{OVER_GROUND, World};

/// Most steps of a ray through the block.
const STEPS: u32 = 160;
/// A solid this near is met, cells.
const NEAR: f32 = 0.01;
/// Shortest and longest step, cells.
const SHORTEST: f32 = 0.04;
const LONGEST: f32 = 8.0;

/// Most steps of a ray over the sea around the block, and where it ends, cells.
const SEA_STEPS: u32 = 320;
const HORIZON: f32 = 2e5;

/// What a ray meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing before the end of the block.
    Nothing,
    /// The surface of the water.
    Water,
    /// The ground.
    Ground,
    /// An obstacle.
    Obstacle,
}

/// What a ray meets, and how far away.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) t: f32,
    pub(super) kind: Kind,
}

/// The part of a ray inside the block, and the sides through which it comes in and goes out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) from: f32,
    pub(super) to: f32,
    /// Unit vectors out of the block.
    pub(super) entry: Vec3,
    pub(super) exit: Vec3,
}

impl World<'_> {
    /// Cuts a ray with the block; nothing of it is inside if `to <= from`.
    pub(super) fn span(&self, o: Vec3, d: Vec3) -> Span {
        let inverse = Vec3::new(reciprocal(d.x), reciprocal(d.y), reciprocal(d.z));
        let (a, b) = (-o * inverse, (self.high - o) * inverse);
        let (near, far) = (a.min(b), a.max(b));
        let from = near.x.max(near.y).max(near.z);
        let to = far.x.min(far.y).min(far.z);
        let entry = -side(near, from, d);
        let exit = side(far, to, d);
        Span { from: from.max(0.0), to, entry, exit }
    }

    /// The part of a ray between the ground and the highest water, if the sea goes on beyond the block.
    pub(super) fn sea_span(&self, o: Vec3, d: Vec3) -> Span {
        let highest = self.high.y.max(self.p.sea + self.p.crests);
        let inverse = reciprocal(d.y);
        let (a, b) = (-o.y * inverse, (highest - o.y) * inverse);
        Span { from: a.min(b).max(0.0), to: a.max(b).min(HORIZON), entry: Vec3::Y, exit: Vec3::Y }
    }

    /// Follows a ray through air (`side` 1) or water (−1) until it meets something. `width`: of a pixel on the sea, cells; less
    /// than 0 for a ray from the eye, whose pixels widen on the way.
    pub(super) fn march(&self, o: Vec3, d: Vec3, [from, to]: [f32; 2], side: f32, width: f32) -> Hit {
        let block = self.span(o, d);
        let steps = if self.p.far == 0 { STEPS } else { SEA_STEPS };
        let mut t = from;
        let mut before = [from, 1.0];
        for step in 0..steps {
            let q = o + d * t;
            let f = side * self.surface_at(q, if width < 0.0 { self.width(t, d) } else { width });
            // The first point lies on a surface that the ray has just left.
            if f < 0.0 && step > 0 {
                return Hit { t: self.crossing([o, d], before, [t, f], side, width), kind: Kind::Water };
            }
            let (s, kind) = self.solid_at(q);
            if s < NEAR {
                // Steps over the sea are long: back to the ground that the ray has passed.
                let passed = if self.p.far != 0 && s < 0.0 && kind == Kind::Ground { s } else { 0.0 };
                return Hit { t: (t + passed / (OVER_GROUND * (-d.y).max(0.05))).max(from), kind };
            }
            let is_above = d.y >= 0.0 && t >= block.to && q.y > self.p.sea + self.p.crests;
            if t >= to || (self.p.far != 0 && is_above) {
                return Hit { t: to, kind: Kind::Nothing };
            }
            before = [t, f.max(0.0)];
            let mut way = (0.9 * f).min(s).clamp(SHORTEST, LONGEST);
            if self.p.far != 0 && side > 0.0 && self.beside(q) > 0.0 {
                way = way.max(self.sea_step(t, d, f, s));
                // Not over the edge of the block.
                if t < block.from && block.to > block.from {
                    way = way.min(block.from - t + 1e-3);
                }
            }
            t = (t + way).min(to);
        }
        Hit { t, kind: Kind::Nothing }
    }

    /// Where the level set changes its sign between two places of a ray, by false position.
    fn crossing(&self, [o, d]: [Vec3; 2], before: [f32; 2], after: [f32; 2], side: f32, width: f32) -> f32 {
        let ([mut a, mut fa], [mut b, mut fb]) = (before, after);
        // Steps over the sea are longer.
        for _ in 0..if self.p.far == 0 { 3 } else { 8 } {
            let t = a + (b - a) * (fa / (fa - fb)).clamp(0.05, 0.95);
            let f = side * self.surface_at(o + d * t, if width < 0.0 { self.width(t, d) } else { width });
            if f < 0.0 {
                (b, fb) = (t, f);
            } else {
                (a, fa) = (t, f);
            }
        }
        a + (b - a) * (fa / (fa - fb)).clamp(0.0, 1.0)
    }
}

/// Large instead of infinite, so that products with 0 are 0.
fn reciprocal(x: f32) -> f32 {
    if x.abs() > 1e-8 { 1.0 / x } else { 1e8 }
}

/// Unit vector along the axis whose plane is met at `t`, with the sign of the ray.
fn side(planes: Vec3, t: f32, d: Vec3) -> Vec3 {
    let sign = |v: f32| if v < 0.0 { -1.0 } else { 1.0 };
    if planes.x == t {
        Vec3::new(sign(d.x), 0.0, 0.0)
    } else if planes.y == t {
        Vec3::new(0.0, sign(d.y), 0.0)
    } else {
        Vec3::new(0.0, 0.0, sign(d.z))
    }
}
