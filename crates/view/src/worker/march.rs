//! Steps, and what is measured on the way.

use std::time::{Duration, Instant};

use super::Worker;
use crate::figures::FinalFigures;

/// Longest time without a look at commands while steps are taken.
const LONGEST_STEPS: Duration = Duration::from_millis(30);
/// Time between statistics, and over which rates are counted.
const MEASURED: Duration = Duration::from_millis(100);
const COUNTED: Duration = Duration::from_millis(500);

impl Worker {
    /// Takes the steps that are due.
    pub(super) fn march(&mut self) {
        if !self.report.playing || self.stage.is_none() {
            return;
        }
        self.pace.pass(self.ticked.elapsed().as_secs_f64());
        self.ticked = Instant::now();
        let begin = Instant::now();
        while let Some(dt) = self.pace.take() {
            self.step(dt);
            let records = self.recorder.as_ref().is_some_and(|recorder| recorder.is_due(self.report.figures.time));
            if !self.report.playing || records || begin.elapsed() >= LONGEST_STEPS {
                break;
            }
        }
    }

    pub(super) fn step(&mut self, dt: f64) {
        let Some(stage) = &mut self.stage else { return };
        let begin = Instant::now();
        if let Err(error) = stage.step(dt, self.hand.as_mut()) {
            self.fail(&error);
            return;
        }
        self.report.figures.time = stage.simulation.time();
        self.is_stale = true;
        self.steps_timed += 1;
        (self.counted.2, self.counted.3) = (self.counted.2 + 1, self.counted.3 + dt);
        let ms = begin.elapsed().as_secs_f64() * 1e3;
        let figures = &mut self.report.figures;
        figures.step_ms = if figures.step_ms > 0.0 { 0.8 * figures.step_ms + 0.2 * ms } else { ms };
        if self.measured.elapsed() >= MEASURED || !self.report.playing {
            self.measure();
        }
    }

    /// Reads what the window shows of the water.
    pub(super) fn measure(&mut self) {
        self.measured = Instant::now();
        let Some(stage) = &mut self.stage else { return };
        if let Err(error) = stage.measure(&mut self.report.figures) {
            self.fail(&error);
            return;
        }
        let (since, pictures, _, simulated) = self.counted;
        let seconds = since.elapsed().as_secs_f64();
        if since.elapsed() >= COUNTED {
            self.report.figures.pictures_per_second = f64::from(pictures) / seconds;
            self.report.figures.pace = simulated / seconds;
            self.counted = (Instant::now(), 0, 0, 0.0);
            if self.steps_timed > 0 {
                match stage.stages(self.steps_timed) {
                    Ok(stages) => self.report.figures.stages = stages,
                    Err(error) => self.fail(&error),
                }
                self.steps_timed = 0;
            }
        }
    }

    pub(super) fn last_figures(&mut self) -> FinalFigures {
        self.measure();
        let figures = FinalFigures {
            pictures: self.pictures,
            screenshots: std::mem::take(&mut self.screenshots),
            trouble: self.report.trouble.clone(),
            ..Default::default()
        };
        let (Some(stage), Some(statistics)) = (&self.stage, self.report.figures.statistics) else { return figures };
        FinalFigures {
            scene: stage.world.source.name(),
            time_s: statistics.time,
            steps: stage.simulation.steps(),
            volume_m3: statistics.volume,
            added_m3: statistics.added,
            removed_m3: statistics.removed,
            max_speed_m_s: statistics.max_speed,
            obstacles: stage.simulation.scene().obstacles.len(),
            bodies: stage.simulation.scene().bodies.len(),
            last_body_m: stage.simulation.bodies().last().map(|body| body.pose.position),
            ..figures
        }
    }
}
