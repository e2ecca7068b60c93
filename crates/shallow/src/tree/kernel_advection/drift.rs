//! Velocities: diffusion, gravity, friction. The stencil is [004] §4.3: neighbours are never smaller than the cell.

use super::constants::MOST_COURANT2;
use rayon::prelude::*;

use super::units::ONE;
use super::window::{Windows, drift_of};
use super::{DriftSlices, KernelParams, plane};
use crate::physics::{inverse_cbrt, max, min};
use crate::tree::layout::{CELLS, NONE, TILE, clock};
use crate::tree::map::{TilePlace, cell_in_tile};
use crate::tree::neighbour_cells::{NeighbourCells, Prim};

pub(super) fn drift(p: &KernelParams, s: DriftSlices<'_>) {
    let windows = Windows::new(p, s.topology, s.lists);
    let look = Look {
        p,
        neighbours: NeighbourCells { map: windows.map, cells: s.cells, h_eps: p.h_eps },
        dt: s.clock[clock::TICK_DT],
    };
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
            drift[at + plane::LEAVING * CELLS] = look.leaving(&water, tile, at, velocity);
        }
    });
}

struct Look<'a> {
    p: &'a KernelParams,
    neighbours: NeighbourCells<'a>,
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
        std::array::from_fn(|at| self.neighbours.prim(self.neighbours.stored(slot, at)))
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
        let u = self.pulled(u, own, 0, [beside[0], beside[1]]);
        let w = self.pulled(w, own, 1, [beside[2], beside[3]]);
        let slow = self.friction(own[1], (u * u + w * w).sqrt());
        [u * slow, w * slow]
    }

    /// The part of a cell that goes out through open sides, in units of `ONE`.
    fn leaving(&self, water: &[Prim; CELLS], tile: TilePlace, at: usize, [u, w]: [f32; 2]) -> u32 {
        if self.p.open == 0 {
            return 0;
        }
        let [nx, nz] = [self.p.nx, self.p.nz].map(|n| (n >> self.p.shift()) as usize);
        let (i, k) = (TILE * tile.x as usize + at % TILE, TILE * tile.z as usize + at / TILE);
        let sides = [(i == 0, -u), (i + 1 == nx, u), (k == 0, -w), (k + 1 == nz, w)];
        let mut parts = 0;
        for (side, (touches, outward)) in sides.into_iter().enumerate() {
            if touches && self.p.open >> side & 1 == 1 {
                let inner = [at + 1, at.wrapping_sub(1), at + TILE, at.wrapping_sub(TILE)][side];
                let speed = self.outgoing(water[at][1], water[inner][1], outward);
                parts += (min(max(speed * (self.dt / self.p.cell), 0.0), 1.0) * ONE as f32) as u32;
            }
        }
        parts
    }

    /// How fast water of depth `h` goes out, m/s. Its own velocity is that of its inner face: with this alone the depth
    /// at the side would never change, and waves come back upside down. Waves move out at c, so that
    /// `∂h/∂t = −c ∂h/∂x`, which asks for `√(g/h) (h − h_inner)` more. Water as fast as its waves needs none of this.
    fn outgoing(&self, h: f32, inner: f32, outward: f32) -> f32 {
        if h <= self.p.h_eps {
            return outward;
        }
        let c = (self.p.gravity * h).sqrt();
        outward + max(c - outward.abs(), 0.0) * min(max((h - inner) / h, -1.0), 1.0)
    }

    /// The water at a place of this level; `None` outside the domain.
    fn beside(&self, i: i32, k: i32) -> Option<Beside> {
        let (level, cell) = (self.p.level, self.p.cell);
        let [nx, nz] = [self.p.nx, self.p.nz].map(|n| (n >> self.p.shift()) as i32);
        if i < 0 || k < 0 || i >= nx || k >= nz {
            return None;
        }
        match self.neighbours.map.holder(level, i, k) {
            Some((slot, found)) if found == level => {
                Some(Beside { water: self.neighbours.at(slot, i, k), distance: cell, face: cell })
            }
            Some((slot, _)) => {
                Some(Beside { water: self.neighbours.at(slot, i >> 1, k >> 1), distance: 1.5 * cell, face: cell })
            }
            None => {
                let side = TILE as i32;
                let slot = self.neighbours.map.slot(level + 1, (2 * i).div_euclid(side), (2 * k).div_euclid(side));
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

    /// The parent of four cells ([004] §4.3): the mean of those that are wet; if none is, the lowest bed. At equal
    /// levels it is that level to the last bit.
    fn mean(&self, slot: u32, i: i32, k: i32) -> Prim {
        let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(di, dk)| self.neighbours.at(slot, i + di, k + dk));
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

    /// Velocity after diffusion, `u + Δt ν ∇²u` with `ν Δt / s² ≤ ¼`, among wet cells. A dry cell has no velocity of
    /// its own, but a virtual one, which lets it ask for water ([004] §4.6): the mean of the wet ones beside it that
    /// reach above its bed. Films count as dry.
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

    /// A velocity component after gravity: the surface's difference on the upwind side ([004] §4.2), as long as that is
    /// the upwind side. No water comes out of a wall.
    fn pulled(&self, u: f32, own: Prim, axis: usize, [low, high]: [Option<Beside>; 2]) -> f32 {
        let side = |beside: Option<Beside>, outward: f32| {
            beside.map(|b| Pull { gain: self.pull(own, b), leaving: outward * b.water[2 + axis] })
        };
        let (low, high) = (side(low, -1.0), side(high, 1.0));
        if u >= 0.0 { driven(u, low, high) } else { -driven(-u, high, low) }
    }

    /// What gravity adds to the velocity away from a neighbour, m/s. Both surfaces end at the higher bed of the two: a
    /// lake has no slope towards its shore.
    fn pull(&self, own: Prim, other: Beside) -> f32 {
        let Beside { water, distance, face } = other;
        let bed = max(own[0] - own[1], water[0] - water[1]);
        let (here, there) = (max(own[0], bed), max(water[0], bed));
        let d = max(here, there) - bed;
        // g_eff = g min(1, C² s² / (g d Δt²)).
        let most = MOST_COURANT2 * face * face / max(d * self.dt * self.dt, 1e-30);
        min(self.p.gravity, most) * self.dt * (there - here) / distance
    }

    /// Friction that never turns a flow round: `1 / (1 + Δt k |u| / d)`, with Manning's `g n² d^(-1/3)` beside the
    /// constant k. Virtual velocities have none.
    fn friction(&self, h: f32, speed: f32) -> f32 {
        if h <= self.p.h_eps {
            return 1.0;
        }
        let k = self.p.friction + self.p.drag * inverse_cbrt(h);
        1.0 / (1.0 + self.dt * k * speed / h)
    }
}

/// What gravity adds to a velocity away from a neighbour, and how fast that neighbour's own water leaves the cell, m/s.
#[derive(Clone, Copy)]
struct Pull {
    gain: f32,
    leaving: f32,
}

/// Speed away from the upwind side after gravity, negative if it turned round.
///
/// A cell moves water through its upwind face. So a face between cells that flow apart is moved by both, and one
/// between cells that flow together by neither: left to [004]'s rule, a trough that water comes to from both sides
/// never fills. Every face is therefore pulled once:
/// * one that both move, half by each;
/// * one that neither moves brakes the lower of its cells, until that turns round and the face is its own.
///
/// Water that is turned round stops; for what is left of the step the other side pulls, unless the neighbour there
/// moves that face already. Without the stop a crest, which both sides push back and forth, gains energy with every
/// turn.
fn driven(speed: f32, upwind: Option<Pull>, downwind: Option<Pull>) -> f32 {
    let behind = upwind.map(|p| if p.leaving > 0.0 { 0.5 * p.gain } else { p.gain });
    let ahead = downwind.map_or(0.0, |p| if p.leaving > 0.0 { 0.0 } else { max(p.gain, 0.0) });
    let brake = if downwind.is_some_and(|p| p.leaving < 0.0) { ahead } else { 0.0 };
    let change = behind.unwrap_or(0.0) - brake;
    if behind.is_some() && speed + change > 0.0 {
        return speed + change;
    }
    let left = if change < 0.0 { max(1.0 + speed / change, 0.0) } else { 1.0 };
    -left * ahead
}
