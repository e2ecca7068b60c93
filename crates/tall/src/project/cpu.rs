use rayon::prelude::*;

use super::{MaskParams, MaskSlices};

pub(super) fn mask(p: &MaskParams, s: MaskSlices<'_>) {
    let len = p.len as usize;
    let diagonals = &s.cells[p.diagonal_at as usize..][..len];
    s.q[..len].par_iter_mut().zip(diagonals).with_min_len(4096).for_each(|(q, d)| {
        if *d <= 0.0 {
            *q = 0.0;
        }
    });
}
