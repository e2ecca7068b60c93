//! The rows of a run's tables.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use thalweg_bodies::BodyState;
use thalweg_model::Ability;
use thalweg_scene::Scene;

use crate::error::Error;
use crate::session::Session;
use crate::simulation::Simulation;
use crate::statistics::Statistics;

/// Names of the columns of all tables; each has the time first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowColumns {
    /// Sums over the water, and the wall time of each stage.
    pub statistics: Vec<String>,
    /// Gauges; only the time without any.
    pub probes: Vec<String>,
    /// Rigid bodies: place (m) and turn (a quaternion) of each one's frame, velocity (m/s) and rates (rad/s) of its
    /// centre of mass, force (N) and torque (N m) of the water. Only the time without bodies.
    pub bodies: Vec<String>,
}

/// A row of each table.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// Sums over the water.
    pub water: Statistics,
    /// Values of [`RowColumns::statistics`].
    pub statistics: Vec<f64>,
    /// Values of [`RowColumns::probes`]; none without gauges.
    pub probes: Vec<f64>,
    /// Values of [`RowColumns::bodies`]; none without bodies.
    pub bodies: Vec<f64>,
}

/// Measures a session step by step.
#[derive(Debug)]
pub struct Measurements {
    columns: RowColumns,
    initial_volume: f64,
    last: Statistics,
    step_ms: Vec<f64>,
    stages: BTreeMap<String, f64>,
}

impl Measurements {
    /// Begins where the session begins, or goes on.
    ///
    /// # Errors
    /// If the executor has failed.
    pub fn new(session: &Session) -> Result<Self, Error> {
        let (simulation, last) = (session.simulation(), session.begin());
        let time = std::iter::once("time".to_owned());
        let bodies = simulation.bodies().into_iter();
        let bodies = bodies.flat_map(|body| BODY_COLUMNS.map(|column| format!("{}_{column}", body.name)));
        let columns = RowColumns {
            statistics: statistics_columns(simulation, &last),
            probes: time.clone().chain(simulation.probe_columns()).collect(),
            bodies: time.chain(bodies).collect(),
        };
        simulation.take_timings()?;
        let (initial_volume, step_ms, stages) = (session.initial_volume(), Vec::new(), BTreeMap::new());
        Ok(Self { columns, initial_volume, last, step_ms, stages })
    }

    /// Names of the columns.
    pub fn columns(&self) -> &RowColumns {
        &self.columns
    }

    /// The water at the last row, or at the beginning.
    pub fn last(&self) -> Statistics {
        self.last
    }

    /// Wall time of every step, ms.
    pub fn step_ms(&self) -> &[f64] {
        &self.step_ms
    }

    /// Wall time of every stage in all, ms.
    pub fn stages(&self) -> &BTreeMap<String, f64> {
        &self.stages
    }

    /// The row of the beginning.
    ///
    /// # Errors
    /// If gauges cannot be read.
    pub fn begin(&mut self, simulation: &mut Simulation) -> Result<Rows, Error> {
        let rows = self.rows(simulation, self.last, Duration::ZERO)?;
        self.step_ms.clear();
        Ok(rows)
    }

    /// The row of a step that began at some time of the wall.
    ///
    /// # Errors
    /// If the step has failed, or gauges cannot be read.
    pub fn step(&mut self, simulation: &mut Simulation, began: Instant) -> Result<Rows, Error> {
        let statistics = simulation.statistics()?;
        self.rows(simulation, statistics, began.elapsed())
    }

    fn rows(&mut self, simulation: &mut Simulation, water: Statistics, wall: Duration) -> Result<Rows, Error> {
        let first = std::iter::once(water.time);
        let probes = match self.columns.probes.len() {
            0 | 1 => Vec::new(),
            _ => first.clone().chain(simulation.read_probes()?).collect(),
        };
        let bodies = match self.columns.bodies.len() {
            0 | 1 => Vec::new(),
            _ => first.chain(simulation.bodies().into_iter().flat_map(body_numbers)).collect(),
        };
        let step_ms = wall.as_secs_f64() * 1e3;
        self.step_ms.push(step_ms);
        let timings = simulation.take_timings()?;
        let stages = simulation.stages();
        let mut stage_ms = vec![0.0; stages.len()];
        for (name, time) in timings.stages() {
            let stage = stage_of(name);
            *self.stages.entry(stage.into()).or_default() += time.ms;
            if let Some(n) = stages.iter().position(|s| *s == stage) {
                stage_ms[n] += time.ms;
            }
        }
        self.last = water;
        let values =
            statistics_row(simulation.scene(), &water, self.initial_volume).into_iter().map(|(_, value)| value);
        Ok(Rows { water, statistics: values.chain([step_ms]).chain(stage_ms).collect(), probes, bodies })
    }
}

/// The stage that a part of it belongs to: `whitewater: fly` is a part of `whitewater`.
pub fn stage_of(name: &str) -> &str {
    name.split(": ").next().unwrap_or(name)
}

/// Columns of the statistics and their values; the same columns for every state of a scene.
fn statistics_row(scene: &Scene, now: &Statistics, initial_volume: f64) -> Vec<(&'static str, f64)> {
    let mut row = vec![
        ("time", now.time),
        ("substeps", now.substeps as f64),
        ("volume", now.volume),
        ("added", now.added),
        ("removed", now.removed),
        ("drift", now.drift(initial_volume)),
        ("kinetic_energy", now.kinetic_energy),
    ];
    row.extend(now.potential_energy.map(|energy| ("potential_energy", energy)));
    row.extend(now.wet_area.map(|area| ("wet_area", area)));
    row.push(("max_speed", now.max_speed));
    if scene.water.solver.has(Ability::ThreeDimensional) {
        row.push(("crowded_columns", now.crowded_columns.into()));
    }
    if scene.whitewater.is_some() {
        let some = &now.whitewater;
        row.extend([("spray", some.spray.into()), ("mist", some.mist.into()), ("foam", some.foam.into())]);
        row.push(("spray_volume", some.volume));
    }
    row
}

fn statistics_columns(simulation: &Simulation, now: &Statistics) -> Vec<String> {
    let fixed = statistics_row(simulation.scene(), now, now.volume).into_iter().map(|(name, _)| name.to_string());
    let times = simulation.stages().iter().map(|stage| format!("{}_ms", stage.replace(' ', "_")));
    fixed.chain(["step_ms".to_string()]).chain(times).collect()
}

/// What a body has in its table, see [`RowColumns::bodies`].
const BODY_COLUMNS: [&str; 19] =
    ["x", "y", "z", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz", "fx", "fy", "fz", "tx", "ty", "tz"];

fn body_numbers(body: BodyState) -> impl Iterator<Item = f64> {
    let vectors = [body.velocity, body.rates, body.force, body.torque];
    body.pose.position.into_iter().chain(body.pose.rotation).chain(vectors.into_iter().flatten())
}
