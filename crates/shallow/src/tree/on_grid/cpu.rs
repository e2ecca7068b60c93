//! The body of `on_grid` on the processor.

use rayon::prelude::*;

use super::constants::{ACROSS, CORNERS, FULL, NO_WATER};
use super::corners::{Tree, Water};
use super::{OnGridParams, OnGridSlices};
use crate::physics::depth;
use crate::tree::layout::{CELLS, NONE, TILE};
use crate::tree::map::{Map, first_word};

/// Surface variable, discharge along x and z, bed: a cell of a uniform grid.
type State = [f32; 4];

/// A tile that was found.
#[derive(Clone, Copy)]
struct Found {
    slot: u32,
    level: u32,
}

pub(super) fn on_grid(p: &OnGridParams, a: OnGridSlices<'_>) {
    let tree = Tree { p, map: Map(a.topology), cells: a.cells };
    let (nx, cells) = (p.nx as usize, p.nx as usize * p.nz as usize);
    let (level, discharge) = a.state.split_at_mut(cells);
    let (qx, qz) = discharge.split_at_mut(if p.moves != 0 { cells } else { 0 });
    let discharge = qx.par_chunks_mut(nx).zip(qz.par_chunks_mut(nx)).map(Some);
    let discharge = discharge.chain((0..p.nz).into_par_iter().map(|_| None));
    let rows = level.par_chunks_mut(nx).zip(discharge).zip(a.bed.par_chunks_mut(nx)).zip(a.ground.par_chunks(nx));
    rows.enumerate().for_each(|(k, (((level, mut discharge), bed), ground))| {
        // A tile holds the next cells of a row too.
        let (mut found, mut until) = (None, 0);
        for i in 0..nx {
            let finest = [i, k].map(|n| (n as u32) << p.shift);
            if finest[0] >= until {
                found = tree.holding(finest);
                until = found.map_or(finest[0] + 1, |found: Found| {
                    let span = (TILE as u32) << tree.shift(found.level);
                    (finest[0] / span + 1) * span
                });
            }
            let state = match found {
                Some(found) => tree.state(found, a.corners, [i as u32, k as u32], ground[i]),
                None => dry(ground[i]),
            };
            (level[i], bed[i]) = (state[0], state[3]);
            if let Some((qx, qz)) = &mut discharge {
                (qx[i], qz[i]) = (state[1], state[2]);
            }
        }
    });
}

fn dry(ground: f32) -> State {
    [ground.min(0.0), 0.0, 0.0, ground]
}

/// Water of a surface and a depth that moves.
fn wet([surface, depth, u, w]: Water) -> State {
    let bed = surface - depth;
    [if bed < 0.0 { surface } else { depth }, depth * u, depth * w, bed]
}

