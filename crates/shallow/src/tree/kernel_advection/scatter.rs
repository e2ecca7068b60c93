//! Sums that go to cells of any tile, made on many threads. Every tile adds up what it sends; then all that was sent is
//! delivered. Whole numbers add up to the same in any order.

use super::units::add_wide;
use crate::tree::layout::CELLS;

/// What the cells of one tile send, as `PLANES` numbers for each cell that gets something.
pub(super) struct Sent<const PLANES: usize> {
    slot: u32,
    /// To cells of the tile itself: most of it.
    own: Box<[[u64; CELLS]; PLANES]>,
    /// To cells of other tiles: slot, number in the tile.
    others: Vec<(u32, u32, [u64; PLANES])>,
}

impl<const PLANES: usize> Sent<PLANES> {
    pub(super) fn from_tile(slot: u32) -> Self {
        Self { slot, own: Box::new([[0; CELLS]; PLANES]), others: Vec::new() }
    }

    /// To cell `at` of the tile in `slot`; negative numbers as two's complement.
    pub(super) fn send(&mut self, slot: u32, at: usize, values: [u64; PLANES]) {
        if slot != self.slot {
            self.others.push((slot, at as u32, values));
            return;
        }
        for (plane, value) in self.own.iter_mut().zip(values) {
            plane[at] = plane[at].wrapping_add(value);
        }
    }

    /// Adds all of it to `words`, which has `tile_planes` planes a tile; `planes` says to which of them.
    pub(super) fn deliver(&self, words: &mut [u32], tile_planes: usize, planes: [usize; PLANES]) {
        let tile = |slot: u32| tile_planes * CELLS * slot as usize;
        for (values, plane) in self.own.iter().zip(planes) {
            let first = tile(self.slot) + plane * CELLS;
            for (at, &value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
                add_wide(words, first + at, value);
            }
        }
        for &(slot, at, values) in &self.others {
            for (value, plane) in values.into_iter().zip(planes) {
                add_wide(words, tile(slot) + plane * CELLS + at as usize, value);
            }
        }
    }
}
