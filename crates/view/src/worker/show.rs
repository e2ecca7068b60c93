//! Pictures: for the window, for files.

use std::sync::Arc;
use std::time::Instant;

use thalweg::Picture;
use thalweg::render::Look;

use super::{REST, SHORTEST_FRAME, Worker};
use crate::capture::{Recorder, screenshot};
use crate::scale::divided;

/// Rays of a pixel at edges while something moves.
const QUICK_SAMPLES: u32 = 1;

impl Worker {
    /// Draws a picture if one is due.
    pub(super) fn show(&mut self) {
        let records = self.recorder.as_ref().is_some_and(|recorder| recorder.is_due(self.report.figures.time));
        let is_quiet = self.looked.elapsed() >= REST && !self.plays();
        let is_due = self.is_stale && self.drawn.elapsed() >= SHORTEST_FRAME || !self.is_fine && is_quiet || records;
        if let Some(picture) = is_due.then(|| self.draw(is_quiet || records)).flatten() {
            if records {
                self.keep(&picture);
            }
            self.publish();
        }
    }

    /// Draws a picture, with all of its pixels or only those that are quick; `None` if it failed, or nobody looks.
    fn draw(&mut self, whole: bool) -> Option<Arc<Picture>> {
        let (stage, (wanted, scale)) = (self.stage.as_mut()?, self.look.as_ref()?);
        let begin = Instant::now();
        let pixels = u64::from(wanted.size[0]) * u64::from(wanted.size[1]);
        let camera_moves = self.looked.elapsed() < REST;
        let divisor = if whole { 1 } else { scale.divisor(pixels, self.ms_per_pixel, camera_moves) };
        let samples = if whole { wanted.samples } else { wanted.samples.min(QUICK_SAMPLES) };
        let look = Look { size: divided(wanted.size, divisor), samples, ..wanted.clone() };
        let picture = match stage.draw(&look) {
            Ok(picture) => Arc::new(picture),
            Err(error) => {
                // Not again and again: the next command or step tries once more.
                (self.is_stale, self.is_fine) = (false, true);
                self.fail(&error);
                return None;
            }
        };
        let ms = begin.elapsed().as_secs_f64() * 1e3;
        self.drawn = Instant::now();
        if !whole {
            let each = ms / f64::from(look.size[0] * look.size[1]);
            self.ms_per_pixel = Some(self.ms_per_pixel.map_or(each, |old| 0.7 * old + 0.3 * each));
        }
        self.pictures += 1;
        self.counted.1 += 1;
        (self.is_stale, self.is_fine) = (false, whole);
        self.report.figures.draw_ms = ms;
        self.report.figures.size = look.size;
        self.report.picture = Some((Arc::clone(&picture), self.pictures));
        Some(picture)
    }

    pub(super) fn screenshot(&mut self) {
        let Some(picture) = self.draw(true) else { return };
        let stem = self.stage.as_ref().map_or_else(String::new, |stage| stage.world.source.stem());
        match screenshot(&picture, &self.out, &stem) {
            Ok(path) => {
                let path = path.display().to_string();
                self.notice(format!("saved {path}"));
                self.screenshots.push(path);
            }
            Err(error) => self.report.trouble = Some(format!("the screenshot failed: {error}")),
        }
        self.publish();
    }

    pub(super) fn record(&mut self, on: bool) {
        let Some(stage) = &self.stage else { return };
        if !on {
            self.end_recording();
        } else if self.recorder.is_none() {
            match Recorder::create(&self.out, &stage.world.source.stem(), stage.session.simulation().time()) {
                Ok(recorder) => self.recorder = Some(recorder),
                Err(error) => self.report.trouble = Some(format!("nothing is recorded: {error}")),
            }
        }
        self.publish();
    }

    /// Begins to make a video of what was recorded.
    pub(super) fn end_recording(&mut self) {
        if let Some(recorder) = self.recorder.take().filter(|recorder| recorder.frames > 0) {
            self.notice(format!("{} pictures in {}; the video comes", recorder.frames, recorder.folder().display()));
            self.films.push(recorder.film());
        }
    }

    /// Reports videos that are ready; all of them, if it may `wait`.
    pub(super) fn report_films(&mut self, wait: bool) {
        let (ready, rest): (Vec<_>, Vec<_>) = self.films.drain(..).partition(|film| wait || film.is_done());
        self.films = rest;
        for film in ready {
            match film.outcome() {
                Ok(done) => self.notice(done),
                Err(error) => self.report.trouble = Some(error),
            }
            self.publish();
        }
    }

    /// Writes a picture of a recording.
    fn keep(&mut self, picture: &Picture) {
        let (time, speed) = (self.report.figures.time, self.report.speed);
        let Some(recorder) = &mut self.recorder else { return };
        if let Err(error) = recorder.write(picture, time, speed) {
            self.end_recording();
            self.report.trouble = Some(format!("the recording ended: {error}"));
        }
    }
}
