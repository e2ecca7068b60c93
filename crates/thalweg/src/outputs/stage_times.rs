//! How long each stage of a run is busy. Stages overlap, and drawing, writing and encoding are on many threads: what
//! they take together may be more than the time on the wall.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A part of the work of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Steps, statistics and gauges.
    Simulate,
    /// Reading the water, and making pictures, meshes and the like of it.
    Draw,
    /// Compressing and storing.
    Write,
}

/// Time that all stages were busy.
#[derive(Debug, Default)]
pub struct StageTimes([AtomicU64; 3]);

impl StageTimes {
    /// Does work that belongs to a stage.
    pub fn time<R>(&self, stage: Stage, work: impl FnOnce() -> R) -> R {
        let begin = Instant::now();
        let result = work();
        self.0[stage as usize].fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    /// How long a stage was busy.
    pub fn of(&self, stage: Stage) -> Duration {
        Duration::from_nanos(self.0[stage as usize].load(Ordering::Relaxed))
    }
}
