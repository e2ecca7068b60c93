//! Every field of the particles, with its unit and layout.

use thalweg_compute::{Buffer, Executor, WORKGROUP};

use crate::constants::{extent, solve, survey, tally};
use crate::error::Result;
use crate::neighbours::{Carried, Neighbours, extent_of};

/// Particles that the processor works on at a time: a workgroup, so that sums of errors are the same.
pub(crate) const CHUNK: usize = WORKGROUP as usize;

/// Particles in slots of a fixed number, those that are there first. Between sub-steps they are in the order of the
/// last sort: cells x first, then y, then z, by number within a cell. 128 bytes a slot with the sort (32 more for
/// divergence-free SPH, 32 more where there are solids), and 8 a cell.
#[derive(Debug)]
pub(crate) struct State {
    /// Place, m from the corner of the domain. Within a sub-step, w is λ or κ for the next pass.
    pub(crate) places: Buffer<[f32; 4]>,
    /// Velocity, m/s. w: κ of the last density solve times the step (divergence-free SPH), m; else 0.
    pub(crate) motions: Buffer<[f32; 4]>,
    /// A number for life.
    pub(crate) ids: Buffer<u32>,
    /// Density in units of that at rest, as the last solve found it.
    pub(crate) density: Buffer<f32>,
    /// What the three above become by a sort.
    pub(crate) sorted_places: Buffer<[f32; 4]>,
    pub(crate) sorted_motions: Buffer<[f32; 4]>,
    pub(crate) sorted_ids: Buffer<u32>,
    /// Predicted places, and places with λ or κ.
    pub(crate) predicted: Buffer<[f32; 4]>,
    /// The same, for the other half of an iteration.
    pub(crate) scratch: Buffer<[f32; 4]>,
    /// Plane of the nearest solid: normal, and its product with a place on the plane.
    pub(crate) planes: Buffer<[f32; 4]>,
    /// Velocity of that solid, m/s.
    pub(crate) drifts: Buffer<[f32; 4]>,
    /// Words of `constants::factor`.
    pub(crate) factors: Buffer<[f32; 8]>,
    /// Sum of errors of every chunk.
    pub(crate) errors: Buffer<f32>,
    /// Mean error and iterations of the last divergence and density solve.
    pub(crate) report: Buffer<f32>,
    /// How many there are, as arguments of kernels: words of `constants::extent`.
    pub(crate) extent: Buffer<u32>,
    /// What came and went since the start, in particles: words of `constants::tally`.
    pub(crate) tally: Buffer<u32>,
    /// Extremes at the end of a frame: words of `constants::survey`.
    pub(crate) extremes: Buffer<u32>,
    /// The sort.
    pub(crate) neighbours: Neighbours,
}

/// What decides how much memory there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sizes {
    pub(crate) capacity: usize,
    pub(crate) cells: usize,
    pub(crate) has_solids: bool,
    pub(crate) is_divergence_free: bool,
}

impl State {
    pub(crate) fn new(exec: &Executor, sizes: Sizes) -> Result<Self> {
        let Sizes { capacity, cells, has_solids, is_divergence_free } = sizes;
        let of_solids = if has_solids { capacity } else { 1 };
        let of_solver = if is_divergence_free { capacity } else { 1 };
        Ok(Self {
            places: exec.buffer("particles.places", capacity)?,
            motions: exec.buffer("particles.motions", capacity)?,
            ids: exec.buffer("particles.ids", capacity)?,
            density: exec.buffer("particles.density", capacity)?,
            sorted_places: exec.buffer("particles.sorted_places", capacity)?,
            sorted_motions: exec.buffer("particles.sorted_motions", capacity)?,
            sorted_ids: exec.buffer("particles.sorted_ids", capacity)?,
            predicted: exec.buffer("particles.predicted", capacity)?,
            scratch: exec.buffer("particles.scratch", capacity)?,
            planes: exec.buffer("particles.planes", of_solids)?,
            drifts: exec.buffer("particles.drifts", of_solids)?,
            factors: exec.buffer("particles.factors", of_solver)?,
            errors: exec.buffer("particles.errors", of_solver.div_ceil(CHUNK))?,
            report: exec.zeros("particles.report", 2 * solve::REPORT)?,
            extent: exec.buffer_from("particles.extent", &[extent_of(0); extent::WORDS / 4].concat())?,
            tally: exec.zeros("particles.tally", tally::WORDS)?,
            extremes: exec.zeros("particles.extremes", survey::WORDS)?,
            neighbours: Neighbours::new(exec, capacity, cells)?,
        })
    }

    /// What a sort moves from, and to.
    pub(crate) fn carried<'a>(
        &'a self,
        motions: &'a Buffer<[f32; 4]>,
        to_motions: &'a Buffer<[f32; 4]>,
    ) -> [Carried<'a>; 2] {
        [
            Carried { places: &self.places, motions, ids: &self.ids },
            Carried { places: &self.sorted_places, motions: to_motions, ids: &self.sorted_ids },
        ]
    }
}
