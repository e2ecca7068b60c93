//! The stages of a step, in the order in which `step.rs` calls them: each takes the state and records itself. Those
//! that move the surface lie in `surface/`.

pub(crate) mod extrapolate;

pub(crate) mod far_field;

pub(crate) mod advect;
pub(crate) mod samples;

pub(crate) mod exchange;

pub(crate) mod remesh;
pub(crate) mod solids;

pub(crate) mod bodies;
pub(crate) mod project;
pub(crate) mod volume;

// Between steps.
pub(crate) mod given_velocities;
pub(crate) mod push_ball;

use thalweg_columns::Shape;

use crate::setup::Options;
use crate::solver::surface::Surface;
use crate::solver::view::statistics::WaterStats;
use advect::VelocityAdvection;
use bodies::FloatingBodies;
use exchange::{Exchanger, Moment};
use extrapolate::Extrapolation;
use project::Projection;
use remesh::Remesh;
use solids::Solids;
use volume::Volume;

/// All stages with their memory.
#[derive(Debug)]
pub(crate) struct Stages {
    /// What moves the surface, however it is carried.
    pub(crate) surface: Box<dyn Surface>,
    pub(crate) extrapolate: Extrapolation,
    pub(crate) advect: VelocityAdvection,
    /// Sources, open sides and the ledger.
    pub(crate) exchange: Exchanger,
    pub(crate) remesh: Remesh,
    pub(crate) solids: Solids,
    /// Sums over the water: what the volume is held by, and the statistics.
    pub(crate) sums: WaterStats,
    pub(crate) volume: Volume,
    pub(crate) bodies: FloatingBodies,
    pub(crate) projection: Projection,
}

/// A step as its stages see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// When it begins and how long it is.
    pub(crate) moment: Moment,
    pub(crate) options: Options,
    /// Steps before this one.
    pub(crate) number: u64,
    /// Acceleration of the domain along x and z, m/s².
    pub(crate) acceleration: [f64; 2],
    /// Faces are cut off at this speed, m/s.
    pub(crate) fastest: f64,
    /// Most iterations of the pressure solve.
    pub(crate) iterations: usize,
    /// Whether sources flow.
    pub(crate) flows: bool,
}

impl Step {
    /// Whether the level set becomes a distance in this step.
    pub(crate) fn reinitialises(&self) -> bool {
        let every = self.options.reinitialise_every.max(1);
        self.number % every == every - 1
    }

    /// `g Δt Δx`, m²/s: what a cell of height is worth.
    pub(crate) fn weight(&self, cell: f64) -> f32 {
        (self.options.gravity * self.moment.dt * cell) as f32
    }
}

/// Longest step for the shortest surface waves, s. Gravity, then projection is a symplectic Euler step: waves of two
/// cells are stable up to 1.13 √(Δx/g), but near that limit breaking waves are kept alive: a collapsed column moved as
/// fast after 55 s as after 10 s with 0.74 √(Δx/g), and calmed down with half of it.
pub(crate) fn longest_wave_step(cell: f64, gravity: f64) -> f64 {
    0.5 * (cell / gravity.max(1e-9)).sqrt()
}

/// Columns along x and z, and samples of each, as kernels take them.
pub(in crate::solver) fn extents(shape: Shape) -> [u32; 3] {
    [shape.nx as u32, shape.nz as u32, shape.samples() as u32]
}
