//! A body of water as its callers see it: what it is made from, what can be asked of it and done with it between steps.

mod bodies;
mod change_solids;
pub(crate) mod more_cells;
pub(crate) mod observation;
mod plan;
mod pour;
mod push;
pub(crate) mod snapshot;
mod steps;
pub(crate) mod tuning;
pub(crate) mod velocities;
mod waiting;

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::{Executor, Later};
use thalweg_ledger::Ledger;

use crate::error::{Result, TallError};
use crate::from_model::Exchange;
use crate::setup::{Options, Setup};
use crate::solver::begin::begin;
use crate::solver::stages::Stages;
use crate::solver::state::State;
use crate::solver::view::View;
use more_cells::Origin;
use observation::Planning;

/// Three-dimensional water.
#[derive(Debug)]
pub struct TallWater {
    exec: Arc<Executor>,
    options: Options,
    state: State,
    stages: Stages,
    clock: Clock,
    planning: Planning,
    /// Acceleration of the domain along x and z, m/s².
    acceleration: [f64; 2],
    /// The deepest fall that sets the speed limit, m.
    fall: f64,
    /// Largest speed that the water was given, m/s.
    given_speed: f64,
    /// What it was made from.
    origin: Origin,
}

/// How far the simulation is.
#[derive(Debug, Clone, Copy, Default)]
struct Clock {
    /// Seconds simulated.
    time: f64,
    /// Steps taken.
    steps: u64,
    /// Length of the last step, s; 0 before the first.
    last_step: f64,
}

impl TallWater {
    /// Fills the columns and takes all memory. No water enters or leaves.
    pub fn new(exec: Arc<Executor>, setup: &Setup<'_>) -> Result<Self> {
        Self::with_exchange(exec, setup, &Exchange::default())
    }

    /// The same with sources and open sides.
    pub fn with_exchange(exec: Arc<Executor>, setup: &Setup<'_>, given: &Exchange) -> Result<Self> {
        let (state, stages) = begin(&exec, setup, given)?;
        let mut water = Self {
            exec,
            options: setup.options,
            state,
            stages,
            clock: Clock::default(),
            planning: Planning::new(setup.options.iterations),
            acceleration: [0.0; 2],
            fall: setup.height,
            given_speed: 0.0,
            origin: Origin::new(setup, given),
        };
        water.begin(setup)?;
        Ok(water)
    }

    /// What the water at the start is known by: distances, level, how far it may fall, its ledger and its velocity.
    fn begin(&mut self, setup: &Setup<'_>) -> Result<()> {
        let mut rec = self.exec.record();
        self.stages.make_distances(&mut rec, &self.state)?;
        rec.submit()?;
        let surface: Vec<f32> = self.surface_later()?.wait()?.into_iter().flatten().collect();
        self.state.set_level(surface.iter().sum::<f32>() / surface.len().max(1) as f32 - 0.5);
        let highest = surface.iter().fold(f64::NEG_INFINITY, |highest, y| highest.max(f64::from(*y) * setup.cell));
        let lowest = setup.terrain.iter().fold(f64::INFINITY, |lowest, z| lowest.min(*z));
        // A front on dry ground is as fast as a fall from twice the depth behind it (Ritter 1892).
        self.fall = setup.height.max(2.0 * (highest - lowest));
        self.stages.exchange.ledger.open(&self.exec, self.statistics_later()?.wait()?.volume)?;
        if setup.velocity != [0.0; 2] {
            let [ux, uz] = setup.velocity;
            self.set_velocities(&|_| [ux, 0.0, uz])?;
        }
        Ok(())
    }

    /// What views read.
    pub(crate) fn view(&self) -> View<'_> {
        let Self { exec, options, state, stages, clock, .. } = self;
        View { exec, state, stages, options, time: clock.time, last_step: clock.last_step }
    }

    /// The executor.
    pub fn executor(&self) -> &Arc<Executor> {
        &self.exec
    }

    /// Edge of a cubic cell, m.
    pub fn cell(&self) -> f64 {
        self.state.cell()
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.clock.steps
    }

    /// Seconds simulated so far.
    pub fn time(&self) -> f64 {
        self.clock.time
    }

    /// Columns, and regular cells of each.
    pub fn shape(&self) -> Shape {
        self.state.shape()
    }

    /// Where the water went since the start, in m³.
    pub fn ledger_later(&self) -> Result<Later<Ledger, TallError>> {
        Ok(self.stages.exchange.ledger.read_later(&self.exec)?.errors_into())
    }

    /// Columns whose regular cells do not reach over all of their water with the margins that were asked for: more of
    /// them ([`Shape::regular`]) are needed. 0 on a uniform grid.
    pub fn crowded_columns_later(&self) -> Result<Later<u32, TallError>> {
        let Some(infeasible) = self.stages.remesh.infeasible() else { return Ok(Later::known(0)) };
        let words = self.exec.read_async(infeasible)?;
        Ok(Later::new(move || Ok(words.wait()?[0])))
    }

    /// Acceleration `[a_x, a_z]` of the whole domain in m/s², from the next step on: water in a tank that is shaken
    /// feels it as a gravity to the other side.
    pub fn accelerate(&mut self, acceleration: [f64; 2]) {
        self.acceleration = acceleration;
    }
}
