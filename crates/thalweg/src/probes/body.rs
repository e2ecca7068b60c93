//! What a rigid body does.

use thalweg_scene::BodyQuantity;

use super::{Answer, Probe, Question, axes};
use crate::bodies::quantity;

/// A vector of a body; empty fields if it is not there any more.
pub(super) struct OfBody {
    /// Its name: numbers change when bodies come and go.
    pub(super) body: String,
    pub(super) what: BodyQuantity,
}

impl Probe for OfBody {
    fn columns(&self, name: &str) -> Vec<String> {
        axes(name)
    }

    fn questions(&self) -> Vec<Question> {
        vec![Question::Bodies]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        let [Answer::Bodies(bodies)] = answers else { return vec![f64::NAN; 3] };
        let body = bodies.iter().find(|body| body.name == self.body);
        body.map_or([f64::NAN; 3], |body| quantity(self.what, body)).to_vec()
    }
}
