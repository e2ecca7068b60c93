//! The water of single cells, wherever they lie and whatever their size.

use super::layout::{CELL_WORDS, CELLS};
use super::map::{Map, cell_in_tile};
use crate::boundary::Cell;
use crate::physics::{depth, inverse_depth, max, min, surface};

/// Surface, depth and velocity of a cell.
pub(crate) type Prim = [f32; 4];

/// A look at the cells of a tree.
#[derive(Clone, Copy)]
pub(crate) struct NeighbourCells<'a> {
    pub(crate) map: Map<'a>,
    pub(crate) cells: &'a [f32],
    pub(crate) h_eps: f32,
}

impl NeighbourCells<'_> {
    /// Words of a tile.
    pub(crate) fn tile(&self, slot: u32) -> &[f32] {
        &self.cells[CELL_WORDS * slot as usize..][..CELL_WORDS]
    }

    pub(crate) fn stored(&self, slot: u32, at: usize) -> Cell {
        let tile = self.tile(slot);
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

    /// Mean of the four cells of a tile that one of the next coarser level is made of; dry if one of them is: it serves
    /// slopes, which end at dry cells.
    ///
    /// `ago` is how long before now, over the size of one of the four (s/m): their differences tell how they were then.
    /// `g` is gravity.
    fn mean(&self, slot: u32, i: i32, k: i32, ago: f32, g: f32) -> Prim {
        let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(di, dk)| self.at(slot, i + di, k + dk));
        let combine = |signs: [f32; 4]| -> Prim {
            std::array::from_fn(|n| {
                (signs[0] * four[0][n] + signs[1] * four[1][n]) + (signs[2] * four[2][n] + signs[3] * four[3][n])
            })
        };
        let mean = combine([0.25; 4]);
        let lowest = four.iter().fold(f32::INFINITY, |low, v| min(v[1], low));
        if lowest <= self.h_eps {
            return [mean[0], 0.0, 0.0, 0.0];
        }
        if ago <= 0.0 {
            return mean;
        }
        let (x, z) = (combine([-0.5, 0.5, -0.5, 0.5]), combine([-0.5, -0.5, 0.5, 0.5]));
        let [eta, h, u, w] = mean;
        let fall = ago * (u * x[1] + h * x[2] + w * z[1] + h * z[3]);
        [
            eta + fall,
            max(h + fall, 0.0),
            u + ago * (u * x[2] + w * z[2] + g * x[0]),
            w + ago * (u * x[3] + w * z[3] + g * z[0]),
        ]
    }

    /// The same as it is now.
    pub(crate) fn mean_of(&self, slot: u32, i: i32, k: i32) -> Prim {
        self.mean(slot, i, k, 0.0, 0.0)
    }

    /// The water at a cell of a level inside the domain: of that size, of the larger cell that holds it, or of the four
    /// that it is made of. Of smaller cells, which step first, what they were a while `ago`, see [`Self::mean`].
    pub(crate) fn rough_before(&self, level: u32, i: i32, k: i32, ago: f32, g: f32) -> Option<Prim> {
        match self.map.holder(level, i, k) {
            Some((slot, found)) if found == level => Some(self.at(slot, i, k)),
            Some((slot, _)) => Some(self.at(slot, i >> 1, k >> 1)),
            None => {
                let (slot, found) = self.map.holder(level + 1, 2 * i, 2 * k)?;
                (found == level + 1).then(|| self.mean(slot, 2 * i, 2 * k, ago, g))
            }
        }
    }
}
