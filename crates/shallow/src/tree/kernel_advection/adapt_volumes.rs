//! Volumes of tiles that split and merge. Surfaces have been moved already (`crate::tree::adapt_apply`), to the
//! rounding of f32; here the whole numbers are made to add up, and surfaces
//! follow them.
//!
//! Where the bed of a parent is not the mean of its children's to the last bit, a lake that merges keeps its volume,
//! and its level moves by the bed's rounding.

use super::units::{put_wide, surface_of, volume_of, wide};
use super::{AdaptVolumesSlices, KernelParams, plane};
use crate::tree::layout::action;
use crate::tree::layout::{CELL_WORDS, CELLS, TILE};
use crate::tree::map::Map;

pub(super) fn adapt_volumes(p: &KernelParams, s: AdaptVolumesSlices<'_>) {
    let map = Map(s.topology);
    for slot in 0..p.capacity {
        let plan = &s.plan[action::WORDS * slot as usize..][..action::WORDS];
        let slots = [slot, plan[1], plan[2], plan[3]];
        // As it is after the change.
        let Some(tile) = map.tile(slot) else { continue };
        let shift = p.levels - 1 - tile.level;
        let mut tiles = Tiles { volumes: s.volumes, cells: s.cells, bits: p.depth_bits, shift };
        match plan[0] {
            action::SPLIT => tiles.split(slots),
            action::MERGE => tiles.merge(slots),
            _ => {}
        }
    }
}

/// Where quarter `n` of cell `at` of a parent is: which child, and its number there.
fn quarter(at: usize, n: usize) -> (usize, usize) {
    let (i, k) = (2 * (at % TILE) + (n & 1), 2 * (at / TILE) + (n >> 1));
    ((i / TILE) | (k / TILE) << 1, (i % TILE) + TILE * (k % TILE))
}

/// Tiles while they change; `shift` is that of the cells that come out.
struct Tiles<'a> {
    volumes: &'a mut [u32],
    cells: &'a mut [f32],
    bits: u32,
    shift: u32,
}

impl Tiles<'_> {
    fn volume(&self, slot: u32, at: usize) -> u64 {
        wide(self.volumes, plane::VOLUMES * CELLS * slot as usize + at)
    }

    /// Sets the water of a cell.
    fn put(&mut self, slot: u32, at: usize, volume: u64) {
        let cell = CELL_WORDS * slot as usize + at;
        put_wide(self.volumes, plane::VOLUMES * CELLS * slot as usize + at, volume);
        self.cells[cell] = surface_of(volume, self.cells[cell + 3 * CELLS], self.bits, self.shift);
    }

    /// Volumes by the surfaces that were found; what is missing to the parent's volume is shared, or goes to the
    /// largest if one has less than that.
    fn split(&mut self, slots: [u32; 4]) {
        let parent: [u64; CELLS] = std::array::from_fn(|at| self.volume(slots[0], at));
        for (at, volume) in parent.into_iter().enumerate() {
            let quarters: [(u32, usize); 4] = std::array::from_fn(|n| {
                let (child, cell) = quarter(at, n);
                (slots[child], cell)
            });
            let four = quarters.map(|(slot, cell)| {
                let cell = CELL_WORDS * slot as usize + cell;
                volume_of(self.cells[cell], self.cells[cell + 3 * CELLS], self.bits, self.shift)
            });
            for ((slot, cell), volume) in quarters.into_iter().zip(made_to_add_up(four, volume)) {
                self.put(slot, cell, volume);
            }
        }
    }

    fn merge(&mut self, slots: [u32; 4]) {
        let parent: [u64; CELLS] = std::array::from_fn(|at| {
            let part = |n: usize| {
                let (child, cell) = quarter(at, n);
                self.volume(slots[child], cell)
            };
            part(0) + part(1) + part(2) + part(3)
        });
        for (at, volume) in parent.into_iter().enumerate() {
            self.put(slots[0], at, volume);
        }
    }
}

/// Four volumes changed as little as need be to have a sum.
fn made_to_add_up(mut four: [u64; 4], sum: u64) -> [u64; 4] {
    let found = four[0] + four[1] + four[2] + four[3];
    let largest = (0..4).fold(0, |best, n| if four[n] > four[best] { n } else { best });
    let least = four[0].min(four[1]).min(four[2]).min(four[3]);
    if sum >= found {
        let more = sum - found;
        if least > more {
            four = four.map(|v| v + more / 4);
            four[largest] += more % 4;
        } else {
            four[largest] += more;
        }
        return four;
    }
    let less = found - sum;
    if least > less {
        four = four.map(|v| v - less / 4);
        four[largest] -= less % 4;
        return four;
    }
    // From the largest on, as long as there is any.
    let mut left = less;
    for _ in 0..4 {
        let largest = (0..4).fold(0, |best, n| if four[n] > four[best] { n } else { best });
        let taken = left.min(four[largest]);
        four[largest] -= taken;
        left -= taken;
    }
    four
}
