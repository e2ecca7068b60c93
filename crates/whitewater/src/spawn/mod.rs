//! New drops where trial particles left the water, behind those that are alive.
//!
//! The places of the new ones come from the counts of [`Survey`](crate::survey::Survey), in the order of the trial
//! particles, so that it is always the same; those that find no free slot are not made, and the oldest stay.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

pub(crate) use crate::constants::state;

/// Words that say over how many slots kernels go, see `crate::constants::extent`.
pub(crate) mod extent {
    use thalweg_compute::{WORKGROUP, fold};

    pub(crate) use crate::constants::extent::{ALIVE, COUNT, EITHER};

    /// A set; as [`thalweg_compute::primitives::IndirectArgs`] has it.
    pub(crate) fn of(count: u32) -> [u32; 4] {
        let [x, y, z] = fold(u64::from(count.div_ceil(WORKGROUP))).unwrap_or_default();
        [x, y, z, count]
    }
}

const _: () = assert!(
    extent::COUNT == thalweg_compute::primitives::IndirectArgs::COUNT,
    "a set is laid out like any indirect arguments"
);
const _: () = assert!(
    crate::constants::trial::MOST_DROPS == thalweg_model::MOST_PER_TRIAL,
    "drops are numbered by trial particle"
);

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
        /// Volume of a sphere of radius 1, or 0 if drops have no mass.
        pub volume: f32,
        /// Drops where a trial particle has left the water.
        pub per_trial: u32,
        /// Where in `events` the drops made are, per workgroup of columns.
        pub made: u32,
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
    /// Makes the drops of a trial particle that is free.
    pub struct Spawn slices SpawnSlices = "whitewater.spawn" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/spawn.wgsl")), entry: "spawn",
        workgroup: [256, 1, 1],
        params: SpawnParams,
        cpu: cpu::spawn,
        read trials: [f32; 4],
        read freed: u32,
        write places: [f32; 4],
        write motions: [f32; 4],
        write events: u32,
    }
}

kernel! {
    /// Counts the new ones among those alive, and over how many slots the next step goes: one invocation.
    pub struct Tally slices TallySlices = "whitewater.tally" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/tally.wgsl")), entry: "tally",
        workgroup: [1, 1, 1],
        params: TallyParams,
        cpu: cpu::tally,
        write events: u32,
        write extents: u32,
        write state: u32,
    }
}
