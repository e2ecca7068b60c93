//! Velocities: diffusion, gravity, friction. The stencil is [004] §4.3: neighbours are never smaller than the cell.

use rayon::prelude::*;

use super::window::{Windows, drift_of};
use super::{DriftSlices, KernelParams, plane};
use crate::physics::{inverse_cbrt, max, min};
use crate::tree::layout::{CELLS, NONE, TILE, clock};
use crate::tree::map::{TilePlace, cell_in_tile};
use crate::tree::sight::{Prim, Sight};

/// Largest `c² Δt² / s²` that gravity is allowed (methods note §4.1).
const MOST_COURANT2: f32 = 0.5;

pub(super) fn drift(p: &KernelParams, s: DriftSlices<'_>) {
    let windows = Windows::new(p, s.topology, s.lists);
    let look =
        Look { p, sight: Sight { map: windows.map, cells: s.cells, h_eps: p.h_eps }, dt: s.clock[clock::TICK_DT] };
    let tiles = s
        .flow
        .par_chunks_mut(plane::FLOW * CELLS)
        .zip(s.drift.par_chunks_mut(plane::DRIFT * CELLS))
        .zip(s.asked.par_chunks_mut(plane::ASKED * CELLS))
        .enumerate();
    tiles.for_each(|(slot, ((flow, drift), asked))| {
        let Some(tile) = windows.stepping(slot as u32) else { return };
        asked.fill(0);
        let water = look.water(slot as u32);
        for at in 0..CELLS {
            let velocity = look.velocity(&water, tile, at);
            for (axis, u) in velocity.into_iter().enumerate() {
                flow[at + axis * CELLS] = u;
                drift[at + axis * CELLS] = drift_of(u * (look.dt / p.cell)) as u32;
            }
        }
    });
}

struct Look<'a> {
    p: &'a KernelParams,
    sight: Sight<'a>,
    dt: f32,
}

/// The water beside a cell, how far its middle is away, and the size of the smaller cell at the face, m.
#[derive(Clone, Copy)]
struct Beside {
    water: Prim,
    distance: f32,
    face: f32,
}

