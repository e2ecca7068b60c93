//! What steps are planned by: the water as it was one plan ago. Whoever looks at the water as it is waits for a GPU to
//! finish, which then idles while the next steps are recorded; what was read a plan ago has come back in the meantime.

use std::sync::{Mutex, PoisonError};

use thalweg_compute::Readback;
use thalweg_pressure::device::PendingReport;

use crate::error::{Result, TallError};
use crate::solver::view::statistics::Statistics;
use crate::water::TallWater;

/// Iterations of the pressure solve that are recorded beyond those that the last one had, was that enough or not. Those
/// that are not needed are switched off, but even so each takes a sixth of a millisecond of a GPU. With one or two,
/// solves at the moment of an impact are cut off: `dam-break-3d` of the validation then misses the velocity of its bore
/// by 16 to 22 % instead of 13 %.
const SPARE_ITERATIONS: usize = 3;

/// What the water was like when it was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Observation {
    /// Fastest water, m/s.
    pub speed: f32,
    /// How much faster that is than at the look before, m/s; at least 0.
    pub growth: f32,
    /// Iterations that are enough for the next pressure solve.
    pub iterations: usize,
    /// Columns with too few regular cells.
    pub crowded: u32,
    /// Regular cells more that keep tall cells well below what moves: 64 cells.
    pub short: u32,
}

/// How many iterations the last solve needed.
#[derive(Debug)]
pub(crate) enum LastSolve {
    /// Somebody has told: there was none yet, or it was before the water was put aside.
    Known(usize),
    Reported(PendingReport),
}

impl LastSolve {
    pub(crate) fn wait(self) -> Result<usize> {
        Ok(match self {
            Self::Known(needed) => needed,
            Self::Reported(report) => report.wait()?.iterations,
        })
    }
}

/// A look on its way from the executor.
#[derive(Debug)]
struct Look {
    statistics: Readback<u32>,
    solve: LastSolve,
    crowded: Option<Readback<u32>>,
    /// Speed at the look before, m/s.
    before: Option<f32>,
    /// Most iterations that any solve may have.
    most: usize,
    /// When it was, s.
    time: f64,
}

impl Look {
    fn wait(self) -> Result<Observation> {
        let statistics = Statistics::unpack(&self.statistics.wait()?);
        if statistics.not_finite > 0 {
            return Err(TallError::NotFinite { count: statistics.not_finite, time: self.time });
        }
        let iterations = self.solve.wait()? + SPARE_ITERATIONS;
        let crowded = self.crowded.map(Readback::wait).transpose()?;
        Ok(Observation {
            speed: statistics.speed,
            growth: self.before.map_or(0.0, |before| (statistics.speed - before).max(0.0)),
            iterations: iterations.min(self.most),
            crowded: crowded.as_ref().map_or(0, |words| words[0]),
            short: crowded.as_ref().map_or(0, |words| words[1]),
        })
    }
}

/// What the next plan goes by. Waiting for it changes nothing, so that it may happen behind a shared reference.
#[derive(Debug, Default)]
pub(crate) struct LastObservation(Mutex<Seen>);

#[derive(Debug, Default)]
enum Seen {
    /// Nobody has looked since the water was changed from outside.
    #[default]
    Nothing,
    Soon(Box<Look>),
    Known(Observation),
}

impl LastObservation {
    pub(crate) fn known(observation: Option<Observation>) -> Self {
        Self(Mutex::new(observation.map_or(Seen::Nothing, Seen::Known)))
    }

    /// The observation, if somebody has looked; waits for it.
    pub(crate) fn observation(&self) -> Result<Option<Observation>> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(match std::mem::take(&mut *seen) {
            Seen::Nothing => None,
            Seen::Known(observation) => Some(observation),
            Seen::Soon(look) => Some(look.wait()?),
        }
        .inspect(|observation| *seen = Seen::Known(*observation)))
    }
}

/// What the next plans go by, and what came of the last one.
#[derive(Debug)]
pub(super) struct Planning {
    /// What the next plan goes by.
    pub(super) last: LastObservation,
    /// Iterations that the last solve needed, if it is not one of this water.
    pub(super) needed_iterations: Option<usize>,
    /// Iterations of the pressure solve that a step records.
    pub(super) iterations: usize,
    /// Regular cells that the last plan found to be missing, see [`TallWater::make_room`].
    pub(super) short: u32,
    /// Most crowded columns that a plan has seen.
    pub(super) most_crowded: u32,
}

impl Planning {
    pub(super) fn new(iterations: usize) -> Self {
        let last = LastObservation::default();
        Self { last, needed_iterations: Some(iterations), iterations, short: 0, most_crowded: 0 }
    }
}

impl TallWater {
    /// What the steps of this plan go by. Starts the look for the next plan; only the first plan waits for its own.
    pub(super) fn observe(&mut self) -> Result<Observation> {
        self.sum_up()?;
        let earlier = self.planning.last.observation()?;
        let infeasible = self.stages.remesh.infeasible();
        let look = Look {
            statistics: self.stages.sums.read_async(&self.exec)?,
            solve: self.last_solve()?,
            crowded: infeasible.map(|words| self.exec.read_async(words)).transpose()?,
            before: earlier.map(|earlier| earlier.speed),
            most: self.options.iterations,
            time: self.clock.time,
        };
        self.planning.last = LastObservation(Mutex::new(Seen::Soon(Box::new(look))));
        match earlier {
            Some(earlier) => Ok(earlier),
            None => Ok(self.planning.last.observation()?.unwrap_or_default()),
        }
    }

    /// How many iterations the last solve needed.
    pub(super) fn last_solve(&self) -> Result<LastSolve> {
        Ok(match self.planning.needed_iterations {
            Some(needed) => LastSolve::Known(needed),
            None => LastSolve::Reported(self.stages.projection.solver().read_report(&self.exec)?),
        })
    }

    /// The next plan looks at the water as it is: it was changed by other things than time.
    pub(super) fn forget_observation(&mut self) {
        self.planning.last = LastObservation::default();
    }
}
