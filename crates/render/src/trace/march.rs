//! Where a ray meets something. Twin: trace.march.wesl.

use glam::Vec3;

use super::scene::World;

/// Most steps of a ray through the block.
const STEPS: u32 = 160;
/// A solid this near is met, cells.
const NEAR: f32 = 0.01;
/// Shortest and longest step, cells.
const SHORTEST: f32 = 0.04;
const LONGEST: f32 = 8.0;

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

    /// Follows a ray through air (`side` 1) or water (−1) until it meets something.
    pub(super) fn march(&self, o: Vec3, d: Vec3, from: f32, to: f32, side: f32) -> Hit {
        let mut t = from;
        let mut before = [from, 1.0];
        for step in 0..STEPS {
            let q = o + d * t;
            let f = side * self.water_at(q);
            // The first point lies on a surface that the ray has just left.
            if f < 0.0 && step > 0 {
                return Hit { t: self.crossing(o, d, before, [t, f], side), kind: Kind::Water };
            }
            let (s, kind) = self.solid_at(q);
            if s < NEAR {
                return Hit { t, kind };
            }
            if t >= to {
                return Hit { t: to, kind: Kind::Nothing };
            }
            before = [t, f.max(0.0)];
            t = (t + (0.9 * f).min(s).clamp(SHORTEST, LONGEST)).min(to);
        }
        Hit { t, kind: Kind::Nothing }
    }

    /// Where the level set changes its sign between two places of a ray, by false position.
    fn crossing(&self, o: Vec3, d: Vec3, before: [f32; 2], after: [f32; 2], side: f32) -> f32 {
        let ([mut a, mut fa], [mut b, mut fb]) = (before, after);
        for _ in 0..3 {
            let t = a + (b - a) * (fa / (fa - fb)).clamp(0.05, 0.95);
            let f = side * self.water_at(o + d * t);
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
