//! Twin: gather.wesl.

use rayon::prelude::*;

use super::{GatherParams, GatherSlices};

pub(super) fn gather(p: &GatherParams, s: GatherSlices<'_>) {
    let (capacity, alive) = (p.capacity as usize, s.alive[0] as usize);
    let slots = s.to_places[..capacity].par_iter_mut().zip(&mut s.to_motions[..capacity]);
    slots.with_min_len(4096).enumerate().for_each(|(at, (place, motion))| {
        let from = (at < alive).then(|| s.list[at] as usize);
        (*place, *motion) = from.map_or(([0.0; 4], [0.0; 4]), |from| (s.places[from], s.motions[from]));
    });
}
