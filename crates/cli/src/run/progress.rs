//! The progress bar: how far the slowest stage is, time left and live figures. Hidden when nobody looks.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use thalweg::Statistics;
use thalweg::outputs::Observer;
use thalweg_io::video;

use crate::text;

/// How far the stages of a run are.
pub(super) struct Progress {
    bar: ProgressBar,
    end: f64,
    /// Simulated time, s, and what to say about it.
    simulated: Mutex<(f64, String)>,
    /// Work that was begun, and what of it is written.
    begun: AtomicU64,
    written: AtomicU64,
    /// Pictures for the video, and who knows how many of them are encoded.
    filmed: AtomicU64,
    encoders: OnceLock<Arc<video::Progress>>,
}

/// Ticks of the whole bar.
const TICKS: u64 = 10_000;

fn bar(ticks: u64, quiet: bool) -> ProgressBar {
    let hidden = quiet || !std::io::stderr().is_terminal();
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let bar = ProgressBar::with_draw_target(Some(ticks), target);
    let template = "{bar:32.cyan/blue} {percent:>3} %  {msg}  {elapsed} elapsed, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("━╸ "));
    }
    bar
}

/// The bar of ground that is surveyed, which counts the blocks of its raster.
pub(crate) fn survey(blocks: u64, quiet: bool) -> ProgressBar {
    let bar = bar(blocks, quiet);
    bar.set_message("surveying the ground");
    bar
}

/// The bar of a self-test, which counts its cases.
#[cfg(feature = "selftest")]
pub(crate) fn cases(count: u64) -> ProgressBar {
    bar(count, false)
}

impl Progress {
    pub(super) fn new(end: f64, start: f64, quiet: bool) -> Self {
        let progress = Self {
            bar: bar(TICKS, quiet),
            end,
            simulated: Mutex::new((start, String::new())),
            begun: AtomicU64::new(0),
            written: AtomicU64::new(0),
            filmed: AtomicU64::new(0),
            encoders: OnceLock::new(),
        };
        progress.update();
        progress.bar.reset_eta();
        progress
    }

    /// The encoders, if there are any.
    pub(super) fn encoders(&self) -> Option<&video::Progress> {
        self.encoders.get().map(Arc::as_ref)
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Shows how things are. The bar is at its end when all stages are.
    fn update(&self) {
        let (time, figures) = self.simulated.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (begun, written) = (self.begun.load(Ordering::Relaxed), self.written.load(Ordering::Relaxed));
        let (filmed, encoded) = match self.encoders() {
            Some(encoders) => (self.filmed.load(Ordering::Relaxed), encoders.pictures() as u64),
            None => (0, 0),
        };
        self.bar.set_position(position(time / self.end, [[written, begun], [encoded, filmed]]));
        let left = [(begun - written.min(begun), "to write"), (filmed - encoded.min(filmed), "to encode")];
        let left = left.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("  {count} {what}"));
        self.bar.set_message(left.fold(figures, |message, more| message + &more));
    }
}

impl Observer for Progress {
    fn stepped(&self, now: &Statistics) {
        let (volume, speed) = (text::short(now.volume), text::short(now.max_speed));
        let figures = format!("{:.2} s  {volume} m³  {speed} m/s", now.time);
        *self.simulated.lock().unwrap_or_else(PoisonError::into_inner) = (now.time, figures);
        self.update();
    }

    fn begun(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    fn stored(&self) {
        self.written.fetch_add(1, Ordering::Relaxed);
        self.update();
    }

    fn filmed(&self) {
        self.filmed.fetch_add(1, Ordering::Relaxed);
    }

    fn encoding(&self, progress: Arc<video::Progress>) {
        let _ = self.encoders.set(progress); // there is one video
    }

    fn waiting(&self) {
        self.update();
    }
}

/// Ticks: the share of the time that is simulated, of which the slowest of the stages behind has done some.
fn position(simulated: f64, behind: [[u64; 2]; 2]) -> u64 {
    let share = |[done, asked]: [u64; 2]| if asked > 0 { done as f64 / asked as f64 } else { 1.0 };
    let slowest = behind.map(share).into_iter().fold(1.0, f64::min);
    (simulated.clamp(0.0, 1.0) * slowest * TICKS as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_full_when_nothing_is_left_to_do() {
        assert_eq!(position(0.5, [[0, 0], [0, 0]]), TICKS / 2, "without pictures time is all there is");
        assert_eq!(position(1.0, [[30, 30], [0, 0]]), TICKS);
        assert_eq!(position(1.0, [[30, 30], [10, 20]]), TICKS / 2, "the video is half done");
        assert_eq!(position(0.5, [[10, 20], [8, 10]]), TICKS / 4, "the slowest one counts");
    }
}
