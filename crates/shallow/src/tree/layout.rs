//! Where things lie in the buffers of a tree.
//!
//! A **slot** holds one tile. What a tile is lies in `topology`, with a map from places to slots for every level; its
//! cells lie in `cells`, four planes of a tile after each other: surface variable, discharges along x and z, bed.
//! Lists of the tiles that step lie in `lists`, and what a tile's step gives out in `out`, by its place in the list.

thalweg_wesl::constants! {
    /// Cells along the side of a tile.
    pub const TILE: usize = 16;
    /// Cells of a tile.
    pub const CELLS: usize = TILE * TILE;
    /// Most levels.
    pub const MAX_LEVELS: usize = 16;
    /// Motion of tiles of which nothing is known yet, m/s: they are awake.
    pub(crate) const RESTLESS: f32 = 1e30;
    /// No tile.
    pub(crate) const NONE: u32 = u32::MAX;

    /// Words of a slot in `cells`: four planes.
    pub(crate) const CELL_WORDS: usize = 4 * CELLS;
    /// Words of a slot in `nursery`: the beds of its four children.
    pub(crate) const NURSERY_WORDS: usize = 4 * CELLS;
    /// Words of a side in `edges` of `out` and in `registers`: mass, momentum across, momentum along, for every cell.
    pub(crate) const SIDE_WORDS: usize = 3 * TILE;
    /// Words of a slot in `registers`; sides count that have larger cells beyond.
    pub(crate) const REGISTER_WORDS: usize = 4 * SIDE_WORDS;

    /// `topology`: a table of levels, tiles, maps.
    pub(crate) mod topology {
        use super::MAX_LEVELS;
        /// Words of a level in the table: first word of its map, tiles along x, along z, 0.
        pub(crate) const LEVEL_WORDS: usize = 4;
        /// First word of the tiles.
        pub(crate) const TILES: usize = MAX_LEVELS * LEVEL_WORDS;
        /// Words of a tile: level or NONE, x, z, key of the children's beds that lie in `nursery`.
        pub(crate) const TILE_WORDS: usize = 4;
    }

    /// `lists`: for every level how many tiles step and how fast their water is, then for every slot its place in the
    /// list of its level (NONE: asleep), then the lists.
    pub(crate) mod lists {
        use super::MAX_LEVELS;
        pub(crate) const COUNTS: usize = 0;
        /// f32 as bits, m/s.
        pub(crate) const SPEEDS: usize = MAX_LEVELS;
        pub(crate) const PLACES: usize = 2 * MAX_LEVELS;
    }

    /// `out` of a tile: the first three planes of its cells, edges, then these. Edges count at sides with larger
    /// cells beyond, and at those that `HELD_BACK` names.
    pub(crate) mod out {
        use super::{CELLS, REGISTER_WORDS};
        pub(crate) const EDGES: usize = 3 * CELLS;
        /// Fastest signal, m/s.
        pub(crate) const SPEED: usize = EDGES + REGISTER_WORDS;
        /// Fastest water, m/s.
        pub(crate) const MOTION: usize = SPEED + 1;
        /// Sides (bits) through which less left than the neighbour thinks.
        pub(crate) const HELD_BACK: usize = SPEED + 2;
        /// Volume that came from outside, m³.
        pub(crate) const ADDED: usize = SPEED + 3;
        /// Volume that went outside, m³.
        pub(crate) const REMOVED: usize = SPEED + 4;
        pub(crate) const WORDS: usize = SPEED + 8;
    }

    /// `status` of a slot.
    pub(crate) mod status {
        /// Fastest signal, m/s.
        pub(crate) const SPEED: usize = 0;
        /// Fastest water, m/s; more than `still` keeps the neighbours awake.
        pub(crate) const MOTION: usize = 1;
        /// Volumes since they went into the ledger, m³.
        pub(crate) const ADDED: usize = 2;
        pub(crate) const REMOVED: usize = 3;
        /// What the sums above have lost to rounding.
        pub(crate) const ADDED_REST: usize = 4;
        pub(crate) const REMOVED_REST: usize = 5;
        pub(crate) const WORDS: usize = 6;
    }

    /// `clock`: words of f32.
    pub(crate) mod clock {
        use super::MAX_LEVELS;
        /// Time since the frame began, at the start of the current round, s.
        pub(crate) const ELAPSED: usize = 0;
        /// Length of the frame, s.
        pub(crate) const FRAME: usize = 1;
        /// See `crate::clock::status`.
        pub(crate) const STATUS: usize = 2;
        /// Step of the finest level of the round, s.
        pub(crate) const TICK_DT: usize = 3;
        /// Ticks of the round that were taken.
        pub(crate) const TICK: usize = 4;
        /// Ticks of the round; 0 when the frame is done.
        pub(crate) const TICKS: usize = 5;
        /// Rounds of the frame.
        pub(crate) const ROUNDS: usize = 6;
        /// Ticks of the frame.
        pub(crate) const ALL_TICKS: usize = 7;
        /// Fastest signal, m/s.
        pub(crate) const SPEED: usize = 8;
        /// m/s.
        pub(crate) const RAIN_RATE: usize = 9;
        /// Ticks since the tree was looked at.
        pub(crate) const SINCE: usize = 10;
        /// See `crate::physics::add_dithered`.
        pub(crate) const DITHER: usize = 11;
        /// Level (m above datum) or discharge (m²/s, inward) of each side.
        pub(crate) const SIDE_VALUES: usize = 12;
        /// Ticks of a step, by level.
        pub(crate) const PERIODS: usize = 16;
        /// Steps of tiles in the frame, in units of 2^20 … and the rest.
        pub(crate) const WORK: usize = PERIODS + MAX_LEVELS;
        pub(crate) const WORK_REST: usize = WORK + 1;
        /// Tolerances are multiplied by this to keep to the budget.
        pub(crate) const STRAIN: usize = WORK + 2;
        /// Splits and merges of the frame.
        pub(crate) const CHANGES: usize = WORK + 3;
        /// Length of the tick under way, s; 0 past the end of a round.
        pub(crate) const STEP: usize = WORK + 4;
        /// Sources: words each, see `source`.
        pub(crate) const SOURCES: usize = WORK + 5;
    }

    /// A source in `clock`.
    pub(crate) mod source {
        /// m/s.
        pub(crate) const RATE: usize = 0;
        /// Centre of the disc, or low corner, m.
        pub(crate) const X: usize = 1;
        pub(crate) const Z: usize = 2;
        /// Squared radius, m²; negative for a rectangle.
        pub(crate) const RADIUS2: usize = 3;
        /// High corner, m.
        pub(crate) const X1: usize = 4;
        pub(crate) const Z1: usize = 5;
        pub(crate) const WORDS: usize = 6;
    }

    /// Tallies of a group of slots: how many belong to each of so many kinds.
    pub(crate) mod slot_counts {
        use super::MAX_LEVELS;
        /// Slots of a group: one for each invocation of a workgroup.
        pub(crate) const GROUP: usize = 256;
        /// Words of a group: kinds, of which the first are levels.
        pub(crate) const WORDS: usize = 2 * MAX_LEVELS;
        /// Free slots, when the tree is planned anew.
        pub(crate) const FREE: usize = MAX_LEVELS;
        /// Four tiles that become one.
        pub(crate) const MERGES: usize = MAX_LEVELS + 1;
    }

    /// Words of `wants`: the two lowest bits, and bits of the sides.
    pub(crate) mod want {
        pub(crate) const MERGE: u32 = 0;
        pub(crate) const KEEP: u32 = 1;
        pub(crate) const SPLIT: u32 = 2;
        pub(crate) const BITS: u32 = 3;
        /// Bit of side 0.
        pub(crate) const SIDES: u32 = 4;
    }

    /// `wishes`: the observer (1 or 0, x, z, near), how many regions, and for each low corner, high corner and
    /// coarsest level.
    pub(crate) mod wish {
        pub(crate) const OBSERVER: usize = 0;
        pub(crate) const X: usize = 1;
        pub(crate) const Z: usize = 2;
        pub(crate) const NEAR: usize = 3;
        pub(crate) const REGIONS: usize = 4;
        pub(crate) const FIRST: usize = 8;
        pub(crate) const REGION_WORDS: usize = 5;
    }

    /// `plan` of a slot: what is done with it, and the three other slots.
    pub(crate) mod action {
        pub(crate) const WORDS: usize = 4;
        pub(crate) const NONE: u32 = 0;
        /// Becomes child 0; the others are children 1 to 3, in free slots.
        pub(crate) const SPLIT: u32 = 1;
        /// Child 0 becomes the parent; the others are children 1 to 3, whose slots become free.
        pub(crate) const MERGE: u32 = 2;
        /// What `plan` holds of a slot in its first word until `grant`, and `wants` from `number` on: the wish, and
        /// this bit if it may split.
        pub(crate) const MAY_SPLIT: u32 = 4;
    }

    /// Sums over a tile.
    pub(crate) mod sums {
        /// Volume (m³), kinetic energy, potential energy (both over the density), wet area (m²), fastest water (m/s).
        pub(crate) const WORDS: usize = 5;
    }

    /// The water at a place.
    pub(crate) mod lookup {
        /// Depth, surface above the datum, velocity along x and z, bed above the datum, level of the cell.
        pub(crate) const WORDS: usize = 6;
        /// The depth where no tile is; that of water is never so far below 0.
        pub(crate) const NOWHERE: f32 = -1.0;
    }
}
