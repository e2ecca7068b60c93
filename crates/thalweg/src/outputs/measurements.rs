//! The rows of a run's tables.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use thalweg_bodies::BodyState;
use thalweg_compute::{Later, Timings};
use thalweg_model::Ability;
use thalweg_scene::Scene;

use crate::error::Error;
use crate::probes::Answer;
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

/// What the row of a step is made of, on its way from the executor.
#[derive(Debug)]
pub struct Reading {
    statistics: Later<Statistics, Error>,
    answers: Option<Later<Vec<Answer>, Error>>,
    timings: Later<Timings, Error>,
    /// Numbers of all bodies.
    bodies: Vec<f64>,
    /// Wall time of the step so far.
    wall: Duration,
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
    /// If the water could not be measured, or the executor has failed.
    pub fn new(session: &Session) -> Result<Self, Error> {
        let (simulation, last) = (session.simulation(), session.begin()?);
        let time = std::iter::once("time".to_owned());
        let bodies = simulation.bodies().into_iter();
        let bodies = bodies.flat_map(|body| BODY_COLUMNS.map(|column| format!("{}_{column}", body.name)));
        let columns = RowColumns {
            statistics: statistics_columns(simulation, &last),
            probes: time.clone().chain(simulation.probe_columns()).collect(),
            bodies: time.chain(bodies).collect(),
        };
        simulation.take_timings()?;
        let (initial_volume, step_ms, stages) = (session.initial_volume()?, Vec::new(), BTreeMap::new());
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

    /// Volume of the water at the start, m³.
    pub fn initial_volume(&self) -> f64 {
        self.initial_volume
    }

    /// Wall time of every step, ms: until it was recorded, and what its row was waited for.
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
        let begin = Later::known(self.last);
        let reading = self.reading(simulation, begin, Duration::ZERO)?;
        let rows = self.row(simulation, reading)?;
        self.step_ms.clear();
        Ok(rows)
    }

    /// Begins to read what the row of a step needs, which began at some time of the wall and has just been taken.
    ///
    /// # Errors
    /// If the step has failed, or gauges cannot be read.
    pub fn read(&self, simulation: &mut Simulation, began: Instant) -> Result<Reading, Error> {
        let statistics = simulation.statistics_later()?;
        self.reading(simulation, statistics, began.elapsed())
    }

    fn reading(
        &self,
        simulation: &mut Simulation,
        statistics: Later<Statistics, Error>,
        wall: Duration,
    ) -> Result<Reading, Error> {
        let has_probes = self.columns.probes.len() > 1;
        let answers = if has_probes { Some(simulation.answers_later()?) } else { None };
        let bodies = simulation.bodies().into_iter().flat_map(body_numbers).collect();
        Ok(Reading { statistics, answers, timings: simulation.timings_later(), bodies, wall })
    }

    /// The row of a step, of which the next one may have begun; rows in their order.
    ///
    /// # Errors
    /// If the step has failed, or gauges cannot be read.
    pub fn row(&mut self, simulation: &mut Simulation, reading: Reading) -> Result<Rows, Error> {
        let Reading { statistics, answers, timings, bodies, wall } = reading;
        let waiting = Instant::now();
        let water = statistics.wait()?;
        let step_ms = (wall + waiting.elapsed()).as_secs_f64() * 1e3;
        let probes = match answers {
            Some(answers) => behind(water.time, simulation.take_answers(&answers.wait()?)),
            None => Vec::new(),
        };
        let bodies = if self.columns.bodies.len() > 1 { behind(water.time, bodies) } else { Vec::new() };
        self.step_ms.push(step_ms);
        let stages = simulation.stages();
        let mut stage_ms = vec![0.0; stages.len()];
        for (name, time) in timings.wait()?.stages() {
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

fn behind(time: f64, values: Vec<f64>) -> Vec<f64> {
    std::iter::once(time).chain(values).collect()
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
