//! How many particles there are of each kind, when asked.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// How many there may be.
    pub struct CensusParams {
        /// Most particles.
        pub capacity: u32,
    }
}

kernel! {
    /// Counts kinds; `counts` is cleared before.
    pub struct Census slices CensusSlices = "whitewater.census" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/census.wgsl")), entry: "census",
        workgroup: [256, 1, 1],
        params: CensusParams,
        cpu: cpu::census,
        read places: [f32; 4],
        write counts: u32,
    }
}
