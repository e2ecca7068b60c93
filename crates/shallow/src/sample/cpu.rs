use super::{SampleParams, SampleSlices, WORDS};
use crate::physics::{depth, inverse_depth, surface};

pub(super) fn sample_cells(p: &SampleParams, a: SampleSlices<'_>) {
    let cells = p.cells as usize;
    for (&cell, out) in a.list.iter().zip(a.values.chunks_exact_mut(WORDS)) {
        let at = cell as usize;
        let (s, z) = (a.state[at], a.bed[at]);
        let h = depth(s, z);
        let inverse = inverse_depth(h, p.h_eps);
        out[0] = h;
        out[1] = surface(s, z);
        out[2] = a.state[at + cells] * inverse;
        out[3] = a.state[at + 2 * cells] * inverse;
        out[4] = z;
    }
}
