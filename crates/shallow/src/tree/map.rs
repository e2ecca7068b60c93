//! Which tile is where: what CPU bodies ask of `topology`.

use super::layout::{CELL_WORDS, CELLS, MAX_LEVELS, NONE, TILE, topology};

/// A tile's place: its level, and its number along x and z among the tiles of that level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TilePlace {
    /// 0 is the coarsest.
    pub level: u32,
    /// Along x.
    pub x: u32,
    /// Along z.
    pub z: u32,
}

impl TilePlace {
    /// A number that no other place has.
    pub(crate) fn key(self) -> u32 {
        self.level << 24 | self.z << 12 | self.x
    }

    /// The tile that this one and three others merge into.
    pub(crate) fn parent(self) -> Self {
        Self { level: self.level - 1, x: self.x >> 1, z: self.z >> 1 }
    }

    /// Child 0 is low in x and z, 1 high in x, 2 high in z, 3 high in both.
    pub(crate) fn child(self, n: u32) -> Self {
        Self { level: self.level + 1, x: 2 * self.x + (n & 1), z: 2 * self.z + (n >> 1) }
    }

    /// Which child of its parent it is.
    pub(crate) fn number(self) -> u32 {
        (self.x & 1) | (self.z & 1) << 1
    }
}

/// First words of the levels' maps, and tiles along x and z; only tiles that lie in the domain as a whole are counted.
#[derive(Debug, Clone)]
pub(crate) struct Levels {
    pub(crate) table: [[u32; topology::LEVEL_WORDS]; MAX_LEVELS],
    /// Words of `topology`.
    pub(crate) words: usize,
}

impl Levels {
    pub(crate) fn new([nx, nz]: [u32; 2], levels: u32, capacity: usize) -> Self {
        let mut table = [[0; topology::LEVEL_WORDS]; MAX_LEVELS];
        let mut words = topology::TILES + topology::TILE_WORDS * capacity;
        for level in 0..levels {
            let across = |n: u32| n / ((TILE as u32) << (levels - 1 - level));
            table[level as usize] = [words as u32, across(nx), across(nz), 0];
            words += (across(nx) * across(nz)) as usize;
        }
        Self { table, words }
    }

    /// Where in `topology` the slot of a place stands; `None` outside.
    pub(crate) fn word(&self, place: TilePlace) -> Option<usize> {
        let [first, nx, nz, _] = *self.table.get(place.level as usize)?;
        (place.x < nx && place.z < nz).then(|| (first + place.x + nx * place.z) as usize)
    }
}

/// How slots and levels lie in the domain: for those who read tiles while the tree goes on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tiling {
    pub(crate) capacity: u32,
    pub(crate) levels: u32,
    /// Size of the finest cells, m.
    pub(crate) cell: f64,
}

impl Tiling {
    /// Slots in use and their places.
    pub(crate) fn listed(self, topology: &[u32]) -> Vec<(u32, TilePlace)> {
        let map = Map(topology);
        (0..self.capacity).filter_map(|slot| map.tile(slot).map(|place| (slot, place))).collect()
    }

    /// Size of the cells of a level, m.
    pub(crate) fn cell_size(self, level: u32) -> f64 {
        self.cell * f64::from(1u32 << (self.levels - 1 - level))
    }

    /// Low corner of a tile, m from that of the domain.
    pub(crate) fn origin(self, place: TilePlace) -> [f64; 2] {
        [place.x, place.z].map(|n| f64::from(n) * TILE as f64 * self.cell_size(place.level))
    }
}

/// A view of `topology`.
#[derive(Clone, Copy)]
pub(crate) struct Map<'a>(pub(crate) &'a [u32]);

