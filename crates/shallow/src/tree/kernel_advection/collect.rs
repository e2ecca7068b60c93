use rayon::prelude::*;

use super::outflow_limit::listed;
use super::units::{momentum_of, put_wide, surface_of, wide};
use super::{CollectSlices, KernelParams, plane};
use crate::clock::NOT_FINITE;
use crate::physics::{depth, inverse_depth, max, signal_speed};
use crate::tree::layout::{CELL_WORDS, CELLS, clock, status};

/// New volumes, their picture in `cells`, and what the clock and the list of active tiles want to know of a tile.
pub(super) fn collect(p: &KernelParams, s: CollectSlices<'_>) {
    let mut steps = vec![false; p.capacity as usize];
    listed(p, s.lists).iter().for_each(|&slot| steps[slot as usize] = true);
    let per_second = 1.0 / s.clock[clock::TICK_DT];
    let tiles = s
        .arrivals
        .par_chunks(plane::ARRIVALS * CELLS)
        .zip(s.volumes.par_chunks_mut(plane::VOLUMES * CELLS))
        .zip(s.cells.par_chunks_mut(CELL_WORDS))
        .zip(s.status.par_chunks_mut(status::WORDS))
        .enumerate();
    tiles.for_each(|(slot, (((arrivals, volumes), cells), words))| {
        if !steps[slot] {
            return;
        }
        let mut fastest = [0.0; 2];
        for at in 0..CELLS {
            let volume = wide(arrivals, at);
            put_wide(volumes, at, volume);
            let z = cells[at + 3 * CELLS];
            let s = surface_of(volume, z, p.depth_bits, p.shift());
            let q = [0, 1].map(|axis| momentum_of(wide(arrivals, at + (plane::MOMENTUM + 2 * axis) * CELLS)));
            let h = depth(s, z);
            let inverse = inverse_depth(h, p.h_eps);
            let (u, w) = (q[0] * inverse, q[1] * inverse);
            let change = max((q[0] - cells[at + CELLS]).abs(), (q[1] - cells[at + 2 * CELLS]).abs());
            let finite = (s + q[0] + q[1]).abs() < NOT_FINITE;
            let signal = if finite { signal_speed(p.gravity, h, u, w, 1.0) } else { NOT_FINITE };
            // How fast the water is, or would be in a second.
            let motion = max(max(u.abs(), w.abs()), per_second * inverse * change);
            fastest = [max(signal, fastest[0]), max(motion, fastest[1])];
            (cells[at], cells[at + CELLS], cells[at + 2 * CELLS]) = (s, q[0], q[1]);
        }
        (words[status::SPEED], words[status::MOTION]) = (fastest[0], fastest[1]);
    });
}
