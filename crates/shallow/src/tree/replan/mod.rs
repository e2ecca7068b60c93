//! Which tiles split and which merge, so that neighbours differ by one level at most and no more slots are used than there are.
//!
//! 1. A tile beside a finer one that is restless towards it wants to be as fine; a tile beside one of its own size that is, does not merge.
//! 2. From fine to coarse: a tile beside a finer one that splits must split.
//! 3. From coarse to fine: splits are granted in the order of slots while there are slots, to tiles without coarser neighbours (or with such that split now) whose children's
//!    beds are there.
//! 4. Four that want to merge do, if nothing beside them becomes two levels finer.
//!
//! One workgroup, for the levels follow each other; it looks at tiles, not at cells.

mod cpu;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

/// `plan` of a slot: what is done with it, and the three other slots.
pub(crate) mod action {
    pub(crate) const WORDS: usize = 4;
    pub(crate) const NONE: u32 = 0;
    /// Becomes child 0; the others are children 1 to 3, in free slots.
    pub(crate) const SPLIT: u32 = 1;
    /// Child 0 becomes the parent; the others are children 1 to 3, whose slots become free.
    pub(crate) const MERGE: u32 = 2;
}

uniform! {
    /// The tree.
    pub struct ReplanParams {
        /// Levels.
        pub levels: u32,
        /// Finest cells along x.
        pub nx: u32,
        /// Finest cells along z.
        pub nz: u32,
        /// Slots.
        pub capacity: u32,
    }
}

kernel! {
    /// Decides on splits and merges. `wants` is changed on the way; the list of free slots is scratch.
    pub struct Replan slices ReplanSlices = "tree.replan" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/replan.wgsl")), entry: "replan",
        workgroup: [256, 1, 1],
        params: ReplanParams,
        cpu: cpu::replan,
        read topology: u32,
        write wants: u32,
        write free: u32,
        write plan: u32,
        write clock: f32,
    }
}
