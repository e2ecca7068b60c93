//! New drops where trial particles left the water, behind those that are alive.
//!
//! The places of the new ones come from a scan over the trial particles, so that their order is always the same; those that find no free slot are
//! not made, and the oldest stay.

mod cpu;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

/// Words of [`Tally`]'s state.
pub(crate) mod state {
    /// Volume of all drops in the air: whole cells, then the fraction.
    pub(crate) const SPRAY: usize = 0;
    /// Drops that found no free slot since the start.
    pub(crate) const REFUSED: usize = 2;
    /// How many there are.
    pub(crate) const COUNT: usize = 3;
}

uniform! {
    /// What drops are like.
    pub struct SpawnParams {
        /// Trial particles.
        pub slots: u32,
        /// Most particles.
        pub capacity: u32,
        /// Of the random numbers.
        pub salt: u32,
        /// The domain along x, cells: no drop begins beyond it.
        pub size_x: f32,
        /// See `size_x`.
        pub size_z: f32,
        /// Change of the velocity as a share of the speed.
        pub noise: f32,
        /// Mean radius, cells.
        pub drop_radius: f32,
        /// Share that is mist.
        pub mist_share: f32,
        /// Longest flight, s.
        pub spray_life: f32,
        /// Volume of a ball of radius 1, or 0 if drops have no mass.
        pub volume: f32,
    }
}

uniform! {
    /// How many there may be.
    pub struct TallyParams {
        /// Most particles.
        pub capacity: u32,
    }
}

kernel! {
    /// Makes the drops of a trial particle.
    pub struct Spawn slices SpawnSlices = "whitewater.spawn" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/spawn.wgsl")), entry: "spawn",
        workgroup: [256, 1, 1],
        params: SpawnParams,
        cpu: cpu::spawn,
        read trials: [f32; 4],
        read counts: u32,
        read offsets: u32,
        read alive: u32,
        write places: [f32; 4],
        write motions: [f32; 4],
        write events: u32,
    }
}

kernel! {
    /// Counts the new ones among those alive, and what is in the air: one invocation.
    pub struct Tally slices TallySlices = "whitewater.tally" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/tally.wgsl")), entry: "tally",
        workgroup: [1, 1, 1],
        params: TallyParams,
        cpu: cpu::tally,
        read total: u32,
        read events: u32,
        write alive: u32,
        write state: u32,
    }
}
