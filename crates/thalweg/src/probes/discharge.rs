//! Water that crosses a line.

use super::{Answer, Probe, Question};

/// Discharge through a line, m³/s.
pub(super) struct Discharge {
    /// Places on it, two to a cell, m.
    points: Vec<[f64; 2]>,
    /// Unit normal, and the length that a point stands for, m.
    normal: [f64; 2],
    spacing: f64,
}

impl Discharge {
    pub(super) fn new(from: [f64; 2], to: [f64; 2], cell: f64) -> Self {
        let (dx, dz) = (to[0] - from[0], to[1] - from[1]);
        let length = dx.hypot(dz);
        let count = (2.0 * length / cell).ceil().max(1.0) as usize;
        let point = |n: usize| {
            let part = (n as f64 + 0.5) / count as f64;
            [from[0] + part * dx, from[1] + part * dz]
        };
        let normal = [dz / length, -dx / length];
        Self { points: (0..count).map(point).collect(), normal, spacing: length / count as f64 }
    }
}

impl Probe for Discharge {
    fn questions(&self) -> Vec<Question> {
        vec![Question::Places(self.points.clone())]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        let [Answer::Places(samples)] = answers else { return vec![f64::NAN] };
        let [x, z] = self.normal;
        let through: f64 = samples.iter().map(|s| s.depth * (s.velocity[0] * x + s.velocity[1] * z)).sum();
        vec![through * self.spacing]
    }
}
