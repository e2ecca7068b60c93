use rayon::prelude::*;

use super::{LookupParams, LookupSlices, NOWHERE, WORDS};
use crate::physics::{depth, inverse_depth, surface};
use crate::tree::layout::CELLS;
use crate::tree::map::Map;

pub(super) fn lookup(p: &LookupParams, a: LookupSlices<'_>) {
    let map = Map(a.topology);
    let places = a.places.par_chunks_exact(2).zip(a.values.par_chunks_exact_mut(WORDS));
    places.for_each(|(place, out)| {
        let Some((at, level)) = map.cell_holding(p.levels, [place[0], place[1]]) else {
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
