//! When the next step is due: simulated time against that of a clock.

use std::time::Duration;

use thalweg_scene::Scene;

/// Shortest simulated time per second of the clock and picture: slow motion takes shorter steps, so that it does not
/// jerk.
const PICTURES_PER_SECOND: f64 = 30.0;

/// A scene that lasts longer is shown so quickly that it takes this long, s.
const LONGEST_SHOW: f64 = 60.0;

/// Time that water which cannot keep up may make good later, s of the clock.
const PATIENCE: f64 = 0.1;

/// How fast simulated time passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    /// Simulated seconds per second of the clock; `None`: as fast as can be.
    speed: Option<f64>,
    /// Simulated time that is due, s.
    due: f64,
    /// What the clock said last.
    seen: Option<Duration>,
}

impl Pace {
    pub(super) fn new(speed: Option<f64>) -> Self {
        Self { speed, due: 0.0, seen: None }
    }

    pub(super) fn speed(&self) -> Option<f64> {
        self.speed
    }

    /// Forgets the time that has passed.
    pub(super) fn restart(&mut self) {
        (self.due, self.seen) = (0.0, None);
    }

    /// Length of the next step of a scene with steps of `step`, s.
    pub(super) fn dt(&self, step: f64) -> f64 {
        self.speed.map_or(step, |speed| step.min(speed / PICTURES_PER_SECOND))
    }

    /// The clock says `now`. Time passes for water that moves.
    pub(super) fn pass(&mut self, now: Duration, moves: bool) {
        let passed = now.saturating_sub(self.seen.replace(now).unwrap_or(now)).as_secs_f64();
        if let Some(speed) = self.speed.filter(|_| moves) {
            // That is more than a step, see `dt`.
            self.due = (self.due + speed * passed).min(speed * PATIENCE);
        }
    }

    /// Time of the clock until a step of `dt` is due; zero if it is.
    pub(super) fn wait(&self, dt: f64) -> Duration {
        match self.speed {
            // Sums of many short times must not miss a step by their rounding.
            Some(speed) if self.due < dt * (1.0 - 1e-9) => Duration::from_secs_f64((dt - self.due) / speed),
            _ => Duration::ZERO,
        }
    }

    /// A step of `dt` that was due is taken.
    pub(super) fn take(&mut self, dt: f64) {
        self.due = (self.due - dt).max(0.0);
    }
}

/// The speed at which a scene is shown unless another one is given: real time, and faster if it lasts longer
/// than a minute.
pub(super) fn speed_of(scene: &Scene) -> f64 {
    if scene.duration > LONGEST_SHOW { nice(scene.duration / LONGEST_SHOW) } else { 1.0 }
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

    /// Steps that are taken until the clock says `end`, when it is read every `tick` seconds.
    fn steps(pace: &mut Pace, step: f64, [begin, tick, end]: [f64; 3]) -> usize {
        let dt = pace.dt(step);
        let mut taken = 0;
        for n in 0..=((end - begin) / tick).round() as u32 {
            pace.pass(Duration::from_secs_f64(begin + tick * f64::from(n)), true);
            while pace.wait(dt) == Duration::ZERO {
                pace.take(dt);
                taken += 1;
            }
        }
        taken
    }

    #[test]
    fn time_passes_as_on_the_clock_and_slower_in_slow_motion() {
        let mut pace = Pace::new(Some(1.0));
        assert_eq!(steps(&mut pace, 1.0 / 60.0, [0.0, 0.01, 1.0]), 60);
        let mut pace = Pace::new(Some(0.1));
        assert!((pace.dt(1.0 / 60.0) - 0.1 / 30.0).abs() < 1e-12, "shorter steps, not fewer pictures");
        assert_eq!(steps(&mut pace, 1.0 / 60.0, [0.0, 0.01, 1.0]), 30);
        let pace = Pace::new(None);
        assert_eq!((pace.dt(0.02), pace.wait(0.02)), (0.02, Duration::ZERO), "as fast as can be");
    }

    #[test]
    fn water_that_cannot_keep_up_does_not_hurry_later() {
        let mut pace = Pace::new(Some(1.0));
        pace.pass(Duration::ZERO, true);
        assert_eq!(steps(&mut pace, 1.0 / 60.0, [5.0, 1.0, 5.0]), 6, "a tenth of a second of five");
    }

    #[test]
    fn no_time_passes_for_water_that_rests() {
        let mut pace = Pace::new(Some(1.0));
        pace.pass(Duration::ZERO, true);
        pace.pass(Duration::from_secs(1), false);
        assert_eq!(pace.wait(0.02), Duration::from_secs_f64(0.02));
        pace.pass(Duration::from_millis(1010), true);
        assert!((pace.wait(0.02).as_secs_f64() - 0.01).abs() < 1e-6);
    }

    #[test]
    fn long_scenes_are_shown_quickly() {
        let mut scene = Scene::shipped("dam-break").expect("it ships");
        scene.duration = 20.0;
        assert_eq!(speed_of(&scene), 1.0);
        scene.duration = 3600.0;
        assert_eq!(speed_of(&scene), 50.0);
        assert_eq!(nice(0.07), 0.05);
    }
}