impl Map<'_> {
    /// The place of the tile in a slot; `None` if the slot is free.
    #[inline]
    pub(crate) fn tile(self, slot: u32) -> Option<TilePlace> {
        let words = &self.0[topology::TILES + topology::TILE_WORDS * slot as usize..][..3];
        (words[0] != NONE).then(|| TilePlace { level: words[0], x: words[1], z: words[2] })
    }

    /// Whether the beds of the slot's children are there.
    pub(crate) fn has_nursery(self, slot: u32) -> bool {
        let key = self.0[topology::TILES + topology::TILE_WORDS * slot as usize + 3];
        self.tile(slot).is_some_and(|place| place.key() == key)
    }

    /// Word of `topology` for a place, and the slot there: NONE if there is no such tile now.
    #[inline]
    pub(crate) fn slot(self, level: u32, x: i32, z: i32) -> u32 {
        if level as usize >= MAX_LEVELS {
            return NONE;
        }
        let [first, nx, nz] = [0, 1, 2].map(|n| self.0[topology::LEVEL_WORDS * level as usize + n]);
        // Negative numbers become large ones.
        if x as u32 >= nx || z as u32 >= nz { NONE } else { self.0[(first + x as u32 + nx * z as u32) as usize] }
    }

    /// The tile that holds a cell of a level: that of the same level, or the next coarser one; and its level.
    #[inline]
    pub(crate) fn holder(self, level: u32, i: i32, k: i32) -> Option<(u32, u32)> {
        let tile = TILE as i32;
        let same = self.slot(level, i.div_euclid(tile), k.div_euclid(tile));
        if same != NONE {
            return Some((same, level));
        }
        let coarser = level.checked_sub(1)?;
        let slot = self.slot(coarser, i.div_euclid(2 * tile), k.div_euclid(2 * tile));
        (slot != NONE).then_some((slot, coarser))
    }
}

impl Map<'_> {
    /// The tile that holds a finest cell of a tree of so many levels, and its level; `None` if no tile does.
    pub(crate) fn holding(self, levels: u32, finest: [u32; 2]) -> Option<(u32, u32)> {
        (0..levels).find_map(|level| {
            let [x, z] = finest.map(|n| ((n >> (levels - 1 - level)) / TILE as u32) as i32);
            let slot = self.slot(level, x, z);
            (slot != NONE).then_some((slot, level))
        })
    }

    /// First word in `cells` of the cell that holds a finest cell, and its level; `None` if no tile does.
    pub(crate) fn cell_holding(self, levels: u32, finest: [u32; 2]) -> Option<(usize, u32)> {
        let (slot, level) = self.holding(levels, finest)?;
        Some((first_word(slot, finest, levels - 1 - level), level))
    }
}

/// First word in `cells` of the cell of a tile that holds a finest cell, `shift` levels above those.
#[inline]
pub(crate) fn first_word(slot: u32, finest: [u32; 2], shift: u32) -> usize {
    let [i, k] = finest.map(|n| (n >> shift) as i32);
    CELL_WORDS * slot as usize + cell_in_tile(i, k)
}

/// What lies beyond a side of a tile, or beyond a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// The edge of the domain.
    Outside,
    /// A tile of the same size.
    Same(u32),
    /// A tile with larger cells.
    Coarser(u32),
    /// Tiles with smaller cells.
    Finer,
}

impl Map<'_> {
    /// What lies beyond a tile in a direction of −1, 0, 1 along x and z; `cells` are those of the domain at its level.
    pub(crate) fn beyond(self, place: TilePlace, [dx, dz]: [i32; 2], cells: [i32; 2]) -> Beyond {
        let (x, z) = (place.x as i32 + dx, place.z as i32 + dz);
        let tile = TILE as i32;
        if x < 0 || z < 0 || x * tile >= cells[0] || z * tile >= cells[1] {
            return Beyond::Outside;
        }
        match self.holder(place.level, x * tile, z * tile) {
            Some((slot, level)) if level == place.level => Beyond::Same(slot),
            Some((slot, _)) => Beyond::Coarser(slot),
            None => Beyond::Finer,
        }
    }
}

/// Sides as directions: west, east, south, north.
pub(crate) const SIDES: [[i32; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

impl Map<'_> {
    /// The two smaller tiles beyond a side, the one beside the tile's low half first; NONE where there is none.
    pub(crate) fn finer_beside(self, place: TilePlace, side: usize) -> [u32; 2] {
        // The near pair of the four children there.
        let [dx, dz] = SIDES[side];
        let (x, z) =
            (2 * (place.x as i32 + dx) + i32::from(side == 0), 2 * (place.z as i32 + dz) + i32::from(side == 2));
        [0, 1].map(|half| self.slot(place.level + 1, x + half * i32::from(side > 1), z + half * i32::from(side < 2)))
    }
}

/// Number of cell `n` along a side of a tile: west, east, south, north.
#[inline]
pub(crate) fn cell_at_side(side: usize, n: usize) -> usize {
    match side {
        0 => TILE * n,
        1 => TILE * n + TILE - 1,
        2 => n,
        _ => n + TILE * (TILE - 1),
    }
}

/// Number of a cell in its tile.
#[inline]
pub(crate) fn cell_in_tile(i: i32, k: i32) -> usize {
    let tile = TILE as i32;
    let at = i.rem_euclid(tile) + tile * k.rem_euclid(tile);
    debug_assert!((at as usize) < CELLS);
    at as usize
}
