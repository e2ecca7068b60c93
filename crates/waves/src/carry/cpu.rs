use rayon::prelude::*;

use super::{CarryParams, CarrySlices, LAYERS, PublishParams, PublishSlices};
use crate::constants::carry::{FAITHFUL, LEAST, TORN};

pub(super) fn carry(p: &CarryParams, s: CarrySlices<'_>) {
    let (nx, nz) = (p.nx as usize, p.nz as usize);
    let columns = nx * nz;
    let keep = [p.keep_0, p.keep_1, p.keep_2];
    s.after[..LAYERS * columns].par_iter_mut().enumerate().with_min_len(256).for_each(|(index, to)| {
        let (layer, column) = (index / columns, index % columns);
        let [u, w] = s.velocity[column];
        let (way_x, way_z) = (u * p.reach, w * p.reach);
        let x = ((column % nx) as f32 - way_x).clamp(0.0, (nx - 1) as f32);
        let z = ((column / nx) as f32 - way_z).clamp(0.0, (nz - 1) as f32);
        let (i, k) = (x as usize, z as usize);
        let (fx, fz) = (x - i as f32, z - k as f32);
        let (i1, k1) = ((i + 1).min(nx - 1), (k + 1).min(nz - 1));
        let value = |i: usize, k: usize, n: usize| {
            let at = layer * columns + i + nx * k;
            s.before[at][n] + p.correction * (s.before[at][n] - s.returned[at][n])
        };
        *to = std::array::from_fn(|n| {
            let front = value(i, k, n) * (1.0 - fx) + value(i1, k, n) * fx;
            let back = value(i, k1, n) * (1.0 - fx) + value(i1, k1, n) * fx;
            keep[layer] * (front * (1.0 - fz) + back * fz - [way_x, way_z][n])
        });
    });
}

pub(super) fn publish(p: &PublishParams, s: PublishSlices<'_>) {
    let (nx, nz) = (p.nx as usize, p.nz as usize);
    let columns = nx * nz;
    let age = [p.weight_0, p.weight_1, p.weight_2];
    let lines = s.words[p.head as usize..][..columns * 3 * LAYERS].par_chunks_exact_mut(3 * LAYERS);
    lines.enumerate().with_min_len(256).for_each(|(column, words)| {
        let (i, k) = (column % nx, column / nx);
        let weights: [f32; LAYERS] = std::array::from_fn(|layer| {
            let at = |i: usize, k: usize| s.offsets[layer * columns + i + nx * k];
            let along_x =
                slope(at(i.saturating_sub(1), k), at((i + 1).min(nx - 1), k), i.min(1) + usize::from(i + 1 < nx));
            let along_z =
                slope(at(i, k.saturating_sub(1)), at(i, (k + 1).min(nz - 1)), k.min(1) + usize::from(k + 1 < nz));
            let stretch = stretch([1.0 + along_x[0], along_z[0], along_x[1], 1.0 + along_z[1]]);
            age[layer] * ((TORN - stretch) / (TORN - FAITHFUL)).clamp(0.0, 1.0)
        });
        let squares = weights.iter().fold(0.0, |sum, w| sum + w * w);
        let whole = squares.sqrt().max(LEAST);
        for (layer, weight) in weights.iter().enumerate() {
            let [x, z] = s.offsets[layer * columns + column];
            words[3 * layer] = x;
            words[3 * layer + 1] = z;
            words[3 * layer + 2] = weight / whole;
        }
    });
}

/// Difference per column.
fn slope(before: [f32; 2], after: [f32; 2], apart: usize) -> [f32; 2] {
    [0, 1].map(|n| (after[n] - before[n]) / apart.max(1) as f32)
}

/// The larger of the largest singular value of `[a b; c d]` and the inverse of the smallest.
fn stretch([a, b, c, d]: [f32; 4]) -> f32 {
    let (sum, determinant) = (a * a + b * b + c * c + d * d, (a * d - b * c).abs());
    let root = (sum * sum - 4.0 * determinant * determinant).max(0.0).sqrt();
    let largest = (0.5 * (sum + root)).sqrt();
    // The product of both is the determinant.
    largest.max(largest / determinant.max(1e-6))
}
