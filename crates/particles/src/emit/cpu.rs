use super::{AdmitSlices, EmitSlices};
use crate::constants::{extent, tally};
use crate::neighbours::extent_of;
use crate::params::StepParams;

/// How many find a free slot.
fn admitted(p: &StepParams, count: u32) -> u32 {
    p.births.min(p.capacity - count.min(p.capacity))
}

pub(super) fn emit(p: &StepParams, s: EmitSlices<'_>) {
    let count = s.extent[extent::COUNT];
    for n in 0..admitted(p, count) {
        let (slot, from) = ((count + n) as usize, 2 * (p.births_first + n) as usize);
        s.places[slot] = s.born[from];
        s.motions[slot] = s.born[from + 1];
        s.ids[slot] = p.births_id.wrapping_add(n);
    }
}

pub(super) fn admit(p: &StepParams, s: AdmitSlices<'_>) {
    let count = s.extent[extent::COUNT];
    let found = admitted(p, count);
    s.extent[..extent::SOLVE].copy_from_slice(&extent_of(count + found));
    s.tally[tally::EMITTED as usize] += found;
    s.tally[tally::REFUSED as usize] += p.births - found;
}
