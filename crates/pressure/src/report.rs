//! What every solver of this crate returns, and when it stops.

use std::time::Duration;

use thalweg_compute::Stopwatch;

/// When a solver stops: residual small enough, or enough iterations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// Largest magnitude of the residual that is good enough, in the unit of the right-hand side.
    pub residual: f64,
    /// Most iterations (cycles, sweeps).
    pub iterations: usize,
}

/// The course of a solve.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Iterations (cycles, sweeps) that were done.
    pub iterations: usize,
    /// Whether the residual came below the bound.
    pub converged: bool,
    /// Largest magnitude of the residual before the first iteration and after each.
    pub residuals: Vec<f64>,
    /// Wall-clock time from the start of the solve to the end of each entry of `residuals`.
    pub times: Vec<Duration>,
}

impl Report {
    /// The last residual.
    pub fn residual(&self) -> f64 {
        self.residuals.last().copied().unwrap_or(f64::INFINITY)
    }

    /// The time of the whole solve.
    pub fn time(&self) -> Duration {
        self.times.last().copied().unwrap_or_default()
    }

    /// The first iteration whose residual is at most `bound`, and the time at which it was reached.
    pub fn reached(&self, bound: f64) -> Option<(usize, Duration)> {
        let iteration = self.residuals.iter().position(|r| *r <= bound)?;
        Some((iteration, self.times[iteration]))
    }

    /// Geometric mean of the reduction of the residual per iteration.
    pub fn factor(&self) -> f64 {
        match (self.residuals.first(), self.residuals.last()) {
            (Some(first), Some(last)) if self.iterations > 0 && *first > 0.0 => {
                (last / first).powf(1.0 / self.iterations as f64)
            }
            _ => 0.0,
        }
    }
}

/// A report that is being written.
#[derive(Debug)]
pub struct Progress {
    start: Stopwatch,
    stop: Stop,
    /// What is written so far.
    pub report: Report,
}

impl Progress {
    /// Starts the clock.
    pub fn new(stop: Stop) -> Self {
        let report = Report { iterations: 0, converged: false, residuals: Vec::new(), times: Vec::new() };
        Self { start: Stopwatch::start(), stop, report }
    }

    /// Notes the residual at the start or after an iteration.
    pub fn push(&mut self, largest: f64) {
        self.report.residuals.push(largest);
        self.report.times.push(self.start.elapsed());
        self.report.iterations = self.report.residuals.len() - 1;
        self.report.converged = largest <= self.stop.residual;
    }

    /// Corrects the last residual by one that was computed afresh.
    pub fn amend(&mut self, largest: f64) {
        if let Some(last) = self.report.residuals.last_mut() {
            *last = largest;
        }
        self.report.converged = largest <= self.stop.residual;
    }

    /// Whether to stop: converged, out of iterations, or broken.
    pub fn done(&self) -> bool {
        let finite = self.report.residuals.last().is_none_or(|r| r.is_finite());
        self.report.converged || self.report.iterations >= self.stop.iterations || !finite
    }
}
