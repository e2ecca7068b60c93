use rayon::prelude::*;
use thalweg_compute::WORKGROUP;

use super::{PackParams, PackSlices};
use crate::constants::event::LIVED;

pub(super) fn pack(p: &PackParams, s: PackSlices<'_>) {
    let (capacity, group) = (p.capacity as usize, WORKGROUP as usize);
    let (mut places, free_places) = s.to_places[..capacity].split_at_mut(s.events[LIVED] as usize);
    let (mut motions, free_motions) = s.to_motions[..capacity].split_at_mut(s.events[LIVED] as usize);
    // One run of the new slots per workgroup, until all are given away: counts behind that are of other steps.
    let mut runs = Vec::with_capacity(capacity.div_ceil(group));
    for count in &s.events[p.lived as usize..p.blocks as usize] {
        if places.is_empty() {
            break;
        }
        let (run_places, other_places) = places.split_at_mut(*count as usize);
        let (run_motions, other_motions) = motions.split_at_mut(*count as usize);
        runs.push((run_places, run_motions));
        (places, motions) = (other_places, other_motions);
    }
    let from = s.places[..capacity].par_chunks(group).zip(s.motions[..capacity].par_chunks(group));
    runs.into_par_iter().zip(from).with_min_len(16).for_each(|((to_places, to_motions), (places, motions))| {
        let alive = places.iter().zip(motions).filter(|(place, _)| place[3] > 0.0);
        for ((to_place, to_motion), (place, motion)) in to_places.iter_mut().zip(to_motions).zip(alive) {
            (*to_place, *to_motion) = (*place, *motion);
        }
    });
    let free = free_places.par_iter_mut().zip(free_motions).with_min_len(16_384);
    free.for_each(|(place, motion)| (*place, *motion) = ([0.0; 4], [0.0; 4]));
}
