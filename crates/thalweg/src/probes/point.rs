//! Gauges at a point: level, depth, velocity, between the middles of the cells around it.

use thalweg_shallow::Sample;

use super::{Answer, Probe, Question};

/// Water thinner than this part of a cell is dry.
const DRY: f64 = 1e-4;

/// Elevation of the surface, m; none where it is dry.
pub(super) struct Surface {
    at: [f64; 2],
    dry: f64,
}

/// Depth, m.
pub(super) struct Depth {
    at: [f64; 2],
}

/// Speed and velocity along x and z, m/s.
pub(super) struct Velocity {
    at: [f64; 2],
    dry: f64,
}

impl Surface {
    pub(super) fn new(at: [f64; 2], cell: f64) -> Self {
        Self { at, dry: DRY * cell }
    }
}

impl Depth {
    pub(super) fn new(at: [f64; 2]) -> Self {
        Self { at }
    }
}

impl Velocity {
    pub(super) fn new(at: [f64; 2], cell: f64) -> Self {
        Self { at, dry: DRY * cell }
    }
}

/// Cells around a point. The first one holds it: where that is dry the point is, and dry cells have neither level nor velocity.
struct Around<'a> {
    parts: &'a [(Sample, f64)],
    dry: f64,
}

impl Around<'_> {
    fn of(answers: &[Answer], dry: f64) -> Around<'_> {
        match answers {
            [Answer::Around(parts)] => Around { parts, dry },
            _ => Around { parts: &[], dry },
        }
    }

    fn is_wet(&self) -> bool {
        self.parts.first().is_some_and(|(own, _)| own.depth > self.dry)
    }

    /// The mean over the wet cells.
    fn over_wet(&self, value: impl Fn(&Sample) -> f64) -> f64 {
        let wet = || self.parts.iter().filter(|(s, _)| s.depth > self.dry);
        let weights: f64 = wet().map(|(_, weight)| weight).sum();
        let sum: f64 = wet().map(|(s, weight)| weight * value(s)).sum();
        sum / weights
    }
}

impl Probe for Surface {
    fn questions(&self) -> Vec<Question> {
        vec![Question::Point(self.at)]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        let around = Around::of(answers, self.dry);
        vec![if around.is_wet() { around.over_wet(|s| s.surface) } else { f64::NAN }]
    }
}

impl Probe for Depth {
    fn questions(&self) -> Vec<Question> {
        vec![Question::Point(self.at)]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        vec![Around::of(answers, 0.0).parts.iter().map(|(s, weight)| weight * s.depth).sum()]
    }
}

impl Probe for Velocity {
    fn columns(&self, name: &str) -> Vec<String> {
        vec![name.to_owned(), format!("{name}_x"), format!("{name}_z")]
    }

    fn questions(&self) -> Vec<Question> {
        vec![Question::Point(self.at)]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        let around = Around::of(answers, self.dry);
        if !around.is_wet() {
            return vec![0.0; 3];
        }
        let [x, z] = [0, 1].map(|axis| around.over_wet(|s| s.velocity[axis]));
        vec![x.hypot(z), x, z]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dry_cells_have_no_level_and_no_flow() {
        let water =
            |depth: f64, surface: f64, u: f64| Sample { depth, surface, velocity: [u, 0.0], bed: surface - depth };
        let (wet, high, dry) = (water(1.0, 2.0, 3.0), water(0.5, 4.0, 1.0), water(0.0, 9.0, 0.0));
        let (at, cell) = ([0.0; 2], 10.0);
        let read = |probe: &mut dyn Probe, parts: &[(Sample, f64)]| probe.read(&[Answer::Around(parts.to_vec())]);
        let surface = &mut Surface::new(at, cell);
        assert_eq!(read(surface, &[(wet, 0.75), (high, 0.25)]), [2.5]);
        assert_eq!(read(surface, &[(wet, 0.75), (dry, 0.25)]), [2.0], "the bed is no level");
        assert!(read(surface, &[(dry, 0.75), (wet, 0.25)])[0].is_nan(), "the point is dry");
        assert_eq!(read(&mut Depth::new(at), &[(dry, 0.75), (wet, 0.25)]), [0.25]);
        let velocity = &mut Velocity::new(at, cell);
        assert_eq!(read(velocity, &[(wet, 0.5), (high, 0.25), (dry, 0.25)])[1], 7.0 / 3.0);
        assert_eq!(read(velocity, &[(dry, 0.75), (wet, 0.25)]), [0.0; 3]);
    }
}
