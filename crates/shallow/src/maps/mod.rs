//! Maps over time: how high and how fast the water was in every cell, when it came and when it stood highest.
//!
//! The water is looked at before every [`EVERY`]-th sub-step of a frame, the first included, and when the maps are
//! read: so at the beginning and at the end of every frame, whatever its length. In between a wave moves by less than
//! half of [`EVERY`] cells, in a domain one cell thick by less than [`EVERY`]: the Courant number of default steps is
//! 0.9, summed over the axes.

mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use thalweg_compute::{kernel, uniform};

use crate::output::Maps;
use crate::physics::{depth, surface};
pub(crate) use constants::NEVER;

/// Sub-steps from one look to the next: a choice between what looks cost and what is missed between them, see
/// `docs/shallow-water.md`.
pub(crate) const EVERY: u32 = 8;

/// Planes of the maps: highest surface variable s (m), square of the fastest speed (m²/s²), time of the first wetting
/// and of the highest s (s).
pub(crate) const PLANES: usize = 4;

uniform! {
    /// Parameters of a look.
    pub struct MapsParams {
        /// Cells of the domain.
        pub cells: u32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
        /// Depth from which ground counts as wetted, m.
        pub wet: f32,
        /// Time at which the frame began, s.
        pub began: f32,
    }
}

kernel! {
    /// Takes the water as it is into the maps.
    pub struct Look slices LookSlices = "shallow.maps" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/maps.wgsl")), entry: "look",
        workgroup: [256, 1, 1],
        params: MapsParams,
        cpu: cpu::look,
        read state: f32,
        read bed: f32,
        read clock: f32,
        write maps: f32,
    }
}

/// Maps before the first look.
pub(crate) fn blank(cells: usize) -> Vec<f32> {
    let mut planes = vec![0.0; PLANES * cells];
    planes[..cells].fill(NEVER);
    planes
}

/// Planes as users want them: NaN where the ground never was wet.
pub(crate) fn unpack(planes: &[f32], bed: &[f32], datum: f64) -> Maps {
    let cells = bed.len();
    let each = |f: &(dyn Fn(usize) -> f32 + Sync)| -> Vec<f32> {
        let value = |at: usize| if planes[at] == NEVER { f32::NAN } else { f(at) };
        (0..cells).into_par_iter().map(value).collect()
    };
    Maps {
        depth: each(&|at| depth(planes[at], bed[at])),
        surface: each(&|at| (f64::from(surface(planes[at], bed[at])) + datum) as f32),
        speed: each(&|at| planes[at + cells].sqrt()),
        arrival: each(&|at| planes[at + 2 * cells]),
        peak: each(&|at| planes[at + 3 * cells]),
    }
}