impl Tree<'_> {
    /// The tile that holds a finest cell; `None` outside the domain.
    fn holding(&self, finest: [u32; 2]) -> Option<Found> {
        self.map.holding(self.p.levels, finest).map(|(slot, level)| Found { slot, level })
    }

    /// First word of the cell of a tile that holds a finest cell.
    fn cell(&self, found: Found, finest: [u32; 2]) -> usize {
        first_word(found.slot, finest, self.shift(found.level))
    }

    /// A cell of the grid of which a tile holds the first finest cell.
    fn state(&self, found: Found, corners: &[Water], [i, k]: [u32; 2], ground: f32) -> State {
        let shift = self.shift(found.level);
        let finest = [i << self.p.shift, k << self.p.shift];
        if shift < self.p.shift {
            return self.gathered(finest, ground);
        }
        let at = self.cell(found, finest);
        let [s, qx, qz, z] = [0, 1, 2, 3].map(|plane| self.cells[at + plane * CELLS]);
        let h = depth(s, z);
        if h <= 0.0 {
            return dry(ground);
        }
        if shift == self.p.shift {
            return [s, qx, qz, z];
        }
        if !self.is_wet(h, found.level) {
            return [h + ground.min(0.0), qx, qz, ground];
        }
        // From −1 to 1 across the cell.
        let per_cell = 1u32 << (shift - self.p.shift);
        let local = [i, k].map(|n| ((n & (per_cell - 1)) as f32 + 0.5) * (2.0 / per_cell as f32) - 1.0);
        wet(self.inside(found, corners, finest.map(|n| n >> shift), self.water(at), local))
    }

    /// The water inside a wet cell, whose numbers along x and z are given, at a place that is not its middle.
    fn inside(&self, found: Found, corners: &[Water], cell: [u32; 2], own: Water, [x, z]: [f32; 2]) -> Water {
        let out = x.abs().max(z.abs());
        // The side that a ray from the middle meets, and where along it, 0 to 1.
        let across_x = x.abs() >= z.abs();
        let side = [if across_x { u32::from(x > 0.0) } else { 0 }, if across_x { 0 } else { u32::from(z > 0.0) }];
        let along = 0.5 + 0.5 * if across_x { z } else { x } / out;
        let step = if across_x { [0, 1] } else { [1, 0] };
        let ends = [side, [side[0] + step[0], side[1] + step[1]]];
        let [from, to] = ends.map(|end| {
            let [i, k] = [0, 1].map(|axis| (cell[axis] % TILE as u32 + end[axis]) as usize);
            or(corners[CORNERS * found.slot as usize + i + ACROSS * k], own)
        });
        let middle = self.middle(found, corners, cell, side, step);
        let rim = if middle[1] == NO_WATER {
            mix(from, to, along)
        } else if along < 0.5 {
            mix(from, middle, 2.0 * along)
        } else {
            mix(middle, to, 2.0 * along - 1.0)
        };
        mix(own, rim, out)
    }

    /// The water in the middle of a cell's side, if cells are smaller beyond it; else without water.
    fn middle(&self, found: Found, corners: &[Water], cell: [u32; 2], side: [u32; 2], step: [u32; 2]) -> Water {
        // In cells of the next level: the middle, and a cell beyond it.
        let middle = [0, 1].map(|axis| (2 * (cell[axis] + side[axis]) + step[axis]) as i32);
        let beyond = [0, 1].map(|axis| middle[axis] - i32::from(step[axis] == 1 || side[axis] == 0));
        let tile = beyond.map(|n| n.div_euclid(TILE as i32));
        let slot = self.map.slot(found.level + 1, tile[0], tile[1]);
        if slot == NONE {
            return [0.0, NO_WATER, 0.0, 0.0];
        }
        let [i, k] = [0, 1].map(|axis| (middle[axis] - TILE as i32 * tile[axis]) as usize);
        corners[CORNERS * slot as usize + i + ACROSS * k]
    }

    /// The mean over the smaller cells in a cell of the grid, from its first finest cell on.
    fn gathered(&self, first: [u32; 2], ground: f32) -> State {
        let [mut area, mut bed, mut surface, mut wet_area, mut volume, mut qx, mut qz] = [0.0f32; 7];
        let whole = 1u32 << (2 * self.p.shift);
        let mut n = 0;
        // Along a curve that fills square after square (Morton): every cell of the tree is a run of it.
        while n < whole {
            let finest = [first[0] + every_other_bit(n), first[1] + every_other_bit(n >> 1)];
            let Some(found) = self.holding(finest) else {
                n += 1;
                continue;
            };
            let run = 1u32 << (2 * self.shift(found.level));
            n += run;
            let part = run as f32 / whole as f32;
            let at = self.cell(found, finest);
            let [above, h, u, w] = self.water(at);
            area += part;
            bed += part * self.cells[at + 3 * CELLS];
            if h > 0.0 {
                surface += part * above;
                wet_area += part;
                volume += part * h;
                qx += part * h * u;
                qz += part * h * w;
            }
        }
        if wet_area <= 0.0 {
            return dry(ground);
        }
        let h = volume / area;
        // Ground that is partly wet has no level of its own.
        let level = if wet_area > FULL * area { surface / wet_area } else { bed / area + h };
        wet([level, h, qx / volume, qz / volume])
    }
}

/// Bits 0, 2, 4, … of a number.
fn every_other_bit(n: u32) -> u32 {
    (0..16).map(|bit| (n >> bit) & (1 << bit)).sum()
}

fn or(water: Water, other: Water) -> Water {
    if water[1] == NO_WATER { other } else { water }
}

fn mix(a: Water, b: Water, part: f32) -> Water {
    std::array::from_fn(|n| a[n] + part * (b[n] - a[n]))
}
