//! After a step of a level: new cells into their slots, less what neighbours held back; what passed to larger cells
//! into registers.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// Which level.
    pub struct RefluxParams {
        /// Level.
        pub level: u32,
        /// Levels.
        pub levels: u32,
        /// Finest cells along x.
        pub nx: u32,
        /// Finest cells along z.
        pub nz: u32,
        /// Slots.
        pub capacity: u32,
        /// Size of a cell of this level, m.
        pub cell: f32,
    }
}

kernel! {
    /// Ends a step of the tiles of a level.
    pub struct Reflux slices RefluxSlices = "tree.reflux" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/reflux.wgsl")), entry: "reflux",
        workgroup: [256, 1, 1],
        params: RefluxParams,
        cpu: cpu::reflux,
        read topology: u32,
        read lists: u32,
        read clock: f32,
        read out: f32,
        write cells: f32,
        write registers: f32,
        write status: f32,
    }
}
