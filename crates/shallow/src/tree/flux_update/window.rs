//! A tile with two cells around it: where neighbours' water comes from.
//!
//! What lies at a place beside a tile is a function of the place and of the size of cells alone, never of who looks:
//! two tiles that share a face see the same water on both sides of it, and compute the same flux.

use super::FluxParams;
use super::lanes::{Row, lane, prims};
use crate::boundary::{Cell, Edges, kind};
use crate::physics::{limited, max, min};
use crate::tree::layout::{CELL_WORDS, CELLS, NONE, TILE, clock, lists};
use crate::tree::map::{Beyond, Map, SIDES, TilePlace, cell_in_tile};
use crate::tree::neighbour_cells::{NeighbourCells, Prim};

/// Directions of the corners.
const CORNERS: [[i32; 2]; 4] = [[-1, -1], [1, -1], [-1, 1], [1, 1]];

/// All that a step reads.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) map: Map<'a>,
    neighbours: NeighbourCells<'a>,
    pub(super) cells: &'a [f32],
    pub(super) clock: &'a [f32],
    /// Places in lists; NONE for those asleep.
    places: &'a [u32],
    pub(super) p: &'a FluxParams,
    /// Cells of the domain on this level.
    pub(super) size: [i32; 2],
    /// How far the next coarser level is behind, s.
    pub(super) lag: f32,
    /// Step of this level, s.
    pub(super) dt: f32,
}

/// What the small cells at a border know of the large ones beside them: their surface and depth at the face, half way
/// through the step, and their depth now.
#[derive(Clone, Copy)]
pub(super) struct Coarse {
    pub(super) eta: [f32; TILE],
    pub(super) h: [f32; TILE],
    pub(super) now: [f32; TILE],
}

pub(super) const NO_COARSE: Coarse = Coarse { eta: [0.0; TILE], h: [0.0; TILE], now: [0.0; TILE] };

/// Limited differences of a large cell along x and z, and what changes in a second.
struct Trend {
    now: Prim,
    x: Prim,
    z: Prim,
    rate: Prim,
}

impl<'a> View<'a> {
    pub(super) fn new(
        p: &'a FluxParams,
        topology: &'a [u32],
        lists: &'a [u32],
        clock: &'a [f32],
        cells: &'a [f32],
    ) -> Self {
        let shift = p.shift();
        let periods = &clock[clock::PERIODS..];
        let (own, tick) = (periods[p.level as usize], clock[clock::TICK]);
        // The step begins `own` ticks before the tick that has just ended; the coarser level stands where it last was.
        let start = tick - own;
        let lag = match p.level.checked_sub(1) {
            Some(coarser) => start % periods[coarser as usize],
            None => 0.0,
        };
        let dt = clock[clock::TICK_DT];
        let size = [(p.nx >> shift) as i32, (p.nz >> shift) as i32];
        let map = Map(topology);
        let (neighbours, places) = (NeighbourCells { map, cells, h_eps: p.h_eps }, &lists[lists::PLACES..]);
        Self { map, neighbours, cells, clock, places, p, size, lag: lag * dt, dt: own * dt }
    }

    pub(super) fn awake(&self, slot: u32) -> bool {
        self.places[slot as usize] != NONE
    }

    /// Whether all smaller tiles beyond a side step: the flux there is then theirs.
    fn finer_awake(&self, place: TilePlace, side: usize) -> bool {
        self.map.finer_beside(place, side).iter().all(|&slot| slot != NONE && self.awake(slot))
    }

    /// A large cell with its slopes; `slot` holds it.
    fn trend(&self, slot: u32, i: i32, k: i32) -> Trend {
        let (level, g) = (self.p.level - 1, self.p.gravity);
        let now = self.neighbours.at(slot, i, k);
        let mut trend = Trend { now, x: [0.0; 4], z: [0.0; 4], rate: [0.0; 4] };
        if self.p.order < 2 {
            return trend;
        }
        let ago = self.lag / self.p.cell;
        let tile = TILE as i32;
        let beside = SIDES.map(|[di, dk]| {
            let (a, b) = (i + di, k + dk);
            if a.div_euclid(tile) == i.div_euclid(tile) && b.div_euclid(tile) == k.div_euclid(tile) {
                return Some(self.neighbours.at(slot, a, b)); // without looking it up
            }
            self.neighbours.rough_before(level, a, b, ago, g)
        });
        let lowest = beside.iter().flatten().fold(now[1], |low, v| min(v[1], low));
        if lowest <= self.p.h_eps {
            return trend;
        }
        let slope = |a: Option<Prim>, b: Option<Prim>| match (a, b) {
            (Some(a), Some(b)) => std::array::from_fn(|c| limited(now[c] - a[c], b[c] - now[c], self.p.theta)),
            _ => [0.0; 4],
        };
        trend.x = slope(beside[0], beside[1]);
        trend.z = slope(beside[2], beside[3]);
        // The bed is what it is: its differences need no limit, and the parts then lie where small cells of a bent bed
        // would.
        let bed = |v: Prim| v[0] - v[1];
        let rise = |a: Option<Prim>, b: Option<Prim>| match (a, b) {
            (Some(a), Some(b)) => 0.5 * (bed(b) - bed(a)),
            _ => 0.0,
        };
        let depth_x = trend.x[0] - rise(beside[0], beside[1]);
        let depth_z = trend.z[0] - rise(beside[2], beside[3]);
        if 0.5 * (depth_x.abs() + depth_z.abs()) < now[1] {
            (trend.x[1], trend.z[1]) = (depth_x, depth_z);
        }
        let per_metre = 0.5 / self.p.cell; // its cells are twice as large
        let [_, h, u, w] = now;
        let (x, z) = (&trend.x, &trend.z);
        let fall = per_metre * (u * x[1] + h * x[2] + w * z[1] + h * z[3]);
        trend.rate = [
            -fall,
            -fall,
            -per_metre * (u * x[2] + w * z[2] + g * x[0]),
            -per_metre * (u * x[3] + w * z[3] + g * z[0]),
        ];
        trend
    }

