use rayon::prelude::*;

use super::{Solids, WallsSlices};
use crate::constants::extent;
use crate::params::StepParams;
use crate::state::CHUNK;

pub(super) fn walls(p: &StepParams, s: WallsSlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let all = Solids { p, solids: s.solids, distances: s.distances, ground: s.ground };
    let to = s.planes[..count].par_iter_mut().zip(&mut s.drifts[..count]).zip(&s.places[..count]);
    to.with_min_len(CHUNK).for_each(|((plane, drift), &[x, y, z, _])| {
        let found = all.nearest([x, y, z], 2.0 * p.radius);
        let [u, v, w] = found.velocity;
        (*plane, *drift) = (found.plane, [u, v, w, 0.0]);
    });
}
