//! How long each stage took.

use std::collections::BTreeMap;

/// Accumulated time of one stage.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StageTime {
    /// Milliseconds in all.
    pub ms: f64,
    /// How often the stage ran.
    pub calls: u64,
}

/// Time per stage since the last [`Timings::take`], by the stage's name.
#[derive(Debug, Clone, Default)]
pub struct Timings {
    stages: BTreeMap<&'static str, StageTime>,
    recording: StageTime,
}

impl Timings {
    pub(crate) fn add(&mut self, stage: &'static str, time: StageTime) {
        let entry = self.stages.entry(stage).or_default();
        entry.ms += time.ms;
        entry.calls += time.calls;
    }

    #[cfg(feature = "gpu")] // elsewhere kernels run when they are recorded
    pub(crate) fn add_recording(&mut self, time: std::time::Duration) {
        self.recording.ms += 1e3 * time.as_secs_f64();
        self.recording.calls += 1;
    }

    /// The host's time from the beginning of recordings to their submission; zero where kernels run when they are
    /// recorded.
    pub fn recording(&self) -> StageTime {
        self.recording
    }

    /// The stages in alphabetical order.
    pub fn stages(&self) -> impl Iterator<Item = (&'static str, StageTime)> + '_ {
        self.stages.iter().map(|(name, time)| (*name, *time))
    }

    /// Milliseconds of all stages together.
    pub fn total_ms(&self) -> f64 {
        self.stages.values().map(|s| s.ms).sum()
    }

    /// Returns what was gathered and starts anew.
    pub fn take(&mut self) -> Timings {
        std::mem::take(self)
    }
}
