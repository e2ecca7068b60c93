//! A pointer that pushes water along.

/// A sphere that goes from place to place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub(super) radius: f64,
    /// Where it is, m.
    to: [f64; 3],
    /// Where it was at the end of the last step, m.
    from: [f64; 3],
}

impl Stroke {
    pub(super) fn new(at: [f64; 3], radius: f64) -> Self {
        Self { radius, to: at, from: at }
    }

    pub(super) fn go_on(&mut self, to: [f64; 3], radius: f64) {
        (self.to, self.radius) = (to, radius);
    }

    /// Where it pushes and how fast it went in a step of `dt` seconds, at most `fastest` m/s; `None` while it rests.
    pub(super) fn push(&mut self, dt: f64, fastest: f64) -> Option<([f64; 3], [f64; 3])> {
        let moved: [f64; 3] = std::array::from_fn(|axis| self.to[axis] - self.from[axis]);
        self.from = self.to;
        let speed = moved.iter().map(|x| x * x).sum::<f64>().sqrt() / dt;
        let share = if speed > fastest { fastest / speed } else { 1.0 };
        (speed > 0.0).then(|| (self.to, moved.map(|x| share * x / dt)))
    }
}

#[cfg(test)]
mod tests {
    use super::Stroke;

    #[test]
    fn a_stroke_has_its_velocity_once_and_no_more_than_allowed() {
        let mut stroke = Stroke::new([1.0, 2.0, 3.0], 0.2);
        assert_eq!(stroke.push(0.1, 5.0), None, "at rest");
        stroke.go_on([1.1, 2.0, 3.0], 0.2);
        let (at, velocity) = stroke.push(0.1, 5.0).expect("it moved");
        assert_eq!(at, [1.1, 2.0, 3.0]);
        assert!((velocity[0] - 1.0).abs() < 1e-9 && velocity[1] == 0.0);
        assert_eq!(stroke.push(0.1, 5.0), None, "it rests again");
        stroke.go_on([9.0, 2.0, 3.0], 0.2);
        let (_, velocity) = stroke.push(0.1, 5.0).expect("it moved");
        assert!((velocity[0] - 5.0).abs() < 1e-9);
    }
}
