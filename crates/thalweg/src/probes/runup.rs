//! Run-up: the highest ground that has been wet so far.

use thalweg_scene::Area;

use super::{Answer, Probe, Question};

/// The elevation of the highest wet ground so far, and the highest level of the water on it, m.
pub(super) struct Runup {
    area: Area,
    /// Depth from which a cell counts as wet, m.
    threshold: f64,
    /// −∞ before anything was wet.
    highest: [f64; 2],
}

impl Runup {
    pub(super) fn new(area: Area, threshold: f64) -> Self {
        Self { area, threshold, highest: [f64::NEG_INFINITY; 2] }
    }

    /// Takes wet ground into the run-up, in any order; `level` is that of the water, m.
    fn wet(&mut self, ground: f64, level: f64) {
        let [highest, before] = self.highest;
        if ground > highest {
            self.highest = [ground, level];
        } else if ground == highest {
            self.highest[1] = before.max(level);
        }
    }
}

impl Probe for Runup {
    fn columns(&self, name: &str) -> Vec<String> {
        vec![name.to_owned(), format!("{name}_level")]
    }

    fn questions(&self) -> Vec<Question> {
        vec![Question::Cells(self.area.clone())]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        if let [Answer::Cells(cells, _)] = answers {
            let threshold = self.threshold;
            cells.iter().filter(|s| s.depth > threshold).for_each(|s| self.wet(s.bed, s.surface));
        }
        self.highest.map(|height| if height.is_finite() { height } else { f64::NAN }).to_vec()
    }

    fn memory(&self) -> [f64; 2] {
        self.highest
    }

    fn remember(&mut self, memory: [f64; 2]) {
        self.highest = memory;
    }
}
