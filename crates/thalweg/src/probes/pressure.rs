//! Pressure at a point and force on an obstacle.

use super::{Answer, Probe, Question, axes, number, vector};

/// Pressure, Pa.
pub(super) struct Pressure {
    pub(super) at: [f64; 3],
}

/// Force of the water on an obstacle, N.
pub(super) struct Force {
    pub(super) obstacle: usize,
}

impl Probe for Pressure {
    fn questions(&self) -> Vec<Question> {
        vec![Question::Pressure(self.at)]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        vec![number(answers)]
    }
}

impl Probe for Force {
    fn columns(&self, name: &str) -> Vec<String> {
        axes(name)
    }

    fn questions(&self) -> Vec<Question> {
        vec![Question::Force(self.obstacle)]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        vector(answers).to_vec()
    }
}
