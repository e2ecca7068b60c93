use super::{CensusParams, CensusSlices};
use crate::particle::parts;

pub(super) fn census(p: &CensusParams, s: CensusSlices<'_>) {
    for place in s.places[..p.capacity as usize].iter().filter(|place| place[3] > 0.0) {
        s.counts[(parts(place[3]).0 as usize).min(2)] += 1;
    }
}
