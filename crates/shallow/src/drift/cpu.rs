use rayon::prelude::*;

use super::{DriftParams, DriftSlices};
use crate::physics::{depth, inverse_depth};

/// Cells that a thread takes at once.
const CHUNK: usize = 1 << 14;

pub(super) fn drift(p: &DriftParams, a: DriftSlices<'_>) {
    let cells = p.cells as usize;
    a.velocity[..cells].par_chunks_mut(CHUNK).enumerate().for_each(|(n, velocity)| {
        for (at, velocity) in (n * CHUNK..).zip(velocity) {
            let inverse = inverse_depth(depth(a.state[at], a.bed[at]), p.h_eps);
            *velocity = [a.state[at + cells] * inverse, a.state[at + 2 * cells] * inverse];
        }
    });
}
