//! The clock of a tree. A **round** is a step of the coarsest tiles; the others take one, two, four … steps in it, as
//! their cells and their water ask for. A **tick** is a step of the finest of them.
//!
//! `begin` picks length and number of ticks of the next round by the fastest signals of the levels, `tick` says which
//! levels step now. What is past the end of the frame or of the round runs no workgroups, so that rounds and ticks are
//! recorded without knowing how many there will be.

mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

pub(crate) use constants::arg;

/// Most doublings between the longest and the shortest step of a round.
pub(crate) const MAX_RATE: u32 = 4;

uniform! {
    /// Parameters of the clock.
    pub struct TreeClockParams {
        /// Levels.
        pub levels: u32,
        /// Slots.
        pub capacity: u32,
        /// Sources.
        pub sources: u32,
        /// Most doublings between steps; a round has at most `2^rates` ticks.
        pub rates: u32,
        /// Ticks between two looks at the tree; 0: never.
        pub interval: u32,
        /// Size of the finest cells, m.
        pub cell: f32,
        /// m/s².
        pub gravity: f32,
        /// Largest dt · (sum of signal speeds) / cell.
        pub courant: f32,
        /// Ticks of one frame at which the run is given up.
        pub max_ticks: f32,
        /// Kinds of the sides.
        pub west_kind: u32, pub east_kind: u32, pub south_kind: u32, pub north_kind: u32,
        /// Lowest bed along each side, m above the datum.
        pub west_bed: f32, pub east_bed: f32, pub south_bed: f32, pub north_bed: f32,
    }
}

kernel! {
    /// Begins a round.
    pub struct Begin slices BeginSlices = "tree.begin" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/tree_clock.wgsl")), entry: "begin",
        workgroup: [1, 1, 1],
        params: TreeClockParams,
        cpu: cpu::begin,
        read lists: u32,
        read drivers: f32,
        write clock: f32,
        write args: u32,
    }
}

kernel! {
    /// Says who steps in the next tick. The drivers are there because both kernels are one module.
    pub struct Tick slices TickSlices = "tree.tick" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/tree_clock.wgsl")), entry: "tick",
        workgroup: [1, 1, 1],
        params: TreeClockParams,
        cpu: cpu::tick,
        read lists: u32,
        read drivers: f32,
        write clock: f32,
        write args: u32,
    }
}
