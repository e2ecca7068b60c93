//! What lies under a window: [004] §4.4.
//!
//! The window of a cell is as large as the cell, moved by a part of it that is counted in 2⁻²⁸. It lies on at most 2 ×
//! 2 places of the cell's size. At each of them is a cell of that size, a part of a larger one, or four smaller ones:
//! windows reach less than half a tile, and there neighbours differ by one level.

use super::constants::{REACH, SIDE, SIDE_BITS};
use crate::tree::layout::{NONE, TILE, lists};
use crate::tree::map::{Map, TilePlace, cell_in_tile};

use super::KernelParams;

/// A leaf of the tree under a window, and what of the window lies on it: sides of the overlap, in parts of the
/// *window's* side.
pub(super) struct Leaf {
    pub(super) slot: u32,
    /// Number in its tile.
    pub(super) at: usize,
    pub(super) level: u32,
    wide: u32,
    long: u32,
}

impl Leaf {
    /// The part of the window that lies on the leaf.
    pub(super) fn of_window(&self) -> u32 {
        ((u64::from(self.wide) * u64::from(self.long)) >> 26) as u32
    }

    /// The part of the leaf that lies under the window of a cell of `level`.
    pub(super) fn of_leaf(&self, level: u32) -> u32 {
        // A leaf one level coarser has four times the window's area, one level finer a quarter.
        let shift = 26 + 2 * level - 2 * self.level;
        ((u64::from(self.wide) * u64::from(self.long)) >> shift) as u32
    }
}

/// Windows of the cells of a level.
#[derive(Clone, Copy)]
pub(super) struct Windows<'a> {
    pub(super) map: Map<'a>,
    /// Places in lists by slot; NONE for those asleep.
    places: &'a [u32],
    level: u32,
    /// Cells of the domain on this level.
    size: [i32; 2],
}

impl<'a> Windows<'a> {
    pub(super) fn new(p: &KernelParams, topology: &'a [u32], lists: &'a [u32]) -> Self {
        let size = [p.nx, p.nz].map(|n| (n >> p.shift()) as i32);
        Self { map: Map(topology), places: &lists[lists::PLACES..], level: p.level, size }
    }

    pub(super) fn awake(&self, slot: u32) -> bool {
        self.places[slot as usize] != NONE
    }

    /// The tile that steps in a slot of this level.
    pub(super) fn stepping(&self, slot: u32) -> Option<TilePlace> {
        self.map.tile(slot).filter(|place| place.level == self.level && self.awake(slot))
    }

    /// Tells `f` of every leaf that is awake under the window of cell `at` of a tile, moved by `offset`. A window that
    /// would leave the domain is shifted inside.
    pub(super) fn each(&self, slot: u32, tile: TilePlace, at: usize, offset: [i32; 2], mut f: impl FnMut(Leaf)) {
        let side = TILE as i32;
        let origin = [tile.x as i32 * side, tile.z as i32 * side];
        let own = [origin[0] + (at % TILE) as i32, origin[1] + (at / TILE) as i32];
        let [(i, part_x), (k, part_z)] = [0, 1].map(|axis| {
            let cell = own[axis] + (offset[axis] >> SIDE_BITS);
            let last = self.size[axis] - 1;
            match cell {
                ..0 => (0, 0),
                cell if cell >= last => (last, 0),
                cell => (cell, offset[axis] as u32 & (SIDE - 1)),
            }
        });
        for (dk, from_z, to_z) in [(0, part_z, SIDE), (1, 0, part_z)] {
            for (di, from_x, to_x) in [(0, part_x, SIDE), (1, 0, part_x)] {
                if from_x == to_x || from_z == to_z {
                    continue;
                }
                let (i, k) = (i + di, k + dk);
                let (wide, long) = (to_x - from_x, to_z - from_z);
                let inside = i >= origin[0] && k >= origin[1] && i < origin[0] + side && k < origin[1] + side;
                let found = if inside { Some((slot, self.level)) } else { self.map.holder(self.level, i, k) };
                match found {
                    Some((slot, level)) => {
                        let at = if level == self.level { cell_in_tile(i, k) } else { cell_in_tile(i >> 1, k >> 1) };
                        if self.awake(slot) {
                            f(Leaf { slot, at, level, wide, long });
                        }
                    }
                    None => self.smaller([i, k], [from_x, to_x], [from_z, to_z], &mut f),
                }
            }
        }
    }

    /// The four smaller cells at a place of this level.
    fn smaller(&self, [i, k]: [i32; 2], x: [u32; 2], z: [u32; 2], f: &mut impl FnMut(Leaf)) {
        let level = self.level + 1;
        let side = TILE as i32;
        let slot = self.map.slot(level, (2 * i).div_euclid(side), (2 * k).div_euclid(side));
        if slot == NONE || !self.awake(slot) {
            return;
        }
        let half = |[from, to]: [u32; 2], n: u32| {
            let (low, high) = (n * SIDE / 2, (n + 1) * SIDE / 2);
            to.min(high).saturating_sub(from.max(low))
        };
        for n in 0..4u32 {
            let (wide, long) = (half(x, n & 1), half(z, n >> 1));
            if wide > 0 && long > 0 {
                let at = cell_in_tile(2 * i + (n & 1) as i32, 2 * k + (n >> 1) as i32);
                f(Leaf { slot, at, level, wide, long });
            }
        }
    }
}

/// Drift of a velocity as parts of a cell: `u Δt / s`, at most [`REACH`].
pub(super) fn drift_of(cells: f32) -> i32 {
    (cells.clamp(-REACH, REACH) * SIDE as f32) as i32
}
