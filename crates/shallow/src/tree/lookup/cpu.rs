use rayon::prelude::*;

use super::{LookupParams, LookupSlices, NOWHERE, WORDS};
use crate::physics::{depth, inverse_depth, surface};
use crate::tree::layout::{CELL_WORDS, CELLS, NONE, TILE};
use crate::tree::map::{Map, cell_in_tile};

/// First word in `cells` of the cell that holds a finest cell, and its level; `None` if no tile does.
fn holding(map: Map<'_>, levels: u32, i: u32, k: u32) -> Option<(usize, u32)> {
    (0..levels).find_map(|level| {
        let shift = levels - 1 - level;
        let (i, k) = ((i >> shift) as i32, (k >> shift) as i32);
        let slot = map.slot(level, i / TILE as i32, k / TILE as i32);
        (slot != NONE).then(|| (CELL_WORDS * slot as usize + cell_in_tile(i, k), level))
    })
}

pub(super) fn lookup(p: &LookupParams, a: LookupSlices<'_>) {
    let map = Map(a.topology);
    let places = a.places.par_chunks_exact(2).zip(a.values.par_chunks_exact_mut(WORDS));
    places.for_each(|(place, out)| {
        let Some((at, level)) = holding(map, p.levels, place[0], place[1]) else {
            out.fill(0.0);
            out[0] = NOWHERE;
            return;
        };
        let (s, z) = (a.cells[at], a.cells[at + 3 * CELLS]);
        let h = depth(s, z);
        let inverse = inverse_depth(h, p.h_eps);
        out[0] = h;
        out[1] = surface(s, z);
        out[2] = a.cells[at + CELLS] * inverse;
        out[3] = a.cells[at + 2 * CELLS] * inverse;
        out[4] = z;
        out[5] = level as f32;
    });
}
