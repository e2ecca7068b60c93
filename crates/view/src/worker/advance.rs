//! Steps, and what is measured on the way.

use std::time::{Duration, Instant};

use thalweg::Event;

use super::Worker;
use crate::figures::FinalFigures;

/// Longest time without a look at commands while steps are taken.
const LONGEST_STEPS: Duration = Duration::from_millis(30);
/// Time between statistics, and over which rates are counted.
const MEASURED: Duration = Duration::from_millis(100);
const COUNTED: Duration = Duration::from_millis(500);

impl Worker {
    /// Takes the steps that are due.
    pub(super) fn advance(&mut self) {
        let begin = Instant::now();
        self.wait = None;
        while let Some(stage) = &mut self.stage {
            let (step_begin, time) = (Instant::now(), stage.session.simulation().time());
            match stage.session.advance(self.began.elapsed()) {
                Ok(Event::Stepped { .. }) => {}
                Ok(Event::Idle(wait)) => {
                    self.wait = wait;
                    return;
                }
                Ok(_) => return,
                Err(error) => return self.fail(&error),
            }
            self.report.figures.time = stage.session.simulation().time();
            self.stepped(self.report.figures.time - time, step_begin.elapsed());
            let records = self.recorder.as_ref().is_some_and(|recorder| recorder.is_due(self.report.figures.time));
            if records || begin.elapsed() >= LONGEST_STEPS {
                self.wait = Some(Duration::ZERO);
                return;
            }
        }
    }

    /// A step of `dt` seconds has taken some time of the wall.
    fn stepped(&mut self, dt: f64, taken: Duration) {
        self.is_stale = true;
        self.steps_timed += 1;
        (self.counted.2, self.counted.3) = (self.counted.2 + 1, self.counted.3 + dt);
        let ms = taken.as_secs_f64() * 1e3;
        let figures = &mut self.report.figures;
        figures.step_ms = if figures.step_ms > 0.0 { 0.8 * figures.step_ms + 0.2 * ms } else { ms };
        if self.measured.elapsed() >= MEASURED || !self.plays() {
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
        let simulation = stage.session.simulation();
        FinalFigures {
            scene: stage.world.source.name(),
            time_s: statistics.time,
            steps: simulation.steps(),
            volume_m3: statistics.volume,
            added_m3: statistics.added,
            removed_m3: statistics.removed,
            max_speed_m_s: statistics.max_speed,
            obstacles: simulation.scene().obstacles.len(),
            bodies: simulation.scene().bodies.len(),
            last_body_m: simulation.bodies().last().map(|body| body.pose.position),
            ..figures
        }
    }
}
