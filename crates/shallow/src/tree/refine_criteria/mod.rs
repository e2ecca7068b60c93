//! What the tiles want: to be split where the surface or the velocity changes much from cell to cell, where the water
//! ends, or where the setup asks for it; to be merged where nothing of that would be so with cells twice as large.
//!
//! A tile also marks the sides at which water moves within [`constants::BAND`] cells of it: the neighbour there should
//! be as fine before the wave arrives.

mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// Parameters of the judgement.
    pub struct RefineParams {
        /// Levels.
        pub levels: u32,
        /// Finest cells along x.
        pub nx: u32,
        /// Finest cells along z.
        pub nz: u32,
        /// Slots.
        pub capacity: u32,
        /// 1 if the edge of the water asks for the finest cells.
        pub fronts: u32,
        /// 1 if bends are looked at, 0 if steps are.
        pub bends: u32,
        /// Size of the finest cells, m.
        pub cell: f32,
        /// Depth below which a cell is dry, m.
        pub h_eps: f32,
        /// Largest step or bend of the surface, m.
        pub surface: f32,
        /// Largest step or bend of the velocity, m/s.
        pub speed: f32,
    }
}

kernel! {
    /// What every tile wants.
    pub struct RefineCriteria slices RefineSlices = "tree.refine_criteria" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/refine_criteria.wgsl")), entry: "refine_criteria",
        workgroup: [256, 1, 1],
        params: RefineParams,
        cpu: cpu::refine_criteria,
        read topology: u32,
        read wishes: f32,
        read clock: f32,
        read cells: f32,
        write wants: u32,
    }
}
