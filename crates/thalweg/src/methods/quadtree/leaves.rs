//! The leaves of a quadtree as one surface: what is where, and the water at the corners of cells.

use std::collections::HashMap;

use thalweg_shallow::tree::{CELLS, TILE, TileFields, TilePlace};

/// Water thinner than this part of its cell is wet ground, as in pictures: it takes no part in the surface.
const FILM: f64 = 4e-3;

/// Sides of a tile: west, east, south, north.
const SIDES: usize = 4;

/// Surface (m), depth (m) and velocity along x and z (m/s).
pub(crate) type Water = [f32; 4];

/// All tiles of a tree.
pub(crate) struct Leaves {
    pub(crate) tiles: Vec<TileFields>,
    map: HashMap<TilePlace, usize>,
    pub(crate) levels: u32,
}

/// The water at the corners of a tile's cells, and in the middle of their sides where a neighbour has smaller cells.
pub(crate) struct Corners {
    /// Index `i + (TILE + 1) * k`; `None` where no cell around it has water.
    at: Vec<Option<Water>>,
    /// By side, and along it; empty where the neighbour's cells are not smaller.
    middles: [Vec<Option<Water>>; SIDES],
}

impl Leaves {
    pub(crate) fn new(tiles: Vec<TileFields>, levels: u32) -> Self {
        let map = tiles.iter().enumerate().map(|(n, tile)| (tile.place, n)).collect();
        Self { tiles, map, levels }
    }

    /// Finest cells along a cell of a tile, as a power of two.
    pub(crate) fn shift(&self, tile: &TileFields) -> u32 {
        self.levels - 1 - tile.place.level
    }

    /// Whether a cell is a part of the surface.
    pub(crate) fn is_wet(tile: &TileFields, at: usize) -> bool {
        f64::from(tile.depth[at]) > FILM * tile.cell
    }

    /// The tile and cell that hold a finest cell beside a tile of some level: neighbours differ by one level at most.
    /// `None` outside the domain.
    fn beside(&self, level: u32, [i, k]: [i64; 2]) -> Option<(&TileFields, usize)> {
        if i < 0 || k < 0 {
            return None;
        }
        let (i, k) = (i as u32, k as u32);
        let tile = TILE as u32;
        let candidates = [Some(level), Some(level + 1), level.checked_sub(1)];
        candidates.into_iter().flatten().filter(|level| *level < self.levels).find_map(|level| {
            let shift = self.levels - 1 - level;
            let (i, k) = (i >> shift, k >> shift);
            let found = self.map.get(&TilePlace { level, x: i / tile, z: k / tile })?;
            Some((&self.tiles[*found], (i % tile + tile * (k % tile)) as usize))
        })
    }

    /// The water at a point of the finest lattice on a tile or at its edge: a mean over the wet cells around it, small
    /// cells counting more, so that a sloped surface is met exactly. The same bits from whichever tile.
    fn at(&self, tile: &TileFields, [x, z]: [u32; 2]) -> Option<Water> {
        let shift = self.shift(tile);
        let first = [tile.place.x, tile.place.z].map(|n| (n * TILE as u32) << shift);
        let span = (TILE as u32) << shift;
        let (mut sum, mut weights) = ([0.0; 4], 0.0);
        for (dx, dz) in [(-1, -1), (0, -1), (-1, 0), (0, 0)] {
            let [i, k] = [i64::from(x) + dx, i64::from(z) + dz];
            let own = [i - i64::from(first[0]), k - i64::from(first[1])];
            let found = if own.iter().all(|n| (0..i64::from(span)).contains(n)) {
                Some((tile, (own[0] >> shift) as usize + TILE * (own[1] >> shift) as usize))
            } else {
                self.beside(tile.place.level, [i, k])
            };
            if let Some((tile, at)) = found.filter(|(tile, at)| Self::is_wet(tile, *at)) {
                let weight = f64::from(1u32 << tile.place.level);
                let water = water(tile, at);
                weights += weight;
                sum.iter_mut().zip(water).for_each(|(sum, value)| *sum += weight * f64::from(value));
            }
        }
        (weights > 0.0).then(|| sum.map(|sum| (sum / weights) as f32))
    }

