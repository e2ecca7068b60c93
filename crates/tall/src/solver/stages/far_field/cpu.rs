use rayon::prelude::*;

use super::{FarCoarsenSlices, FarFillSlices, FarGatherSlices, FarParams, squares_along};
use crate::solver::stages::extrapolate::{CLOSED, FAR};

impl FarParams {
    /// First square of a level.
    fn start(&self, level: u32) -> usize {
        (0..level).map(|level| (squares_along(self.nx, level) * squares_along(self.nz, level)) as usize).sum()
    }
}

pub(super) fn gather(p: &FarParams, s: FarGatherSlices<'_>) {
    let (n, columns) = (p.samples as usize, (p.nx * p.nz) as usize);
    for (plane, sums) in s.sums.chunks_mut(p.squares as usize).enumerate().take(3) {
        let lines = sums[..columns].par_iter_mut().enumerate().with_min_len(64);
        lines.for_each(|(column, sum)| {
            let at = (plane * columns + column) * n;
            *sum = [0.0; 2];
            for (known, u) in s.known[at..at + n].iter().zip(&s.faces[at..at + n]) {
                if (1..CLOSED).contains(known) {
                    *sum = [sum[0] + u, sum[1] + 1.0];
                }
            }
        });
    }
}

pub(super) fn coarsen(p: &FarParams, s: FarCoarsenSlices<'_>) {
    let [nx, nz] = [p.nx, p.nz].map(|columns| squares_along(columns, p.level) as usize);
    let [wide, deep] = [p.nx, p.nz].map(|columns| squares_along(columns, p.level + 1) as usize);
    let (from, to) = (p.start(p.level), p.start(p.level + 1));
    for sums in s.sums.chunks_mut(p.squares as usize).take(3) {
        for square in 0..wide * deep {
            let (i, k) = (2 * (square % wide), 2 * (square / wide));
            let mut sum = [0.0; 2];
            for k in k..(k + 2).min(nz) {
                for i in i..(i + 2).min(nx) {
                    let part = sums[from + i + k * nx];
                    sum = [sum[0] + part[0], sum[1] + part[1]];
                }
            }
            sums[to + square] = sum;
        }
    }
}

pub(super) fn fill(p: &FarParams, s: FarFillSlices<'_>) {
    let (n, columns, squares) = (p.samples as usize, (p.nx * p.nz) as usize, p.squares as usize);
    let lines = s.faces.par_chunks_mut(n).zip(s.known.par_chunks(n)).enumerate().take(3 * columns);
    lines.for_each(|(line, (faces, known))| {
        let (plane, column) = (line / columns, line % columns);
        if !known.contains(&FAR) {
            return;
        }
        if let Some(mean) = mean(p, &s.sums[plane * squares..][..squares], column) {
            faces.iter_mut().zip(known).filter(|(_, known)| **known == FAR).for_each(|(u, _)| *u = mean);
        }
    });
}

/// The mean of the smallest square around a column that knows any.
fn mean(p: &FarParams, sums: &[[f32; 2]], column: usize) -> Option<f32> {
    let (i, k) = (column % p.nx as usize, column / p.nx as usize);
    let (mut level, mut start) = (0, 0);
    while start < sums.len() {
        let [nx, nz] = [p.nx, p.nz].map(|columns| squares_along(columns, level) as usize);
        let [sum, count] = sums[start + (i >> level) + (k >> level) * nx];
        if count > 0.0 {
            return Some(sum / count);
        }
        start += nx * nz;
        level += 1;
    }
    None
}
