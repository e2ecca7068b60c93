//! Particles move for a step: drops fall through the air, foam goes with the surface.
//!
//! A drop has the closed path of a fall with linear drag `k`: `v' = v e^{−kΔt} − g m`, `x' = x + v m − g (Δt − m)/k`
//! with `m = (1 − e^{−kΔt})/k`; the exponentials are the host's, and any number of steps gives the same path as one.
//! Where it meets water it lands, and becomes foam or is gone; where it meets ground or an obstacle, or has flown for
//! too long, it is gone. At sides that are walls it bounces, through the others it leaves.
//!
//! A foam particle is put back onto the surface, `x ← x − φ n`, and goes with the part of the velocity along it.
//!
//! **Cost.** Place and motion are read and written, 64 bytes; what counts on a GPU are the scattered reads beside them.
//! A drop above the ceilings of the columns around it makes 4 of them, one near the water 24 (heights, two samples each
//! of level set and solids of four columns), foam 100: 28 at its place, where it needs velocities, and 12 at each of
//! the six around it. With velocities and solids everywhere it was 28 a drop and 196 foam.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// The columns, the step and what becomes of drops.
    pub struct FlyParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Of the random numbers.
        pub salt: u32,
        /// Sides that are walls, a bit each: low x, high x, low z, high z.
        pub walls: u32,
        /// Step, s.
        pub dt: f32,
        /// `1/Δx`, 1/m.
        pub cells_per_metre: f32,
        /// m/s².
        pub gravity: f32,
        /// `e^{−kΔt}` of spray.
        pub spray_decay: f32,
        /// `(1 − e^{−kΔt})/k` of spray, s.
        pub spray_mean: f32,
        /// `g (Δt − m)/k` of spray, m.
        pub spray_fall: f32,
        /// See `spray_decay`.
        pub mist_decay: f32,
        /// See `spray_mean`.
        pub mist_mean: f32,
        /// See `spray_fall`.
        pub mist_fall: f32,
        /// Share of landing drops that become foam.
        pub foam_share: f32,
        /// Mean life of foam, s.
        pub foam_life: f32,
        /// Foam that a landing drop leaves on its column.
        pub deposit: u32,
        /// Volume of a sphere of radius 1, or 0 if drops have no mass.
        pub volume: f32,
        /// Where in `events` the survivors are, per workgroup of particles.
        pub lived: u32,
        /// Where in `events` the survivors are, per block of workgroups.
        pub blocks: u32,
    }
}

kernel! {
    /// Moves every particle and counts those that live on; slots of the others become empty.
    pub struct Fly slices FlySlices = "whitewater.fly" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fly.wgsl")), entry: "fly",
        workgroup: [256, 1, 1],
        params: FlyParams,
        cpu: cpu::fly,
        read heights: [i32; 2],
        read phi: f32,
        read velocity: [f32; 4],
        read solid: f32,
        read ceilings: i32,
        write places: [f32; 4],
        write motions: [f32; 4],
        write events: u32,
    }
}