    /// Corners of the cells of a tile.
    pub(crate) fn corners(&self, tile: &TileFields) -> Corners {
        let all = TILE as u32 + 1;
        let at = (0..all * all).map(|n| self.at(tile, self.corner_place(tile, [n % all, n / all]))).collect();
        let middles = std::array::from_fn(|side| {
            let has_finer = self.beside(tile.place.level, self.outside(tile, side));
            match has_finer.filter(|(other, _)| other.place.level > tile.place.level) {
                Some(_) => (0..TILE).map(|n| self.at(tile, self.middle_place(tile, side, n as u32))).collect(),
                None => Vec::new(),
            }
        });
        Corners { at, middles }
    }

    /// A finest cell beyond the first cell of a side.
    fn outside(&self, tile: &TileFields, side: usize) -> [i64; 2] {
        let [x, z] = self.corner_place(tile, [0, 0]).map(i64::from);
        let span = (TILE as i64) << self.shift(tile);
        [[x - 1, z], [x + span, z], [x, z - 1], [x, z + span]][side]
    }

    /// A corner of cells on the finest lattice.
    pub(crate) fn corner_place(&self, tile: &TileFields, [i, k]: [u32; 2]) -> [u32; 2] {
        let shift = self.shift(tile);
        [(tile.place.x * TILE as u32 + i) << shift, (tile.place.z * TILE as u32 + k) << shift]
    }

    /// The middle of the outer side of a cell on the finest lattice; only cells with smaller neighbours have one, so
    /// that they are not the finest.
    pub(crate) fn middle_place(&self, tile: &TileFields, side: usize, n: u32) -> [u32; 2] {
        let last = TILE as u32;
        let (from, to) = match side {
            0 => ([0, n], [0, n + 1]),
            1 => ([last, n], [last, n + 1]),
            2 => ([n, 0], [n + 1, 0]),
            _ => ([n, last], [n + 1, last]),
        };
        let (a, b) = (self.corner_place(tile, from), self.corner_place(tile, to));
        [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
    }
}

impl Corners {
    /// The water at a corner.
    pub(crate) fn corner(&self, [i, k]: [usize; 2]) -> Option<Water> {
        self.at[i + (TILE + 1) * k]
    }

    /// The water in the middle of the outer side of cell `(i, k)`; `None` if there is no such point.
    pub(crate) fn middle(&self, side: usize, [i, k]: [usize; 2]) -> Option<Water> {
        let last = TILE - 1;
        let (is_outer, n) = [(i == 0, k), (i == last, k), (k == 0, i), (k == last, i)][side];
        if is_outer { self.middles[side].get(n).copied().flatten() } else { None }
    }

    /// The water inside a wet cell, at (x, z) of −1 to 1 from its middle: flat triangles between the middle, the
    /// corners and the middles of sides. It goes on without a step in all neighbours.
    pub(crate) fn inside(&self, tile: &TileFields, at: usize, [x, z]: [f32; 2]) -> Water {
        let own = water(tile, at);
        let out = x.abs().max(z.abs());
        if out == 0.0 {
            return own;
        }
        let cell = [at % TILE, at / TILE];
        // The side that a ray from the middle meets, and where along it, 0 to 1.
        let (side, along) =
            if x.abs() >= z.abs() { (usize::from(x > 0.0), z / out) } else { (2 + usize::from(z > 0.0), x / out) };
        let along = 0.5 + 0.5 * along;
        let ends = match side {
            0 => [[0, 0], [0, 1]],
            1 => [[1, 0], [1, 1]],
            2 => [[0, 0], [1, 0]],
            _ => [[0, 1], [1, 1]],
        };
        let [from, to] = ends.map(|[i, k]| self.corner([cell[0] + i, cell[1] + k]).unwrap_or(own));
        let rim = match self.middle(side, cell) {
            Some(middle) if along < 0.5 => mix(from, middle, 2.0 * along),
            Some(middle) => mix(middle, to, 2.0 * along - 1.0),
            None => mix(from, to, along),
        };
        mix(own, rim, out)
    }
}

/// The water of a cell.
pub(crate) fn water(tile: &TileFields, at: usize) -> Water {
    debug_assert!(at < CELLS);
    [tile.surface[at], tile.depth[at], tile.u[at], tile.w[at]]
}

fn mix(a: Water, b: Water, part: f32) -> Water {
    std::array::from_fn(|n| a[n] + part * (b[n] - a[n]))
}
