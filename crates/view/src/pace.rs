//! When the next step is due: simulated time against that of the wall.

/// Shortest simulated time per second of the wall and picture: slow motion takes shorter steps, so that it does not jerk.
const PICTURES_PER_SECOND: f64 = 30.0;

/// A scene that lasts longer is shown so quickly that it takes this long, s.
const LONGEST_SHOW: f64 = 60.0;

/// Time that water which cannot keep up may make good later, s of the wall.
const PATIENCE: f64 = 0.1;

/// Speeds that can be asked for, simulated seconds per second.
pub(crate) const SPEEDS: [f64; 2] = [0.01, 10_000.0];

/// When the next step is due.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    /// Simulated seconds per second.
    pub(crate) speed: f64,
    /// Longest step, s.
    step: f64,
    /// Simulated time that is due, s.
    due: f64,
}

impl Pace {
    /// For a scene with this duration and step, s.
    pub(crate) fn new(duration: f64, step: f64) -> Self {
        let speed = if duration > LONGEST_SHOW { nice(duration / LONGEST_SHOW) } else { 1.0 };
        Self { speed, step, due: 0.0 }
    }

    pub(crate) fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(SPEEDS[0], SPEEDS[1]);
            self.due = 0.0;
        }
    }

    /// Length of the next step, s.
    pub(crate) fn dt(&self) -> f64 {
        self.step.min(self.speed / PICTURES_PER_SECOND)
    }

    /// Time of the wall has passed, s.
    pub(crate) fn pass(&mut self, seconds: f64) {
        let most = self.dt().max(self.speed * PATIENCE);
        self.due = (self.due + self.speed * seconds).min(most);
    }

    /// A step, if one is due.
    pub(crate) fn take(&mut self) -> Option<f64> {
        let dt = self.dt();
        // Sums of many short times must not miss a step by their rounding.
        let is_due = self.due >= dt * (1.0 - 1e-9);
        is_due.then(|| {
            self.due -= dt;
            dt
        })
    }

    /// Time of the wall until the next step is due, s.
    pub(crate) fn wait(&self) -> f64 {
        ((self.dt() - self.due) / self.speed).max(0.0)
    }
}

/// The nearest of 1, 2, 5 times a power of ten.
fn nice(x: f64) -> f64 {
    let base = 10f64.powf(x.log10().floor());
    let choices = [1.0, 2.0, 5.0, 10.0].map(|m| m * base);
    let off = |choice: f64| (choice / x).ln().abs();
    choices.into_iter().fold(base, |best, choice| if off(choice) < off(best) { choice } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(pace: &mut Pace, seconds: f64) -> usize {
        pace.pass(seconds);
        std::iter::from_fn(|| pace.take()).count()
    }

    #[test]
    fn time_passes_as_on_the_wall_and_slower_in_slow_motion() {
        let mut pace = Pace::new(10.0, 1.0 / 60.0);
        assert_eq!((0..100).map(|_| steps(&mut pace, 0.01)).sum::<usize>(), 60);
        pace.set_speed(0.1);
        assert!((pace.dt() - 0.1 / 30.0).abs() < 1e-12, "shorter steps, not fewer pictures");
        assert_eq!((0..100).map(|_| steps(&mut pace, 0.01)).sum::<usize>(), 30);
    }

    #[test]
    fn water_that_cannot_keep_up_does_not_hurry_later() {
        let mut pace = Pace::new(10.0, 1.0 / 60.0);
        assert_eq!(steps(&mut pace, 30.0), 6, "a tenth of a second");
    }

    #[test]
    fn long_scenes_are_shown_quickly() {
        assert_eq!(Pace::new(20.0, 0.1).speed, 1.0);
        assert_eq!(Pace::new(3600.0, 1.0).speed, 50.0);
        assert_eq!(nice(0.07), 0.05);
        let mut pace = Pace::new(20.0, 0.1);
        pace.set_speed(f64::NAN);
        assert_eq!(pace.speed, 1.0);
        pace.set_speed(0.0);
        assert_eq!(pace.speed, SPEEDS[0]);
    }
}
