use rayon::prelude::*;

use super::{CHUNK, StatsParams, StatsSlices, WORDS};
use crate::physics::{depth, inverse_depth, max, surface};

pub(super) fn stats(p: &StatsParams, a: StatsSlices<'_>) {
    let cells = p.cells as usize;
    let (s, q) = a.state.split_at(cells);
    let (qx, qz) = q.split_at(cells);
    let chunk = |(n, out): (usize, &mut [f32])| {
        // f64 inside a chunk: the partial is then right to the last bit of f32.
        let mut sums = [0.0f64; WORDS];
        for at in n * CHUNK..cells.min((n + 1) * CHUNK) {
            let z = a.bed[at];
            let h = depth(s[at], z);
            let inverse = inverse_depth(h, p.h_eps);
            let (u, w) = (qx[at] * inverse, qz[at] * inverse);
            sums[0] += f64::from(h);
            sums[1] += f64::from(0.5 * h * (u * u + w * w));
            sums[2] += f64::from(0.5 * p.gravity * s[at] * (surface(s[at], z) + max(z, 0.0)));
            sums[3] += if h > p.wet_depth { 1.0 } else { 0.0 };
            sums[4] = sums[4].max(f64::from((u * u + w * w).sqrt()));
        }
        out.iter_mut().zip(sums).for_each(|(word, sum)| *word = sum as f32);
    };
    a.sums[..cells.div_ceil(CHUNK) * WORDS].par_chunks_mut(WORDS).enumerate().for_each(chunk);
}