    /// The small cell `(i, k)` of this level as a part of the large one that holds it, at the start of this level's
    /// step.
    fn part(&self, trend: &Trend, i: i32, k: i32) -> Prim {
        let (sx, sz) = (if i & 1 == 0 { -0.25 } else { 0.25 }, if k & 1 == 0 { -0.25 } else { 0.25 });
        let mut v: Prim =
            std::array::from_fn(|c| trend.now[c] + self.lag * trend.rate[c] + sx * trend.x[c] + sz * trend.z[c]);
        v[1] = max(v[1], 0.0);
        v
    }

    /// Smaller cells at the place of one of this level. They have already done what this level is about to do, so that
    /// one looks back.
    fn finer(&self, i: i32, k: i32) -> Option<Prim> {
        self.neighbours.rough_before(self.p.level, i, k, 2.0 * self.dt / self.p.cell, self.p.gravity)
    }

    /// The cell at a place in the domain, for ghosts beyond its sides.
    fn cell(&self, i: u32, k: u32) -> Cell {
        let (i, k) = (i as i32, k as i32);
        // Beside a tile of another size: only slopes along the side ask for it.
        let [eta, h, u, w] = match self.map.holder(self.p.level, i, k) {
            Some((slot, found)) if found == self.p.level => return self.neighbours.stored(slot, cell_in_tile(i, k)),
            Some((slot, _)) => self.part(&self.trend(slot, i >> 1, k >> 1), i, k),
            None => self.finer(i, k).unwrap_or([0.0; 4]),
        };
        let z = eta - h;
        Cell { s: eta - max(z, 0.0), qx: h * u, qz: h * w, z }
    }

    /// A cell outside the domain, beside the tile in a slot.
    fn ghost(&self, slot: u32, place: TilePlace, edges: &Edges<'_>, i: i32, k: i32) -> Prim {
        let tile = TILE as u32;
        let inside = |i: u32, k: u32| {
            if i / tile == place.x && k / tile == place.z {
                return self.neighbours.stored(slot, cell_in_tile(i as i32, k as i32)); // without looking it up
            }
            self.cell(i, k)
        };
        self.neighbours.prim(edges.cell(inside, i, k))
    }

    /// Fills the window around a tile, as far as a step looks: the first order at one cell beyond each side, the second
    /// at two, and at one beyond each corner. What is known of larger neighbours goes into `coarse`.
    pub(super) fn load<const SECOND: bool>(
        &self,
        slot: u32,
        place: TilePlace,
        edges: &Edges<'_>,
        raw: &mut Row,
        row: &mut Row,
        coarse: &mut [Coarse; 4],
    ) -> [Beyond; 4] {
        let sides = SIDES.map(|d| self.map.beyond(place, d, self.size));
        let corners = if SECOND { CORNERS.map(|d| self.map.beyond(place, d, self.size)) } else { [Beyond::Outside; 4] };
        let around = || SIDES.into_iter().zip(sides).chain(CORNERS.into_iter().zip(corners).filter(|_| SECOND));
        // Cells of this size first, as they are stored: velocities of the whole window are then computed at once.
        self.copy_stored(slot, [0, 0], raw);
        for (d, beyond) in around() {
            if let Beyond::Same(other) = beyond {
                self.copy_stored(other, d, raw);
            }
        }
        prims(self.p.h_eps, raw, row);
        for (side, beyond) in sides.into_iter().enumerate() {
            let deep = match beyond {
                Beyond::Same(_) => continue,
                Beyond::Coarser(other) => {
                    self.load_coarse(other, side, place, row, &mut coarse[side]);
                    continue;
                }
                Beyond::Outside
                    if (0..TILE as u32).all(|n| edges.kind_at(side, start(place, side) + n) == kind::WALL) =>
                {
                    mirror::<SECOND>(side, row);
                    continue;
                }
                // Where smaller cells say what passes, only slopes of own cells look there.
                Beyond::Finer if self.finer_awake(place, side) => i32::from(SECOND),
                _ => 1 + i32::from(SECOND),
            };
            for away in 0..deep {
                for along in 0..TILE as i32 {
                    self.load_cell(beyond, slot, place, edges, beside(side, away, along), row);
                }
            }
        }
        if SECOND {
            for (d, beyond) in CORNERS.into_iter().zip(corners) {
                if !matches!(beyond, Beyond::Same(_)) {
                    let at = d.map(|d| if d < 0 { -1 } else { TILE as i32 });
                    self.load_cell(beyond, slot, place, edges, at, row);
                }
            }
        }
        sides
    }

