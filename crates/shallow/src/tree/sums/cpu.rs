use rayon::prelude::*;

use super::{SumsParams, SumsSlices, WORDS};
use crate::physics::{depth, inverse_depth, max, surface};
use crate::tree::layout::{CELL_WORDS, CELLS};
use crate::tree::map::Map;

pub(super) fn sums(p: &SumsParams, s: SumsSlices<'_>) {
    let map = Map(s.topology);
    s.totals[..WORDS * p.capacity as usize].par_chunks_mut(WORDS).enumerate().for_each(|(slot, out)| {
        out.fill(0.0);
        let Some(place) = map.tile(slot as u32) else { return };
        let cell = f64::from(p.cell) * f64::from(1u32 << (p.levels - 1 - place.level));
        let tile = &s.cells[CELL_WORDS * slot..][..CELL_WORDS];
        // f64 inside a tile: the sum is then right to the last bit of f32.
        let mut sums = [0.0f64; WORDS];
        for at in 0..CELLS {
            let (s, z) = (tile[at], tile[at + 3 * CELLS]);
            let h = depth(s, z);
            let inverse = inverse_depth(h, p.h_eps);
            let (u, w) = (tile[at + CELLS] * inverse, tile[at + 2 * CELLS] * inverse);
            sums[0] += f64::from(h);
            sums[1] += f64::from(0.5 * h * (u * u + w * w));
            sums[2] += f64::from(0.5 * p.gravity * s * (surface(s, z) + max(z, 0.0)));
            sums[3] += if h > p.wet_depth { 1.0 } else { 0.0 };
            sums[4] = sums[4].max(f64::from((u * u + w * w).sqrt()));
        }
        let area = [cell * cell, cell * cell, cell * cell, cell * cell, 1.0];
        out.iter_mut().zip(sums).zip(area).for_each(|((out, sum), area)| *out = (sum * area) as f32);
    });
}
