//! How long each stage of a run is busy. Stages overlap, and drawing, writing and encoding are on many threads: what they take together may be more than
//! the time on the wall.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A part of the work of a run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stage {
    /// Steps, statistics and gauges.
    Simulate,
    /// Reading the water, and making pictures, meshes and the like of it.
    Draw,
    /// Compressing and writing.
    Write,
}

/// Time of all stages, ns.
#[derive(Debug, Default)]
pub(super) struct Busy([AtomicU64; 3]);

impl Busy {
    /// Does work that belongs to a stage.
    pub(super) fn time<R>(&self, stage: Stage, work: impl FnOnce() -> R) -> R {
        let begin = Instant::now();
        let result = work();
        self.0[stage as usize].fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    /// Seconds by stage, for the summary; the encoders know their own.
    pub(super) fn summary(&self, encode: Duration) -> Value {
        let seconds = |stage: Stage| Duration::from_nanos(self.0[stage as usize].load(Ordering::Relaxed)).as_secs_f64();
        json!({
            "simulate": seconds(Stage::Simulate),
            "draw": seconds(Stage::Draw),
            "write": seconds(Stage::Write),
            "encode": encode.as_secs_f64(),
        })
    }
}