    /// One cell around the tile that is not of its size.
    fn load_cell(
        &self,
        beyond: Beyond,
        slot: u32,
        place: TilePlace,
        edges: &Edges<'_>,
        [i, k]: [i32; 2],
        row: &mut Row,
    ) {
        let (x, z) = (place.x as i32 * TILE as i32 + i, place.z as i32 * TILE as i32 + k);
        let v = match beyond {
            Beyond::Outside => self.ghost(slot, place, edges, x, z),
            Beyond::Coarser(other) => self.part(&self.trend(other, x >> 1, z >> 1), x, z),
            // A tile's neighbours are at most one level finer, so that there is one.
            Beyond::Same(_) | Beyond::Finer => self.finer(x, z).unwrap_or([0.0; 4]),
        };
        set(row, [i, k], v);
    }

    /// Two rows of small cells as parts of the large ones beyond a side; surface and depth of those at the face and
    /// half way through the step.
    fn load_coarse(&self, slot: u32, side: usize, place: TilePlace, row: &mut Row, coarse: &mut Coarse) {
        let origin = [place.x, place.z].map(|n| n as i32 * TILE as i32);
        let ahead = self.lag + 0.5 * self.dt;
        for along in (0..TILE as i32).step_by(2) {
            let near = beside(side, 0, along);
            let trend = self.trend(slot, (origin[0] + near[0]) >> 1, (origin[1] + near[1]) >> 1);
            for (away, more) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let at = beside(side, away, along + more);
                set(row, at, self.part(&trend, at[0], at[1]));
            }
            let slope = if side < 2 { &trend.x } else { &trend.z };
            let half = if side & 1 == 0 { 0.5 } else { -0.5 }; // the face is at its high end for a western neighbour
            let at = |c: usize| trend.now[c] + ahead * trend.rate[c] + half * slope[c];
            for n in [along as usize, along as usize + 1] {
                (coarse.eta[n], coarse.h[n], coarse.now[n]) = (at(0), max(at(1), 0.0), trend.now[1]);
            }
        }
    }

    /// Stored words of the cells of a tile that lie in the window, in a direction of −1, 0, 1 along x and z.
    #[inline(always)]
    fn copy_stored(&self, slot: u32, [dx, dz]: [i32; 2], raw: &mut Row) {
        let stored = &self.cells[CELL_WORDS * slot as usize..][..CELL_WORDS];
        let (low, high, tall) = part_of(dz);
        for (plane, lanes) in stored.chunks_exact(CELLS).zip(raw) {
            for k in 0..tall {
                let row = &plane[(low + k) * TILE..][..TILE];
                let at = lane(0, high + k as i32);
                // Lengths that the compiler knows: calls of `memcpy` would take longer than the copies.
                match dx {
                    -1 => (lanes[at - 2], lanes[at - 1]) = (row[TILE - 2], row[TILE - 1]),
                    0 => lanes[at..at + TILE].copy_from_slice(row),
                    _ => (lanes[at + TILE], lanes[at + TILE + 1]) = (row[0], row[1]),
                }
            }
        }
    }
}

/// The tile's first cell along a side of the domain.
fn start(place: TilePlace, side: usize) -> u32 {
    TILE as u32 * if side < 2 { place.z } else { place.x }
}

/// Cells beyond a wall are those before it, and flow towards them.
fn mirror<const SECOND: bool>(side: usize, row: &mut Row) {
    for away in 0..1 + i32::from(SECOND) {
        for along in 0..TILE as i32 {
            let [to, from] = [away, -1 - away].map(|away| {
                let [i, k] = beside(side, away, along);
                lane(i, k)
            });
            for (c, values) in row.iter_mut().enumerate() {
                values[to] = if c == 2 + side / 2 { -values[from] } else { values[from] };
            }
        }
    }
}

/// The cell beyond a side of the tile, `away` from it and `along` it.
fn beside(side: usize, away: i32, along: i32) -> [i32; 2] {
    match side {
        0 => [-1 - away, along],
        1 => [TILE as i32 + away, along],
        2 => [along, -1 - away],
        _ => [along, TILE as i32 + away],
    }
}

fn set(row: &mut Row, [i, k]: [i32; 2], v: Prim) {
    let at = lane(i, k);
    for (lanes, v) in row.iter_mut().zip(v) {
        lanes[at] = v;
    }
}

/// First cell of a tile that is in the window, where it goes, and how many there are, for a direction along an axis.
#[inline(always)]
fn part_of(d: i32) -> (usize, i32, usize) {
    match d {
        -1 => (TILE - 2, -2, 2),
        0 => (0, 0, TILE),
        _ => (0, TILE as i32, 2),
    }
}
