use rayon::prelude::*;
use thalweg_solids::vector::{dot, zip};

use super::PredictSlices;
use crate::constants::extent;
use crate::kernel::NO_PLANE;
use crate::params::StepParams;
use crate::state::CHUNK;
use crate::walls::{Solids, held};

/// A velocity no faster than a particle may be.
pub(crate) fn slowed(p: &StepParams, velocity: [f32; 3]) -> [f32; 3] {
    let speed2 = dot(velocity, velocity);
    if speed2 <= p.most_speed * p.most_speed {
        return velocity;
    }
    let less = p.most_speed / speed2.sqrt();
    velocity.map(|v| v * less)
}

pub(super) fn predict(p: &StepParams, s: PredictSlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let all = Solids { p, solids: s.solids, distances: s.distances, ground: s.ground };
    let gravity = [p.gravity_x, p.gravity_y, p.gravity_z];
    let to = s.predicted[..count].par_iter_mut().zip(&s.places[..count]).zip(&s.motions[..count]);
    to.with_min_len(CHUNK).for_each(|((predicted, &[x, y, z, _]), &[u, v, w, _])| {
        let velocity = slowed(p, zip([u, v, w], gravity, |v, g| v + p.dt * g));
        let (from, mut way) = ([x, y, z], velocity.map(|v| p.dt * v));
        if !all.is_empty() {
            let share = all.free_share(from, way);
            way = way.map(|w| w * share);
        }
        let [x, y, z] = held(p, NO_PLANE, [0.0; 3], from, zip(from, way, |x, w| x + w));
        *predicted = [x, y, z, 0.0];
    });
}
