//! What steps are planned by: the water as it was one plan ago. Whoever looks at the water as it is waits for a GPU to
//! finish, which then idles while the next steps are recorded; what was read a plan ago has come back in the meantime.

use thalweg_compute::{Later, Readback, Shared};

use crate::error::{Result, TallError};
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

/// What the next plans go by, and what came of the last one.
#[derive(Debug)]
pub(super) struct Planning {
    /// What the next plan goes by; `None` if nobody has looked since the water was changed from outside.
    pub(super) last: Option<Shared<Observation, TallError>>,
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
        Self { last: None, needed_iterations: Some(iterations), iterations, short: 0, most_crowded: 0 }
    }
}

impl TallWater {
    /// What the steps of this plan go by. Starts the look for the next plan; only the first plan waits for its own.
    pub(super) fn observe(&mut self) -> Result<Observation> {
        let statistics = self.statistics_later()?;
        let earlier = self.planning.last.take().map(|seen| seen.wait()).transpose()?;
        let crowded = self.stages.remesh.infeasible().map(|words| self.exec.read_async(words)).transpose()?;
        let (solve, most) = (self.last_solve()?, self.options.iterations);
        let look = Shared::new(move || {
            let speed = statistics.wait()?.speed;
            let iterations = solve.wait()? + SPARE_ITERATIONS;
            let crowded = crowded.map(Readback::wait).transpose()?;
            Ok(Observation {
                speed,
                growth: earlier.map_or(0.0, |before| (speed - before.speed).max(0.0)),
                iterations: iterations.min(most),
                crowded: crowded.as_ref().map_or(0, |words| words[0]),
                short: crowded.as_ref().map_or(0, |words| words[1]),
            })
        });
        self.planning.last = Some(look.clone());
        earlier.map_or_else(|| look.wait(), Ok)
    }

    /// How many iterations the last solve needed.
    pub(super) fn last_solve(&self) -> Result<Later<usize, TallError>> {
        Ok(match self.planning.needed_iterations {
            Some(needed) => Later::known(needed),
            None => self.stages.projection.solver().report_later(&self.exec)?.map(|report| report.iterations),
        })
    }

    /// The next plan looks at the water as it is: it was changed by other things than time.
    pub(super) fn forget_observation(&mut self) {
        self.planning.last = None;
    }
}
