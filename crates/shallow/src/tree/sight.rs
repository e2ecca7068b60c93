//! The water of single cells, wherever they lie and whatever their size.

use super::layout::{CELL_WORDS, CELLS};
use super::map::{Map, cell_in_tile};
use crate::boundary::Cell;
use crate::physics::{depth, inverse_depth, min, surface};

/// Surface, depth and velocity of a cell.
pub(crate) type Prim = [f32; 4];

/// A look at the cells of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) map: Map<'a>,
    pub(crate) cells: &'a [f32],
    pub(crate) h_eps: f32,
}

impl Sight<'_> {
    pub(crate) fn stored(&self, slot: u32, at: usize) -> Cell {
        let tile = &self.cells[CELL_WORDS * slot as usize..][..CELL_WORDS];
        Cell { s: tile[at], qx: tile[at + CELLS], qz: tile[at + 2 * CELLS], z: tile[at + 3 * CELLS] }
    }

    pub(crate) fn prim(&self, c: Cell) -> Prim {
        let h = depth(c.s, c.z);
        let inverse = inverse_depth(h, self.h_eps);
        [surface(c.s, c.z), h, c.qx * inverse, c.qz * inverse]
    }

    pub(crate) fn at(&self, slot: u32, i: i32, k: i32) -> Prim {
        self.prim(self.stored(slot, cell_in_tile(i, k)))
    }

    /// Mean of the four cells of a tile that one of the next coarser level is made of; dry if one of them is: it serves slopes, which end at dry cells.
    fn mean(&self, slot: u32, i: i32, k: i32) -> Prim {
        let mut sum = [0.0; 4];
        let mut lowest = f32::INFINITY;
        for (di, dk) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let v = self.at(slot, i + di, k + dk);
            lowest = min(v[1], lowest);
            for (sum, v) in sum.iter_mut().zip(v) {
                *sum += 0.25 * v;
            }
        }
        if lowest > self.h_eps { sum } else { [sum[0], 0.0, 0.0, 0.0] }
    }

    /// The water at a cell of a level inside the domain as it is now: of that size, of the larger cell that holds it, or of the four that it is made of.
    pub(crate) fn rough(&self, level: u32, i: i32, k: i32) -> Option<Prim> {
        match self.map.holder(level, i, k) {
            Some((slot, found)) if found == level => Some(self.at(slot, i, k)),
            Some((slot, _)) => Some(self.at(slot, i >> 1, k >> 1)),
            None => {
                let (slot, found) = self.map.holder(level + 1, 2 * i, 2 * k)?;
                (found == level + 1).then(|| self.mean(slot, 2 * i, 2 * k))
            }
        }
    }
}
