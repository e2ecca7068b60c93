//! The ground as a pyramid of means.

use rayon::prelude::*;

use super::layout::{CELLS, TILE};
use super::setup::Ground;

/// Levels above the finest whose tiles are averaged from it when they are asked for; coarser ones are kept.
const ON_DEMAND: u32 = 3;

/// The ground of any function of the finest cells. Cells of coarser levels are means of the finest ones in them. Levels
/// of cells up to eight times the finest are computed when asked for, coarser ones once, so that memory is 1/192 of
/// what the finest level would take.
pub struct GroundPyramid<F> {
    finest: F,
    levels: u32,
    /// Cells along x, and elevations, of the coarse levels from 0 on.
    kept: Vec<(usize, Vec<f64>)>,
}

impl<F> std::fmt::Debug for GroundPyramid<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GroundPyramid").field("levels", &self.levels).finish_non_exhaustive()
    }
}

impl<F: Fn(u32, u32) -> f64 + Send + Sync> GroundPyramid<F> {
    /// A pyramid over `size` finest cells, whose elevations `finest(i, k)` tells, m. Looks at every finest cell once if
    /// there are more than four levels.
    pub fn new(size: [u32; 2], levels: u32, finest: F) -> Self {
        let mut pyramid = Self { finest, levels, kept: Vec::new() };
        let coarse = levels.saturating_sub(1 + ON_DEMAND);
        let mut kept: Vec<(usize, Vec<f64>)> = Vec::new();
        for level in (0..coarse).rev() {
            let shift = levels - 1 - level;
            let (nx, nz) = ((size[0] >> shift) as usize, (size[1] >> shift) as usize);
            let mut cells = vec![0.0; nx * nz];
            let below = kept.last();
            cells.par_chunks_mut(nx.max(1)).enumerate().for_each(|(k, row)| {
                for (i, cell) in row.iter_mut().enumerate() {
                    *cell = match below {
                        Some((wide, below)) => {
                            let at = |di, dk| below[2 * i + di + wide * (2 * k + dk)];
                            0.25 * ((at(0, 0) + at(1, 0)) + (at(0, 1) + at(1, 1)))
                        }
                        None => pyramid.mean(level, i as u32, k as u32),
                    };
                }
            });
            kept.push((nx, cells));
        }
        kept.reverse();
        pyramid.kept = kept;
        pyramid
    }

    /// Mean of the finest cells in a cell of a level.
    fn mean(&self, level: u32, i: u32, k: u32) -> f64 {
        if level + 1 == self.levels {
            return (self.finest)(i, k);
        }
        let at = |di, dk| self.mean(level + 1, 2 * i + di, 2 * k + dk);
        0.25 * ((at(0, 0) + at(1, 0)) + (at(0, 1) + at(1, 1)))
    }
}

impl<F: Fn(u32, u32) -> f64 + Send + Sync> Ground for GroundPyramid<F> {
    fn tile(&self, level: u32, x: u32, z: u32) -> Box<[f64; CELLS]> {
        let tile = TILE as u32;
        let cell = |at: usize| {
            let (i, k) = (x * tile + at as u32 % tile, z * tile + at as u32 / tile);
            match self.kept.get(level as usize) {
                Some((wide, cells)) => cells[i as usize + wide * k as usize],
                None => self.mean(level, i, k),
            }
        };
        Box::new(std::array::from_fn(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cell is the mean of its four, on every level, kept or not.
    #[test]
    fn cells_are_means_of_their_quarters() {
        let bumps = |i: u32, k: u32| ((i * 7 + k * 13) % 29) as f64 - 0.01 * f64::from(i * k % 101);
        let levels = 6;
        let size = [1024, 512];
        let pyramid = GroundPyramid::new(size, levels, bumps);
        for level in 0..levels - 1 {
            let parent = pyramid.tile(level, 0, 0);
            let children: Vec<_> = (0..4).map(|n| pyramid.tile(level + 1, n & 1, n >> 1)).collect();
            for at in 0..CELLS {
                let (i, k) = (2 * (at % TILE), 2 * (at / TILE));
                let mean = (0..4).map(|n| {
                    let (i, k) = (i + (n & 1), k + (n >> 1));
                    children[i / TILE + 2 * (k / TILE)][i % TILE + TILE * (k % TILE)]
                });
                let mean = mean.sum::<f64>() / 4.0;
                assert!((parent[at] - mean).abs() < 1e-12, "level {level}, cell {at}: {} {mean}", parent[at]);
            }
        }
    }
}
