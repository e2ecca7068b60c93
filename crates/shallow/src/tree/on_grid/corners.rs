//! The body of `tile_corners` on the processor.

use rayon::prelude::*;

use super::constants::{ACROSS, CORNERS, FILM, NO_WATER};
use super::{CornersSlices, OnGridParams};
use crate::physics::{depth, inverse_depth, surface};
use crate::tree::layout::{CELL_WORDS, CELLS, NONE, TILE};
use crate::tree::map::{Map, TilePlace, cell_in_tile};

/// Surface (m above the datum), depth (m) and velocity along x and z (m/s).
pub(super) type Water = [f32; 4];

/// A tree in memory.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    pub(super) p: &'a OnGridParams,
    pub(super) map: Map<'a>,
    pub(super) cells: &'a [f32],
}

impl Tree<'_> {
    /// Finest cells along a cell of a level, as a power of two.
    pub(super) fn shift(&self, level: u32) -> u32 {
        self.p.levels - 1 - level
    }

    /// The water of a cell by its first word.
    #[inline]
    pub(super) fn water(&self, at: usize) -> Water {
        let (s, z) = (self.cells[at], self.cells[at + 3 * CELLS]);
        let h = depth(s, z);
        let inverse = inverse_depth(h, self.p.h_eps);
        [surface(s, z), h, self.cells[at + CELLS] * inverse, self.cells[at + 2 * CELLS] * inverse]
    }

    /// Whether water is more than a film on a cell of a level.
    #[inline]
    pub(super) fn is_wet(&self, depth: f32, level: u32) -> bool {
        depth > FILM * self.p.cell * (1u32 << self.shift(level)) as f32
    }

    /// First word and level of the cell beside a corner of a tile's cells: `corner` counts cells of the tile's level,
    /// and `to` is −1 or 0 along x and z.
    #[inline]
    fn beside(&self, level: u32, corner: [i32; 2], to: [i32; 2]) -> Option<(usize, u32)> {
        let [i, k] = [corner[0] + to[0], corner[1] + to[1]];
        if let Some((slot, found)) = self.map.holder(level, i, k) {
            let shift = level - found;
            return Some((CELL_WORDS * slot as usize + cell_in_tile(i >> shift, k >> shift), found));
        }
        let [i, k] = [2 * corner[0] + to[0], 2 * corner[1] + to[1]];
        let slot = self.map.slot(level + 1, i.div_euclid(TILE as i32), k.div_euclid(TILE as i32));
        (slot != NONE).then(|| (CELL_WORDS * slot as usize + cell_in_tile(i, k), level + 1))
    }

    /// A mean over the wet cells around a corner, small cells counting more, so that a sloped surface is met exactly.
    /// The same bits whichever tile asks.
    fn corner(&self, slot: usize, place: TilePlace, [i, k]: [usize; 2]) -> Water {
        let (mut sum, mut weights) = ([0.0f32; 4], 0.0f32);
        let corner = [place.x as usize * TILE + i, place.z as usize * TILE + k].map(|n| n as i32);
        for to in [[-1, -1], [0, -1], [-1, 0], [0, 0]] {
            let [x, z] = [i as i32 + to[0], k as i32 + to[1]];
            let is_own = (0..TILE as i32).contains(&x) && (0..TILE as i32).contains(&z);
            let found = match is_own {
                true => Some((CELL_WORDS * slot + x as usize + TILE * z as usize, place.level)),
                false => self.beside(place.level, corner, to),
            };
            let Some((at, level)) = found else { continue };
            let water = self.water(at);
            if self.is_wet(water[1], level) {
                let weight = (1u32 << level) as f32;
                weights += weight;
                sum.iter_mut().zip(water).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        if weights > 0.0 { sum.map(|sum| sum / weights) } else { [0.0, NO_WATER, 0.0, 0.0] }
    }
}

pub(super) fn corners(p: &OnGridParams, a: CornersSlices<'_>) {
    let tree = Tree { p, map: Map(a.topology), cells: a.cells };
    a.corners.par_chunks_mut(CORNERS).enumerate().for_each(|(slot, corners)| {
        let Some(place) = tree.map.tile(slot as u32).filter(|place| tree.shift(place.level) >= p.shift) else { return };
        for (n, corner) in corners.iter_mut().enumerate() {
            *corner = tree.corner(slot, place, [n % ACROSS, n / ACROSS]);
        }
    });
}
