//! Rays and obstacles, one by one: distances are looked up only by rays through the box around an obstacle.

use glam::Vec3;
use thalweg_solids::packed;

use super::march::reciprocal;
use super::scene::World;
use crate::constants::bodies::{SHADE_STEPS, SHORTEST, STEPS};
use crate::constants::march::NEAR;

/// An obstacle on a ray: how far away, and which.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    pub(super) t: f32,
    pub(super) at: usize,
}

impl World<'_> {
    fn words(&self, at: usize) -> &[f32] {
        &self.obstacles[packed::WORDS * at..][..packed::WORDS]
    }

    /// Distance to one obstacle.
    pub(super) fn distance_to(&self, at: usize, q: Vec3) -> f32 {
        packed::distance(self.words(at), self.distances, q.to_array())
    }

    /// The part of a ray in the box around an obstacle, which is `wider` to all sides.
    fn in_box(&self, at: usize, o: Vec3, inverse: Vec3, wider: f32) -> [f32; 2] {
        let [low, high] = packed::corners(self.words(at)).map(Vec3::from);
        let (a, b) = ((low - wider - o) * inverse, (high + wider - o) * inverse);
        [a.min(b).max_element(), a.max(b).min_element()]
    }

    /// The first obstacle on a part of a ray; beyond its end if there is none.
    pub(super) fn body_on(&self, o: Vec3, d: Vec3, [from, to]: [f32; 2]) -> Body {
        let inverse = Vec3::new(reciprocal(d.x), reciprocal(d.y), reciprocal(d.z));
        let mut first = Body { t: 1e9, at: 0 };
        for at in 0..self.p.obstacle_count as usize {
            let [near, far] = self.in_box(at, o, inverse, NEAR);
            let (mut t, end) = (near.max(from), far.min(to).min(first.t));
            for _ in 0..STEPS {
                if t > end {
                    break;
                }
                let s = self.distance_to(at, o + d * t);
                if s < NEAR {
                    first = Body { t, at };
                    break;
                }
                t += s;
            }
        }
        first
    }

    /// How much of the sun obstacles leave to a point, at most 1: `sharpness` times the narrowest angle between it and
    /// them.
    pub(super) fn past_bodies(&self, q: Vec3, [from, to]: [f32; 2], sharpness: f32) -> f32 {
        let inverse = Vec3::new(reciprocal(self.sun.x), reciprocal(self.sun.y), reciprocal(self.sun.z));
        let mut open = 1.0_f32;
        for at in 0..self.p.obstacle_count as usize {
            // Half the width of a soft shadow behind the farthest corner is added to the box.
            let [low, high] = packed::corners(self.words(at)).map(Vec3::from);
            let farthest = (0.5 * (low + high) - q).length() + 0.5 * (high - low).length();
            let [near, far] = self.in_box(at, q, inverse, farthest / sharpness);
            let (mut t, end) = (near.max(from), far.min(to));
            for _ in 0..SHADE_STEPS {
                if t > end || open <= 0.0 {
                    break;
                }
                let s = self.distance_to(at, q + self.sun * t);
                open = open.min(sharpness * s / t);
                t += s.max(SHORTEST);
            }
        }
        open
    }
}
