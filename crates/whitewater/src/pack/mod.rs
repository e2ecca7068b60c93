//! Those that live on close up, in their order; slots behind them and the drops to come are empty.
//!
//! 64 bytes a particle: both halves read and written, at a place from the counts that [`Fly`](crate::fly::Fly) left.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// Where the counts are.
    pub struct PackParams {
        /// Most particles.
        pub capacity: u32,
        /// Where in `events` the survivors are, per workgroup of particles.
        pub lived: u32,
        /// Where in `events` the survivors are, per block of workgroups.
        pub blocks: u32,
    }
}

kernel! {
    /// Copies the particles that are alive to where they come next. Runs over all slots that hold one here, or did in
    /// `to_places`.
    pub struct Pack slices PackSlices = "whitewater.pack" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/pack.wgsl")), entry: "pack",
        workgroup: [256, 1, 1],
        params: PackParams,
        cpu: cpu::pack,
        read events: u32,
        read places: [f32; 4],
        read motions: [f32; 4],
        write to_places: [f32; 4],
        write to_motions: [f32; 4],
    }
}
