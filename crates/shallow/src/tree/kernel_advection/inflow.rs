use rayon::prelude::*;

use super::tallies::{self, tally};
use super::units::{momentum_of, momentum_units, put_wide, to_f32, wide};
use super::window::Windows;
use super::{InflowSlices, KernelParams, plane};
use crate::tree::layout::{CELLS, TILE, clock, source};
use crate::tree::params::covers;

/// Rain and sources: whole units to every cell under them, or from it, as long as there are any. Water that comes
/// brings no momentum, water that goes takes its own along.
pub(super) fn inflow(p: &KernelParams, s: InflowSlices<'_>) {
    let windows = Windows::new(p, s.topology, s.lists);
    let tiles =
        s.arrivals.par_chunks_mut(plane::ARRIVALS * CELLS).zip(s.tallies.par_chunks_mut(tallies::WORDS)).enumerate();
    tiles.for_each(|(slot, (arrivals, counts))| {
        let Some(tile) = windows.stepping(slot as u32) else { return };
        let low = [tile.x, tile.z].map(|n| (n * TILE as u32) as f32 * p.cell);
        // What rain gave and took, what sources gave and took.
        let mut moved = [[0u64; 2]; 2];
        for at in 0..CELLS {
            let x = low[0] + ((at % TILE) as f32 + 0.5) * p.cell;
            let z = low[1] + ((at / TILE) as f32 + 0.5) * p.cell;
            let before = wide(arrivals, at);
            let mut volume = before;
            let mut keep = 1.0;
            for n in 0..=p.sources as usize {
                if n > 0 && !covers(&s.clock[clock::SOURCES + source::WORDS * (n - 1)..][..source::WORDS], x, z) {
                    continue;
                }
                let portion = s.portions[2 * n];
                let units = (portion.abs() as u64) << (2 * p.shift());
                if portion >= 0.0 {
                    volume += units;
                    moved[n.min(1)][0] += units;
                } else if volume > 0 {
                    let gone = units.min(volume);
                    keep *= to_f32(volume - gone) / to_f32(volume);
                    volume -= gone;
                    moved[n.min(1)][1] += gone;
                }
            }
            if volume != before || keep < 1.0 {
                put_wide(arrivals, at, volume);
            }
            if keep < 1.0 {
                for word in [plane::MOMENTUM, plane::MOMENTUM + 2].map(|plane| at + plane * CELLS) {
                    put_wide(arrivals, word, momentum_units(momentum_of(wide(arrivals, word)) * keep));
                }
            }
        }
        let counts_of = [tally::RAIN_GIVEN, tally::RAIN_TAKEN, tally::SOURCES_GIVEN, tally::SOURCES_TAKEN];
        counts_of.into_iter().zip(moved.into_iter().flatten()).for_each(|(at, units)| tallies::add(counts, at, units));
    });
}