impl Look<'_> {
    /// All water of a tile.
    fn water(&self, slot: u32) -> [Prim; CELLS] {
        std::array::from_fn(|at| self.sight.prim(self.sight.stored(slot, at)))
    }

    /// Velocity of a cell of a tile at the end of the step, before it is carried along.
    fn velocity(&self, water: &[Prim; CELLS], tile: TilePlace, at: usize) -> [f32; 2] {
        let (i, k) = ((at % TILE) as i32, (at / TILE) as i32);
        let own = water[at];
        let side = TILE as i32;
        let (gi, gk) = (tile.x as i32 * side + i, tile.z as i32 * side + k);
        let beside = [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(di, dk)| {
            let (i, k) = (i + di, k + dk);
            if (0..side).contains(&i) && (0..side).contains(&k) {
                let (distance, face) = (self.p.cell, self.p.cell);
                return Some(Beside { water: water[cell_in_tile(i, k)], distance, face });
            }
            self.beside(gi + di, gk + dk)
        });
        let [u, w] = self.diffused(own, &beside);
        let beside = beside.map(|b| b.filter(|b| !self.is_bank(own, b.water)));
        let u = self.pulled(u, own, beside[0], beside[1]);
        let w = self.pulled(w, own, beside[2], beside[3]);
        let slow = self.friction(own[1], (u * u + w * w).sqrt());
        [u * slow, w * slow]
    }

    /// The water at a place of this level; `None` outside the domain.
    fn beside(&self, i: i32, k: i32) -> Option<Beside> {
        let (level, cell) = (self.p.level, self.p.cell);
        let [nx, nz] = [self.p.nx, self.p.nz].map(|n| (n >> self.p.shift()) as i32);
        if i < 0 || k < 0 || i >= nx || k >= nz {
            return None;
        }
        match self.sight.map.holder(level, i, k) {
            Some((slot, found)) if found == level => {
                Some(Beside { water: self.sight.at(slot, i, k), distance: cell, face: cell })
            }
            Some((slot, _)) => {
                Some(Beside { water: self.sight.at(slot, i >> 1, k >> 1), distance: 1.5 * cell, face: cell })
            }
            None => {
                let side = TILE as i32;
                let slot = self.sight.map.slot(level + 1, (2 * i).div_euclid(side), (2 * k).div_euclid(side));
                (slot != NONE).then(|| Beside {
                    water: self.mean(slot, 2 * i, 2 * k),
                    distance: cell,
                    face: 0.5 * cell,
                })
            }
        }
    }

    /// Whether land without water rises above the water of a cell.
    fn is_bank(&self, own: Prim, water: Prim) -> bool {
        water[1] <= self.p.h_eps && water[0] - water[1] >= own[0]
    }

    /// The parent of four cells ([004] §4.3): the mean of those that are wet; if none is, the lowest bed. At equal levels it is that level to the last bit.
    fn mean(&self, slot: u32, i: i32, k: i32) -> Prim {
        let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(di, dk)| self.sight.at(slot, i + di, k + dk));
        let wet = four.map(|v| if v[1] > 0.0 { 1.0 } else { 0.0 });
        let count: f32 = (wet[0] + wet[1]) + (wet[2] + wet[3]);
        let lowest = min(min(four[0][0], four[1][0]), min(four[2][0], four[3][0]));
        if count == 0.0 {
            return [lowest, 0.0, 0.0, 0.0];
        }
        let first = if wet[0] > 0.0 {
            four[0]
        } else if wet[1] > 0.0 {
            four[1]
        } else if wet[2] > 0.0 {
            four[2]
        } else {
            four[3]
        };
        std::array::from_fn(|c| {
            let off = |n: usize| wet[n] * (four[n][c] - first[c]);
            first[c] + ((off(0) + off(1)) + (off(2) + off(3))) / count
        })
    }

    /// Velocity after diffusion, `u + Δt ν ∇²u` with `ν Δt / s² ≤ ¼`, among wet cells. A dry cell has no velocity of its own, but a virtual one, which lets it ask for water
    /// ([004] §4.6): the mean of the wet ones beside it that reach above its bed. Films count as dry.
    fn diffused(&self, own: Prim, beside: &[Option<Beside>; 4]) -> [f32; 2] {
        let thin = self.p.h_eps;
        let (mut count, mut sum) = (0.0, [0.0; 2]);
        for water in
            beside.iter().flatten().map(|b| b.water).filter(|water| water[1] > thin && water[0] > own[0] - own[1])
        {
            count += 1.0;
            sum = [sum[0] + (water[2] - own[2]), sum[1] + (water[3] - own[3])];
        }
        let wet = own[1] > thin;
        let part = if wet {
            min(self.p.viscosity * self.dt / (self.p.cell * self.p.cell), 0.25)
        } else {
            1.0 / max(count, 1.0)
        };
        [own[2] + part * sum[0], own[3] + part * sum[1]]
    }

    /// A velocity component after gravity: the surface's difference on the upwind side ([004] §4.2), as long as that is the upwind side. No water comes out of a wall.
    fn pulled(&self, u: f32, own: Prim, low: Option<Beside>, high: Option<Beside>) -> f32 {
        let pull = |beside: Option<Beside>| beside.map(|beside| self.pull(own, beside));
        if u >= 0.0 {
            turned(u, pull(low), pull(high).unwrap_or(0.0))
        } else {
            -turned(-u, pull(high), pull(low).unwrap_or(0.0))
        }
    }

    /// What gravity adds to the velocity away from a neighbour, m/s. Both surfaces end at the higher bed of the two: a lake has no slope towards its shore.
    fn pull(&self, own: Prim, other: Beside) -> f32 {
        let Beside { water, distance, face } = other;
        let bed = max(own[0] - own[1], water[0] - water[1]);
        let (here, there) = (max(own[0], bed), max(water[0], bed));
        let d = max(here, there) - bed;
        // g_eff = g min(1, C² s² / (g d Δt²)).
        let most = MOST_COURANT2 * face * face / max(d * self.dt * self.dt, 1e-30);
        min(self.p.gravity, most) * self.dt * (there - here) / distance
    }

    /// Friction that never turns a flow round: `1 / (1 + Δt k |u| / d)`, with Manning's `g n² d^(-1/3)` beside the constant k. Virtual velocities have none.
    fn friction(&self, h: f32, speed: f32) -> f32 {
        if h <= self.p.h_eps {
            return 1.0;
        }
        let k = self.p.friction + self.p.drag * inverse_cbrt(h);
        1.0 / (1.0 + self.dt * k * speed / h)
    }
}

/// Speed away from the upwind side after the pulls away from both sides. Where the upwind one would turn the water round it stops, and for what is left of the step it is the other side that pulls: on to
/// where the water now goes, or not at all. Without the stop a crest, which both sides push back and forth, gains energy with every turn.
fn turned(speed: f32, upwind: Option<f32>, other: f32) -> f32 {
    let left = match upwind {
        None => 1.0,
        Some(pull) if speed + pull > 0.0 => return speed + pull,
        Some(pull) if pull < 0.0 => 1.0 + speed / pull,
        Some(_) => 1.0,
    };
    min(-max(left, 0.0) * other, 0.0)
}
