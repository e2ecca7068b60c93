//! Numbers that the window shows, and their past.

use std::collections::VecDeque;

use serde::Serialize;
use thalweg::Statistics;

/// Numbers that the window shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Figures {
    /// Simulated time, s.
    pub(crate) time: f64,
    /// Steps of the scene.
    pub(crate) steps: u64,
    /// Pictures per second.
    pub(crate) pictures_per_second: f64,
    /// Simulated seconds per second.
    pub(crate) pace: f64,
    /// Of a step, ms.
    pub(crate) step_ms: f64,
    /// Of a picture, ms.
    pub(crate) draw_ms: f64,
    /// Pixels of the picture.
    pub(crate) size: [u32; 2],
    pub(crate) statistics: Option<Statistics>,
    /// See [`Statistics::drift`].
    pub(crate) drift: f64,
    /// Milliseconds of every stage per step.
    pub(crate) stages: Vec<(&'static str, f64)>,
}

impl Figures {
    /// Takes new statistics; `begin` is the volume at the start, m³.
    pub(crate) fn take(&mut self, statistics: Statistics, begin: f64) {
        self.drift = statistics.drift(begin);
        self.statistics = Some(statistics);
    }
}

/// The state of the water when the window was closed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FinalFigures {
    /// The scene.
    pub scene: String,
    /// Simulated time, s.
    pub time_s: f64,
    /// Steps of the scene.
    pub steps: u64,
    /// Volume, m³.
    pub volume_m3: f64,
    /// Volume that came in since the start, m³.
    pub added_m3: f64,
    /// Volume that went out since the start, m³.
    pub removed_m3: f64,
    /// Fastest water, m/s.
    pub max_speed_m_s: f64,
    /// Obstacles in the water.
    pub obstacles: usize,
    /// Rigid bodies in the water.
    pub bodies: usize,
    /// Position of the body that was dropped last, m.
    pub last_body_m: Option<[f64; 3]>,
    /// Pictures drawn.
    pub pictures: u64,
    /// Screenshots that were written.
    pub screenshots: Vec<String>,
    /// What the window showed as wrong at the end.
    pub trouble: Option<String>,
}

/// What a plot can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Quantity {
    #[default]
    Speed,
    Volume,
    Energy,
    StepTime,
}

impl Quantity {
    pub(crate) const ALL: [Self; 4] = [Self::Speed, Self::Volume, Self::Energy, Self::StepTime];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Speed => "Fastest water, m/s",
            Self::Volume => "Volume, m³",
            Self::Energy => "Kinetic energy, J",
            Self::StepTime => "Step, ms",
        }
    }

    fn of(self, figures: &Figures) -> Option<f64> {
        Some(match self {
            Self::Speed => figures.statistics?.max_speed,
            Self::Volume => figures.statistics?.volume,
            Self::Energy => figures.statistics?.kinetic_energy,
            Self::StepTime => figures.step_ms,
        })
    }
}

/// The newest figures over time, for plots.
#[derive(Debug, Default)]
pub(crate) struct History {
    rows: VecDeque<(f64, [Option<f64>; Quantity::ALL.len()])>,
}

/// Rows that a plot keeps.
const MOST_ROWS: usize = 600;

impl History {
    /// Keeps figures if time has passed; time that went back begins anew.
    pub(crate) fn push(&mut self, figures: &Figures) {
        match self.rows.back() {
            Some((last, _)) if *last == figures.time => return,
            Some((last, _)) if *last > figures.time => self.rows.clear(),
            _ => {}
        }
        if self.rows.len() == MOST_ROWS {
            self.rows.pop_front();
        }
        self.rows.push_back((figures.time, Quantity::ALL.map(|quantity| quantity.of(figures))));
    }

    /// `[time, value]` of a quantity.
    pub(crate) fn points(&self, quantity: Quantity) -> Vec<[f64; 2]> {
        let at = Quantity::ALL.iter().position(|other| *other == quantity).unwrap_or(0);
        self.rows.iter().filter_map(|(time, row)| Some([*time, row[at]?])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: f64) -> Figures {
        Figures { time, step_ms: 2.0 * time, ..Default::default() }
    }

    #[test]
    fn history_is_bounded_and_begins_anew_when_time_goes_back() {
        let mut history = History::default();
        (0..2 * MOST_ROWS).for_each(|n| history.push(&at(n as f64)));
        let points = history.points(Quantity::StepTime);
        assert_eq!(points.len(), MOST_ROWS);
        assert_eq!(points[0], [MOST_ROWS as f64, 2.0 * MOST_ROWS as f64]);
        history.push(&at((2 * MOST_ROWS - 1) as f64));
        assert_eq!(history.points(Quantity::StepTime).len(), MOST_ROWS, "no time has passed");
        assert!(history.points(Quantity::Volume).is_empty(), "no statistics yet");
        history.push(&at(0.5));
        assert_eq!(history.points(Quantity::StepTime), [[0.5, 1.0]]);
    }
}
