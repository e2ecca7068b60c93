use rayon::prelude::*;

use super::{LookSlices, MapsParams};
use crate::clock::word;
use crate::physics::{depth, inverse_depth, max};

/// Cells that a thread takes at once.
const CHUNK: usize = 1 << 14;

pub(super) fn look(p: &MapsParams, a: LookSlices<'_>) {
    let cells = p.cells as usize;
    let now = p.began + a.clock[word::ELAPSED];
    let (s, q) = a.state.split_at(cells);
    let (qx, qz) = q.split_at(cells);
    let (highest, rest) = a.maps.split_at_mut(cells);
    let (fastest, rest) = rest.split_at_mut(cells);
    let (arrival, peak) = rest.split_at_mut(cells);
    let ours = highest.par_chunks_mut(CHUNK).zip(fastest.par_chunks_mut(CHUNK));
    let times = arrival.par_chunks_mut(CHUNK).zip(peak.par_chunks_mut(CHUNK));
    ours.zip(times).enumerate().for_each(|(n, ((highest, fastest), (arrival, peak)))| {
        let here = n * CHUNK..n * CHUNK + highest.len();
        let (s, z) = (&s[here.clone()], &a.bed[here.clone()]);
        let (qx, qz) = (&qx[here.clone()], &qz[here]);
        for at in 0..highest.len() {
            let h = depth(s[at], z[at]);
            if h <= p.wet {
                continue;
            }
            let inverse = inverse_depth(h, p.h_eps);
            let (u, w) = (qx[at] * inverse, qz[at] * inverse);
            let is_first = arrival[at] < 0.0;
            if is_first {
                arrival[at] = now;
            }
            // The bed stays: where s is highest, depth and level are.
            if is_first || s[at] > highest[at] {
                highest[at] = s[at];
                peak[at] = now;
            }
            fastest[at] = max((u * u + w * w).sqrt(), fastest[at]);
        }
    });
}
