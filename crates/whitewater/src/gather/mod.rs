//! Those that live on close up, in their order; slots behind them are empty.

mod cpu;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// How many there may be.
    pub struct GatherParams {
        /// Most particles.
        pub capacity: u32,
    }
}

kernel! {
    /// Copies the particles of a list.
    pub struct Gather slices GatherSlices = "whitewater.gather" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/gather.wgsl")), entry: "gather",
        workgroup: [256, 1, 1],
        params: GatherParams,
        cpu: cpu::gather,
        read list: u32,
        read alive: u32,
        read places: [f32; 4],
        read motions: [f32; 4],
        write to_places: [f32; 4],
        write to_motions: [f32; 4],
    }
}
