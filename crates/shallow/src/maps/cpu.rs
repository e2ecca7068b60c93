use rayon::prelude::*;

use super::{LookSlices, MapsParams, NEVER};
use crate::clock::word;
use crate::physics::{depth, inverse_depth, max};

/// Cells that a thread takes at once.
const CHUNK: usize = 1 << 14;
/// Cells that are asked together whether anything is new: the question is answered in vectors, and mostly with no.
const BLOCK: usize = 16;

/// What a look sees of a cell.
#[derive(Clone, Copy)]
struct Seen {
    /// Whether the cell is deep enough to count.
    wet: bool,
    /// Square of the speed, m²/s².
    square: f32,
}

#[inline(always)]
fn seen(p: &MapsParams, (s, z): (f32, f32), (qx, qz): (f32, f32)) -> Seen {
    let h = depth(s, z);
    let inverse = inverse_depth(h, p.h_eps);
    let (u, w) = (qx * inverse, qz * inverse);
    Seen { wet: h > p.wet, square: u * u + w * w }
}

pub(super) fn look(p: &MapsParams, a: LookSlices<'_>) {
    let cells = p.cells as usize;
    let now = p.began + a.clock[word::ELAPSED];
    let (s, q) = a.state.split_at(cells);
    let (qx, qz) = q.split_at(cells);
    let (highest, rest) = a.maps.split_at_mut(cells);
    let (fastest, rest) = rest.split_at_mut(cells);
    let (arrival, peak) = rest.split_at_mut(cells);
    let extremes = highest.par_chunks_mut(CHUNK).zip(fastest.par_chunks_mut(CHUNK));
    let times = arrival.par_chunks_mut(CHUNK).zip(peak.par_chunks_mut(CHUNK));
    extremes.zip(times).enumerate().for_each(|(n, ((highest, fastest), (arrival, peak)))| {
        let here = n * CHUNK..n * CHUNK + highest.len();
        let (s, z) = (&s[here.clone()], &a.bed[here.clone()]);
        let (qx, qz) = (&qx[here.clone()], &qz[here]);
        for first in (0..highest.len()).step_by(BLOCK) {
            let block = first..highest.len().min(first + BLOCK);
            let water = s[block.clone()].iter().zip(&z[block.clone()]);
            let flow = qx[block.clone()].iter().zip(&qz[block.clone()]);
            let before = highest[block.clone()].iter().zip(&fastest[block.clone()]);
            let mut news = false;
            for (((&s, &z), (&qx, &qz)), (&highest, &fastest)) in water.zip(flow).zip(before) {
                let Seen { wet, square } = seen(p, (s, z), (qx, qz));
                news |= wet & ((s > highest) | (square > fastest));
            }
            if !news {
                continue;
            }
            for at in block {
                let Seen { wet, square } = seen(p, (s[at], z[at]), (qx[at], qz[at]));
                if !wet {
                    continue;
                }
                if highest[at] == NEVER {
                    arrival[at] = now;
                }
                // The bed stays: where s is highest, depth and level are.
                if s[at] > highest[at] {
                    highest[at] = s[at];
                    peak[at] = now;
                }
                fastest[at] = max(square, fastest[at]);
            }
        }
    });
}
