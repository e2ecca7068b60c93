//! The progress bar: time left and live figures. Hidden when nobody looks.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use thalweg::Statistics;

use crate::text;

pub(super) struct Progress {
    bar: ProgressBar,
    end: f64,
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

/// The bar of a video in the making, which counts its frames.
pub(super) fn encoding(name: &str, frames: u64, quiet: bool) -> ProgressBar {
    let bar = bar(frames, quiet);
    bar.set_message(format!("encoding {name}"));
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
        let bar = bar(TICKS, quiet);
        let progress = Self { bar, end };
        progress.bar.set_position(progress.ticks(start));
        progress.bar.reset_eta();
        progress
    }

    fn ticks(&self, time: f64) -> u64 {
        (time / self.end * TICKS as f64) as u64
    }

    pub(super) fn update(&mut self, now: &Statistics) {
        let speed = text::short(now.max_speed);
        self.bar.set_message(format!("{:.2} s  {} m³  {speed} m/s", now.time, text::short(now.volume)));
        self.bar.set_position(self.ticks(now.time));
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
