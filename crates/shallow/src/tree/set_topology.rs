//! A tree that is told how to be, by somebody who looks at what its tiles want: that is waited for.

use super::layout::want;
use super::layout::{clock, topology};
use super::map::TilePlace;
use super::step::{change, refine_criteria};
use super::water::TreeWater;
use crate::error::Result;

/// What a tile wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Four become one.
    Merge,
    /// Nothing changes.
    Keep,
    /// One becomes four.
    Split,
}

impl Wish {
    fn of(word: u32) -> Self {
        match word & want::BITS {
            want::MERGE => Self::Merge,
            want::SPLIT => Self::Split,
            _ => Self::Keep,
        }
    }

    fn word(self) -> u32 {
        match self {
            Self::Merge => want::MERGE,
            Self::Keep => want::KEEP,
            Self::Split => want::SPLIT,
        }
    }
}

impl TreeWater {
    /// Changes the tree now: `wish` is told the place of every tile and what it wants by itself, and says what it shall want. Neighbours still differ by one level at most, and
    /// there are still no more tiles than the budget allows; so not every wish comes true. Returns how many splits and merges there were.
    pub fn reshape(&mut self, mut wish: impl FnMut(TilePlace, Wish) -> Wish) -> Result<usize> {
        self.settle()?;
        self.catch_up()?;
        let words = topology::TILES + topology::TILE_WORDS * self.plan.capacity;
        let mut clock = vec![0.0; self.buffers.clock.len()];
        clock[clock::STRAIN] = self.strain;
        self.exec.write(&self.buffers.clock, 0, &clock)?;
        let mut rec = self.exec.record();
        refine_criteria(&mut rec, &self.plan, &self.buffers)?;
        rec.submit()?;
        let topology = self.exec.read_start(&self.buffers.topology, words)?.wait()?;
        let mut wants = self.exec.read(&self.buffers.wants)?;
        for (slot, place) in self.tiling().listed(&topology) {
            let word = &mut wants[slot as usize];
            *word = wish(place, Wish::of(*word)).word();
        }
        self.exec.write(&self.buffers.wants, 0, &wants)?;
        let mut rec = self.exec.record();
        change(&mut rec, &self.plan, &self.buffers)?;
        rec.submit()?;
        let changes = self.exec.read(&self.buffers.clock)?[clock::CHANGES];
        self.tiles = Some(self.exec.read_start(&self.buffers.topology, words)?);
        self.exec.wait()?;
        self.tend_tiles()?;
        Ok(changes as usize)
    }
}
