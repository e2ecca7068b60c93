//! Where a ray meets something.

use glam::Vec3;

use super::scene::World;
use crate::constants::march::{
    AHEAD, CLOSE, FARTHEST_AHEAD, FARTHEST_TO_GROUND, FREE, GROWTH, GROWTH_BENT, GROWTH_MIRRORED, HORIZON, LANDED,
    LARGEST, LARGEST_MIRRORED, LONGEST, MISS, NEAR, SEA_STEPS, SHORTEST, SHORTEST_TO_GROUND, STEPS,
};
use crate::constants::scene::OVER_GROUND;

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
    /// Which obstacle.
    pub(super) body: usize,
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

impl Span {
    fn ends(self) -> [f32; 2] {
        [self.from, self.to]
    }
}

impl World<'_> {
    /// Cuts a ray with the block; nothing of it is inside if `to <= from`.
    #[inline(always)]
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

    /// Follows a ray through air (`side` 1) or water (−1) until it meets something. `width` is that of a pixel on the
    /// sea, cells; less than 0 for a ray from the eye, on which pixels become wider with the distance.
    #[inline(always)]
    pub(super) fn march(&self, o: Vec3, d: Vec3, [from, to]: [f32; 2], side: f32, width: f32) -> Hit {
        let is_far = self.p.far != 0;
        // Needed beside the block only.
        let [block_from, block_to] = if is_far { self.span(o, d).ends() } else { [0.0; 2] };
        let body = self.body_on(o, d, [from, to]);
        let end = to.min(body.t);
        let at_end = Hit { t: end, kind: if body.t <= to { Kind::Obstacle } else { Kind::Nothing }, body: body.at };
        let steps = if is_far { SEA_STEPS } else { STEPS };
        let (growth, largest) = match width < 0.0 {
            true => (GROWTH, LARGEST),
            false if side < 0.0 => (GROWTH_BENT, LARGEST),
            false => (GROWTH_MIRRORED, LARGEST_MIRRORED),
        };
        let sea = self.sea_on(o, d, side, width);
        let mut was_free = false;
        let mut t = from;
        let mut before = [from, 1.0];
        let mut over = [from, 0.0];
        for step in 0..steps {
            let start = t;
            let passed = self.pass(o, d, [t, end], side, sea);
            t = passed.t;
            if t > start || was_free {
                // Nothing was in the way: the last step began outside of everything.
                before = [t - 0.01, 0.01];
            }
            if t > start {
                over = [t - 0.01, 0.01];
            }
            let q = o + d * t;
            if t >= end && t > start && q.y > passed.ground + NEAR {
                return at_end;
            }
            let is_beside = is_far && self.beside(q) > 0.0;
            was_free = passed.free > 0.0;
            let f = if was_free {
                FREE
            } else {
                side * self.surface_at(q, if width < 0.0 { self.width(t, d) } else { width })
            };
            // The first point lies on a surface that the ray has just left.
            let is_across = f < 0.0 && step > 0;
            if is_far && side > 0.0 && width < 0.0 && f >= 0.0 && f < MISS * self.p.pixel * t && sea.is_alone(t) {
                return Hit { t: t + f / (-d.y).max(0.1), kind: Kind::Water, body: 0 };
            }
            let nearer = (before[1] - f) / (t - before[0]).max(1e-6);
            let ahead = if nearer > 0.0 { (AHEAD * f / nearer).min(FARTHEST_AHEAD * f) } else { 0.0 };
            let mut way = (0.9 * f).max(ahead).max((SHORTEST + growth * (t - from)).min(largest)).min(LONGEST);
            if is_beside && side > 0.0 {
                way = way.max(self.sea_step(t, d, f));
            }
            if was_free {
                way = passed.free;
            }
            // The distance to the ground is looked up where the ground may be nearer than that.
            let mut s = (q.y - passed.ground) * OVER_GROUND;
            if s < way {
                s = self.over_ground(q);
            }
            if s < NEAR || is_across {
                // The level set goes on below the ground: what is met first counts.
                let landing = if s < NEAR { self.landing(o, d, over, [t, s - NEAR]) } else { 1e9 };
                let crossing = if is_across { self.crossing([o, d], before, [t, f], side, width) } else { 1e9 };
                let kind = if landing < crossing { Kind::Ground } else { Kind::Water };
                return Hit { t: landing.min(crossing), kind, body: 0 };
            }
            if t >= end {
                return at_end;
            }
            let nearer = (over[1] - s) / (t - over[0]).max(1e-6);
            let ahead = if nearer > 0.0 { (AHEAD * s / nearer).min(FARTHEST_TO_GROUND * s) } else { 0.0 };
            before = [t, f.max(0.0)];
            over = [t, s - NEAR];
            way = way.min(s.max(ahead).max(SHORTEST_TO_GROUND));
            if is_beside && !was_free {
                way = way.max(0.003 * t);
                // A step ends at the edge of the block, where the surface may be another one.
                if t < block_from && block_to > block_from {
                    way = way.min(block_from - t + 1e-3);
                }
            }
            t = (t + way).min(end);
        }
        Hit { t, kind: Kind::Nothing, body: 0 }
    }

    /// Where a ray comes near the ground between two places of it, by false position.
    fn landing(&self, o: Vec3, d: Vec3, [mut a, mut over]: [f32; 2], [mut b, mut under]: [f32; 2]) -> f32 {
        if over <= 0.0 {
            return b;
        }
        for n in 0..8 {
            // Every other time by halves: false position alone is slow where the ground bends.
            let t = a + (b - a) * if n & 1 == 0 { over / (over - under) } else { 0.5 };
            let s = self.over_ground(o + d * t) - NEAR;
            if s.abs() < LANDED {
                return t;
            }
            if s < 0.0 {
                (b, under) = (t, s);
            } else {
                (a, over) = (t, s);
            }
        }
        a
    }

    /// Where the level set changes its sign between two places of a ray, by false position.
    fn crossing(&self, [o, d]: [Vec3; 2], before: [f32; 2], after: [f32; 2], side: f32, width: f32) -> f32 {
        let ([mut a, mut fa], [mut b, mut fb]) = (before, after);
        // On the sea a tenth of a pixel is near enough.
        let of_pixel = if self.p.far != 0 && width < 0.0 { 0.1 * self.p.pixel * before[0] } else { 0.0 };
        let close = of_pixel.max(CLOSE * (1.0 + 0.01 * before[0]));
        // Steps over the sea are longer, so that it takes more tries.
        for _ in 0..if self.p.far == 0 { 3 } else { 8 } {
            let t = a + (b - a) * (fa / (fa - fb)).clamp(0.05, 0.95);
            let f = side * self.surface_at(o + d * t, if width < 0.0 { self.width(t, d) } else { width });
            if f.abs() < close {
                return t;
            }
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
pub(super) fn reciprocal(x: f32) -> f32 {
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
