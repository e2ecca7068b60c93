//! How far water reaches.

use super::{Answer, Probe, Question, number};

/// How far water of a depth reaches along an axis, m.
pub(super) struct Front {
    pub(super) axis: usize,
    pub(super) largest: bool,
    pub(super) threshold: f64,
}

impl Probe for Front {
    fn questions(&self) -> Vec<Question> {
        vec![Question::Front { axis: self.axis, largest: self.largest, threshold: self.threshold }]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        vec![number(answers)]
    }
}
