//! Who steps in the next round: tiles whose water moves, and those beside them. All others sleep, dry or still, and
//! cost nothing.
//!
//! Water moves by less than half a tile in a round, so that one ring of tiles is enough. `find_active` asks every
//! slot and counts by groups of slots, `list_active` makes the lists of the levels, in
//! the order of slots.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// The tree, and what keeps tiles awake.
    pub struct ActiveParams {
        /// Levels.
        pub levels: u32,
        /// Finest cells along x.
        pub nx: u32,
        /// Finest cells along z.
        pub nz: u32,
        /// Slots.
        pub capacity: u32,
        /// Sources.
        pub sources: u32,
        /// Sides (bits) that drive the water.
        pub driven: u32,
        /// Size of the finest cells, m.
        pub cell: f32,
        /// Water that is slower sleeps, m/s.
        pub still: f32,
    }
}

kernel! {
    /// Writes the level of every tile that steps to where its place in the list will be, and counts them: tallies are,
    /// by level, how many, then the fastest signal.
    pub struct FindActive slices FindActiveSlices = "tree.find_active" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/find_active.wgsl")), entry: "find_active",
        workgroup: [256, 1, 1],
        params: ActiveParams,
        cpu: cpu::find_active,
        read topology: u32,
        read status: f32,
        read clock: f32,
        write lists: u32,
        write tallies: u32,
    }
}

kernel! {
    /// Lists the tiles that step, level by level.
    pub struct ListActive slices ListActiveSlices = "tree.list_active" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/list_active.wgsl")), entry: "list_active",
        workgroup: [256, 1, 1],
        params: ActiveParams,
        cpu: cpu::list_active,
        read tallies: u32,
        write lists: u32,
    }
}
