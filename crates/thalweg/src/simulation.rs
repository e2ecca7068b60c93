//! A scene in motion.

use std::sync::Arc;

use thalweg_compute::{Executor, Timings};
use thalweg_scene::Scene;
use thalweg_shallow::{ShallowWater, Snapshot, Statistics};

use crate::backend::Backend;
use crate::error::Error;
use crate::probes::Probes;
use crate::setup::{Ground, setup};

/// A running simulation.
pub struct Simulation {
    scene: Scene,
    water: ShallowWater,
    probes: Probes,
    /// Steps before the last load.
    steps_before: u64,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("scene", &self.scene.name)
            .field("time", &self.time())
            .finish_non_exhaustive()
    }
}

/// Water as a height field; index `i + nx * k`.
#[derive(Debug, Clone)]
pub struct WaterSurface {
    /// Cells along x and z.
    pub size: [usize; 2],
    /// Size of a cell, m.
    pub cell: f64,
    /// World coordinates of the low corner, m.
    pub origin: [f64; 2],
    /// Bed elevation, m.
    pub bed: Vec<f32>,
    /// Depth, m.
    pub depth: Vec<f32>,
    /// Surface elevation, m; the bed's where it is dry.
    pub surface: Vec<f32>,
    /// Velocity along x and z, m/s.
    pub velocity: [Vec<f32>; 2],
}

/// A simulation put aside. Loaded into a simulation of the same scene it goes on with the same bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// Digest of the scene.
    pub digest: u64,
    /// Steps taken.
    pub steps: u64,
    /// The water.
    pub water: Snapshot,
    /// What gauges remember.
    pub probes: Vec<f64>,
}

impl Simulation {
    /// Opens the backend and fills the domain.
    pub fn new(scene: Scene, backend: Backend) -> Result<Self, Error> {
        Self::on(Arc::new(backend.open(None)?), scene)
    }

    /// Runs on an executor of the caller's, such as one over an engine's own device.
    pub fn on(executor: Arc<Executor>, scene: Scene) -> Result<Self, Error> {
        let ground = Ground::of(&scene)?;
        let initial = |i, k| ground.cell(&scene, i, k);
        let water = ShallowWater::new(executor, setup(&scene, &ground, &initial))?;
        let probes = Probes::new(&scene, &water)?;
        Ok(Self { scene, water, probes, steps_before: 0 })
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The executor.
    pub fn executor(&self) -> &Arc<Executor> {
        self.water.executor()
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.water.time()
    }

    /// Steps so far, those before a load included and failed ones not.
    pub fn steps(&self) -> u64 {
        self.steps_before + self.water.frames()
    }

    /// Goes on by `dt` seconds, in as many sub-steps as stability asks for. On a GPU it returns before the
    /// work is done; whatever reads the water waits for it, and a failed step shows there or in the next one.
    pub fn step(&mut self, dt: f64) -> Result<(), Error> {
        Ok(self.water.advance(dt)?)
    }

    /// Volume, energy, speed and the books.
    pub fn statistics(&mut self) -> Result<Statistics, Error> {
        Ok(self.water.statistics()?)
    }

    /// Names of the gauges' columns.
    pub fn probe_columns(&self) -> Vec<String> {
        self.probes.columns()
    }

    /// The gauges' values, one per column.
    pub fn read_probes(&mut self) -> Result<Vec<f64>, Error> {
        Ok(self.probes.read(&mut self.water)?)
    }

    /// The water as a height field.
    pub fn water_surface(&mut self) -> Result<WaterSurface, Error> {
        let fields = self.water.fields()?;
        Ok(WaterSurface {
            size: self.water.size(),
            cell: self.water.cell(),
            origin: self.scene.grid.origin,
            bed: self.probes.bed().to_vec(),
            depth: fields.depth,
            surface: fields.surface,
            velocity: [fields.u, fields.w],
        })
    }

    /// Switches timing per stage on or off.
    pub fn set_timed(&self, timed: bool) {
        self.executor().set_timed(timed);
    }

    /// Time per stage since the last call.
    pub fn take_timings(&self) -> Result<Timings, Error> {
        Ok(self.executor().take_timings()?)
    }

    /// Puts the simulation aside.
    pub fn save(&mut self) -> Result<Saved, Error> {
        let water = self.water.snapshot()?;
        Ok(Saved { digest: self.scene.digest, steps: self.steps(), water, probes: self.probes.memory() })
    }

    /// Takes up what was put aside. The scene must be the same.
    pub fn load(&mut self, saved: &Saved) -> Result<(), Error> {
        if saved.digest != self.scene.digest {
            return Err(Error::Saved("it was saved from another scene, or the scene was changed since".into()));
        }
        if !self.probes.restore(&saved.probes) {
            return Err(Error::Saved("it holds another number of probes".into()));
        }
        self.water.restore(&saved.water)?;
        self.steps_before = saved.steps;
        Ok(())
    }
}
