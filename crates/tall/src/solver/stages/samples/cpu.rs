use rayon::prelude::*;

use super::{KeepSamplesSlices, SampleParams, TakeSamplesSlices};

pub(super) fn take_samples(p: &SampleParams, s: TakeSamplesSlices<'_>) {
    let len = p.len as usize;
    let diagonals = &s.cells[p.diagonal_at as usize..][..len];
    s.centres[..len].par_iter_mut().enumerate().with_min_len(4096).for_each(|(at, centre)| {
        if p.everywhere != 0 || diagonals[at] > 0.0 {
            *centre = [s.samples[at], s.samples[len + at], s.samples[2 * len + at], 0.0];
        }
    });
}

pub(super) fn keep_samples(p: &SampleParams, s: KeepSamplesSlices<'_>) {
    let len = p.len as usize;
    s.samples[..3 * len].par_chunks_mut(len).enumerate().for_each(|(axis, plane)| {
        let moved = s.centres.iter().zip(s.changes);
        plane.iter_mut().zip(moved).for_each(|(u, (centre, change))| *u = centre[axis] + change[axis]);
    });
}
