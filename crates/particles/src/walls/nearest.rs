//! The nearest solid: ground and obstacles by their signed distances. `nearest.fragment.wesl` has the same functions.

use thalweg_solids::packed::{self, WORDS};
use thalweg_solids::vector::{dot, length, minus, plus, zip};

use crate::constants::FAR;
use crate::kernel::NO_PLANE;
use crate::params::StepParams;

/// What is solid beside the sides of the domain.
#[derive(Clone, Copy)]
pub(crate) struct Solids<'a> {
    pub(crate) p: &'a StepParams,
    /// Packed solids; lengths in m.
    pub(crate) solids: &'a [f32],
    /// Distances of meshes.
    pub(crate) distances: &'a [f32],
    /// Height of the ground at its nodes, m.
    pub(crate) ground: &'a [f32],
}

/// The plane of what is nearest, and its velocity there, m/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Nearest {
    pub(crate) plane: [f32; 4],
    pub(crate) velocity: [f32; 3],
}

impl Solids<'_> {
    /// Whether there is nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.p.solids == 0 && self.p.ground_x == 0
    }

    fn words(&self, number: u32) -> &[f32] {
        &self.solids[self.p.solids_first as usize + number as usize * WORDS..][..WORDS]
    }

    /// Height of the ground and its slopes along x and z; bilinear between nodes.
    fn ground_at(&self, place: [f32; 3]) -> [f32; 3] {
        let p = self.p;
        let along = |x: f32, nodes: u32| {
            let x = (x * p.per_ground).clamp(0.0, (nodes - 1) as f32);
            let low = x.floor().min((nodes - 2) as f32);
            (low as usize, x - low)
        };
        let ((i, s), (k, t)) = (along(place[0], p.ground_x), along(place[2], p.ground_z));
        let at = |i: usize, k: usize| self.ground[i + k * p.ground_x as usize];
        let (near, far) = ([at(i, k), at(i + 1, k)], [at(i, k + 1), at(i + 1, k + 1)]);
        let (low, high) = (near[0] + (near[1] - near[0]) * s, far[0] + (far[1] - far[0]) * s);
        let slope_x = (near[1] - near[0]) * (1.0 - t) + (far[1] - far[0]) * t;
        [low + (high - low) * t, slope_x * p.per_ground, (high - low) * p.per_ground]
    }

    /// Unit normal of the ground, and the distance to its tangent plane.
    fn ground_plane(&self, place: [f32; 3]) -> ([f32; 3], f32) {
        let [height, slope_x, slope_z] = self.ground_at(place);
        let up = 1.0 / (1.0 + slope_x * slope_x + slope_z * slope_z).sqrt();
        ([-slope_x * up, up, -slope_z * up], (place[1] - height) * up)
    }

    /// Distance to the box around a solid: no point of the solid is nearer.
    fn box_distance(words: &[f32], place: [f32; 3]) -> f32 {
        let [low, high] = packed::corners(words);
        length(std::array::from_fn(|axis| (low[axis] - place[axis]).max(place[axis] - high[axis]).max(0.0)))
    }

    /// Distance to what is nearest, as far as it is less than `most`.
    pub(crate) fn clearance(&self, place: [f32; 3], most: f32) -> f32 {
        let mut least = most;
        if self.p.ground_x > 0 {
            least = least.min(self.ground_plane(place).1);
        }
        for words in (0..self.p.solids).map(|number| self.words(number)) {
            if Self::box_distance(words, place) < least {
                least = least.min(packed::distance(words, self.distances, place));
            }
        }
        least
    }

    /// The plane of what is nearest, if it is within `most`.
    pub(crate) fn nearest(&self, place: [f32; 3], most: f32) -> Nearest {
        let mut found = Nearest { plane: NO_PLANE, velocity: [0.0; 3] };
        let mut least = most;
        if self.p.ground_x > 0 {
            let (normal, distance) = self.ground_plane(place);
            if distance < least {
                least = distance;
                found.plane = plane(normal, place, distance);
            }
        }
        let mut number = None;
        for n in 0..self.p.solids {
            let words = self.words(n);
            if Self::box_distance(words, place) < least {
                let distance = packed::distance(words, self.distances, place);
                if distance < least {
                    (least, number) = (distance, Some(n));
                }
            }
        }
        if let Some(words) = number.map(|number| self.words(number))
            && let Some(normal) = self.normal(words, place)
        {
            found = Nearest { plane: plane(normal, place, least), velocity: packed::velocity(words, place) };
        }
        found
    }

    /// The gradient of the distance; none where it has none, as in the middle of a sphere.
    fn normal(&self, words: &[f32], place: [f32; 3]) -> Option<[f32; 3]> {
        let step = 0.1 * self.p.spacing;
        let gradient: [f32; 3] = std::array::from_fn(|axis| {
            let mut aside = [0.0; 3];
            aside[axis] = step;
            packed::distance(words, self.distances, plus(place, aside))
                - packed::distance(words, self.distances, minus(place, aside))
        });
        let size = length(gradient);
        (size > 0.1 * step).then(|| gradient.map(|g| g / size))
    }

    /// How far along a path, which is a share of 1, a particle goes before it meets a solid. A path that leads out of
    /// one, or along it, is free.
    pub(crate) fn free_share(&self, from: [f32; 3], way: [f32; 3]) -> f32 {
        let far = length(way);
        let margin = 0.25 * self.p.spacing;
        let first = self.clearance(from, FAR);
        if far < first - margin || first <= margin {
            return 1.0;
        }
        let mut gone = first - margin;
        for _ in 1..crate::constants::PATH_STEPS {
            if gone >= far {
                return 1.0;
            }
            let clear = self.clearance(zip(from, way, |x, w| x + w * (gone / far)), FAR) - margin;
            if clear <= 0.01 * self.p.spacing {
                break;
            }
            gone += clear;
        }
        (gone / far).min(1.0)
    }
}

fn plane(normal: [f32; 3], place: [f32; 3], distance: f32) -> [f32; 4] {
    [normal[0], normal[1], normal[2], dot(normal, place) - distance]
}
