//! The ground of a function that is too long to look at in every finest cell.

use rayon::prelude::*;

use super::layout::{CELLS, TILE};
use super::setup::Ground;

/// The ground of any function of place, looked at once per cell of some level and below that where tiles ask for it.
///
/// Cells of the sampled level have the elevation at their middle, coarser ones the mean of their four. Finer ones
/// differ from each other like the elevations at their middles, and are moved together so that their mean is the
/// coarser cell's: detail is kept, and a lake stays at rest when cells merge. Where the ground bends within a sampled
/// cell its finest cells lie beside the function, by about what it bends there.
pub struct SampledGround<F> {
    elevation: F,
    /// Size of the finest cells, m.
    cell: f64,
    levels: u32,
    /// Cells along x, and elevations, of levels from 0 to the sampled one.
    kept: Vec<(usize, Vec<f64>)>,
}

impl<F> std::fmt::Debug for SampledGround<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SampledGround").field("levels", &self.levels).finish_non_exhaustive()
    }
}

impl<F: Fn([f64; 2]) -> f64 + Send + Sync> SampledGround<F> {
    /// Ground over `size` finest cells of `cell` metres; `elevation` (m) of a place (x, z), m from the low corner. The
    /// sampled level is the finest with at most `samples` cells.
    pub fn new(size: [u32; 2], cell: f64, levels: u32, samples: u64, elevation: F) -> Self {
        let across = |level: u32| size.map(|n| n.div_ceil(1 << (levels - 1 - level)) as usize);
        let fits = |level: &u32| across(*level).into_iter().map(|n| n as u64).product::<u64>() <= samples;
        let sampled = (0..levels).rev().find(fits).unwrap_or(0);
        let mut ground = Self { elevation, cell, levels, kept: Vec::new() };
        let mut kept: Vec<(usize, Vec<f64>)> = Vec::new();
        for level in (0..=sampled).rev() {
            let [nx, nz] = across(level);
            let below = kept.last();
            let value = |i: usize, k: usize| match below {
                Some((wide, below)) => {
                    // Cells that stick out of the domain are never asked for.
                    let last = [*wide - 1, below.len() / wide - 1];
                    let at = |di: usize, dk: usize| below[(2 * i + di).min(last[0]) + wide * (2 * k + dk).min(last[1])];
                    0.25 * ((at(0, 0) + at(1, 0)) + (at(0, 1) + at(1, 1)))
                }
                None => ground.at(level, i as u32, k as u32),
            };
            let mut cells = vec![0.0; nx * nz];
            cells.par_chunks_mut(nx).enumerate().for_each(|(k, row)| {
                row.iter_mut().enumerate().for_each(|(i, cell)| *cell = value(i, k));
            });
            kept.push((nx, cells));
        }
        kept.reverse();
        ground.kept = kept;
        ground
    }

    /// Elevation at the middle of a cell, m.
    fn at(&self, level: u32, i: u32, k: u32) -> f64 {
        let size = self.cell * f64::from(1u32 << (self.levels - 1 - level));
        (self.elevation)([i, k].map(|n| (f64::from(n) + 0.5) * size))
    }

    /// Elevations of `n` by `n` cells of a level from `(i, k)` on.
    fn block(&self, level: u32, [i, k]: [u32; 2], n: u32) -> Vec<f64> {
        if let Some((wide, cells)) = self.kept.get(level as usize) {
            let row = |dk: u32| &cells[i as usize + wide * (k + dk) as usize..][..n as usize];
            return (0..n).flat_map(|dk| row(dk).iter().copied()).collect();
        }
        // Cells of the next coarser level that hold them; the first and the last may stick out.
        let (first, last) = ([i / 2, k / 2], [(i + n - 1) / 2, (k + n - 1) / 2]);
        let across = (last[0] - first[0]).max(last[1] - first[1]) + 1;
        let parents = self.block(level - 1, first, across);
        let mut out = vec![0.0; (n * n) as usize];
        for pk in first[1]..=last[1] {
            for pi in first[0]..=last[0] {
                let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(di, dk)| (2 * pi + di, 2 * pk + dk));
                let own = quarters.map(|(i, k)| self.at(level, i, k));
                let mean = 0.25 * ((own[0] + own[1]) + (own[2] + own[3]));
                let moved = parents[((pi - first[0]) + across * (pk - first[1])) as usize] - mean;
                for ((ci, ck), own) in quarters.into_iter().zip(own) {
                    let (di, dk) = (ci.wrapping_sub(i), ck.wrapping_sub(k));
                    if di < n && dk < n {
                        out[(di + n * dk) as usize] = own + moved;
                    }
                }
            }
        }
        out
    }
}

impl<F: Fn([f64; 2]) -> f64 + Send + Sync> Ground for SampledGround<F> {
    fn tile(&self, level: u32, x: u32, z: u32) -> Box<[f64; CELLS]> {
        let tile = TILE as u32;
        let cells = self.block(level, [x * tile, z * tile], tile);
        Box::new(std::array::from_fn(|at| cells[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::GroundPyramid;

    fn bumps([x, z]: [f64; 2]) -> f64 {
        (0.031 * x).sin() * 3.0 + (0.5 * z + 0.1 * x).cos() - 0.01 * x
    }

    /// Every cell is the mean of its four, on every level, sampled or not, in domains of odd sizes too.
    #[test]
    fn cells_are_means_of_their_quarters() {
        let (size, levels) = ([16 * 37, 16 * 21], 6);
        let ground = SampledGround::new(size, 0.5, levels, 2000, bumps);
        assert_eq!(ground.kept.len(), 2, "74 x 42 cells of level 2 are too many");
        for level in 0..levels - 1 {
            let span = (TILE as u32) << (levels - 1 - level);
            for (x, z) in [(0, 0), (1, 0), (size[0] / span - 1, (size[1] / span).saturating_sub(1))] {
                if (x + 1) * span > size[0] || (z + 1) * span > size[1] {
                    continue;
                }
                let parent = ground.tile(level, x, z);
                let children: Vec<_> =
                    (0..4).map(|n| ground.tile(level + 1, 2 * x + (n & 1), 2 * z + (n >> 1))).collect();
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

    #[test]
    fn with_samples_enough_it_is_the_pyramid() {
        let (size, levels) = ([64, 128], 3);
        let sampled = SampledGround::new(size, 2.0, levels, 1 << 20, bumps);
        let centre = |n: u32| (f64::from(n) + 0.5) * 2.0;
        let pyramid = GroundPyramid::new(size, levels, |i, k| bumps([centre(i), centre(k)]));
        for (level, x, z) in [(0, 0, 1), (1, 1, 3), (2, 3, 7)] {
            assert_eq!(sampled.tile(level, x, z), pyramid.tile(level, x, z));
        }
    }

    /// Between samples the ground goes on as the function does: it has no steps where it is a slope.
    #[test]
    fn slopes_stay_slopes() {
        let slope = |[x, z]: [f64; 2]| 0.25 * x - 0.5 * z;
        let ground = SampledGround::new([512, 512], 1.0, 5, 64 * 64, slope);
        let tile = ground.tile(4, 7, 20);
        for at in 0..CELLS {
            let place = [7 * TILE + at % TILE, 20 * TILE + at / TILE].map(|n| n as f64 + 0.5);
            assert!((tile[at] - slope(place)).abs() < 1e-9);
        }
    }
}
