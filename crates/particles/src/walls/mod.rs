//! Walls: the sides of the domain as planes, ground and solids by the plane of what is nearest.
//!
//! A plane takes away a part of a kernel that is known in closed form ([`crate::kernel`]): what it misses counts as if
//! the wall were water, and its gradient pushes. A solid is looked at once a sub-step, and is its tangent plane until
//! the next one. Bytes a particle: 16 + 32.

mod cpu;
mod nearest;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod rules;
#[cfg(test)]
mod tests;

use thalweg_compute::kernel;

use crate::params::StepParams;
pub(crate) use nearest::Solids;
pub(crate) use rules::{held, let_go, wall};

kernel! {
    /// The plane of the nearest solid for every particle, and its velocity.
    pub struct Walls slices WallsSlices = "particles.walls" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/walls.wgsl")), entry: "walls",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::walls,
        read extent: u32,
        read places: [f32; 4],
        read solids: f32,
        read distances: f32,
        read ground: f32,
        write planes: [f32; 4],
        write drifts: [f32; 4],
    }
}

/// The plane of a particle, if there are any solids.
#[inline(always)]
pub(crate) fn plane_of(p: &StepParams, planes: &[[f32; 4]], n: usize) -> [f32; 4] {
    if p.solids == 0 && p.ground_x == 0 { crate::kernel::NO_PLANE } else { planes[n] }
}

/// The velocity of the solid that the plane is of.
#[inline(always)]
pub(crate) fn drift_of(p: &StepParams, drifts: &[[f32; 4]], n: usize) -> [f32; 3] {
    if p.solids == 0 {
        return [0.0; 3];
    }
    let [x, y, z, _] = drifts[n];
    [x, y, z]
}
