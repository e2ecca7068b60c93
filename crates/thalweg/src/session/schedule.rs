//! The times of steps and frames. They come from counting, never from adding: a run that is resumed meets the same
//! ones.

use thalweg_scene::Scene;

/// Ends of steps lie at `begin + n * step`, frames at `n * every`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Schedule {
    /// Simulated time from which the steps are counted, s.
    begin: f64,
    /// Length of a step, s.
    step: f64,
    /// Steps since `begin`.
    taken: u64,
    /// Time between two frames, s.
    every: f64,
    /// Frames whose time has come.
    frame: u64,
    /// Ends of steps are not later than this, s.
    latest: f64,
    /// The session is finished at this time, s.
    end: f64,
    /// Frames after which a run is finished before the end of its scene.
    frames: Option<u64>,
}

impl Schedule {
    /// Steps of the scene without an end, from a time on, s.
    pub(super) fn endless(scene: &Scene, time: f64) -> Self {
        let (step, every) = (scene.step, scene.output.every);
        let frame = frames_until(every, time);
        Self { begin: time, step, taken: 0, every, frame, latest: f64::INFINITY, end: f64::INFINITY, frames: None }
    }

    /// From the beginning of the scene to its end or, with `frames`, to the end of the step that brings the last of
    /// them. Never between two steps, or going on from there would take other steps than a run without a break. `steps`
    /// are taken already and have reached `time`, s.
    pub(super) fn of_run(scene: &Scene, frames: Option<u64>, steps: u64, time: f64) -> Self {
        let (step, every, latest) = (scene.step, scene.output.every, scene.duration);
        let frame = frames_until(every, time);
        let mut schedule = Self { begin: 0.0, step, taken: steps, every, frame, latest, end: latest, frames };
        if let Some(frames) = frames {
            let steps = every * frames as f64 / step;
            schedule.end = schedule.end_of_step((steps * (1.0 - 1e-9)).ceil() as u64);
        }
        schedule
    }

    /// The same for a simulation that begins: without an end, or to the end of its scene.
    pub(super) fn restarted(&self, scene: &Scene, steps: u64, time: f64) -> Self {
        if self.end.is_finite() { Self::of_run(scene, self.frames, steps, time) } else { Self::endless(scene, time) }
    }

    fn end_of_step(&self, n: u64) -> f64 {
        (self.begin + self.step * n as f64).min(self.latest)
    }

    /// Counts from a time on in steps of another length, s.
    pub(super) fn change_step(&mut self, step: f64, time: f64) {
        if step != self.step {
            (self.begin, self.step, self.taken) = (time, step, 0);
        }
    }

    /// The end of the next step, s.
    pub(super) fn next(&self) -> f64 {
        self.end_of_step(self.taken + 1).min(self.end)
    }

    /// When the session is finished, s; infinite if it goes on for ever.
    pub(super) fn end(&self) -> f64 {
        self.end
    }

    /// Whether all steps are taken that bring the water to a time, s.
    pub(super) fn is_finished(&self, time: f64) -> bool {
        time >= self.end * (1.0 - 1e-12)
    }

    /// Frames whose time has come.
    pub(super) fn frame(&self) -> u64 {
        self.frame
    }

    /// A step was taken, up to a time, s. The frame whose time has come with it, if one has.
    pub(super) fn stepped(&mut self, time: f64) -> Option<u64> {
        self.taken += 1;
        let next = self.every * (self.frame + 1) as f64;
        (time >= next * (1.0 - 1e-9)).then(|| {
            self.frame = frames_until(self.every, time);
            self.frame
        })
    }
}

/// Frames whose time has come.
fn frames_until(every: f64, time: f64) -> u64 {
    (time / every * (1.0 + 1e-9)).floor() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let mut scene = Scene::shipped("dam-break").expect("it ships");
        (scene.step, scene.output.every, scene.duration) = (0.04, 0.1, 1.0);
        scene
    }

    /// Times of the ends of all steps, and the frames that come with them.
    fn all(mut schedule: Schedule, mut time: f64) -> Vec<(f64, Option<u64>)> {
        let mut seen = Vec::new();
        while !schedule.is_finished(time) {
            time = schedule.next();
            seen.push((time, schedule.stepped(time)));
        }
        seen
    }

    #[test]
    fn a_resumed_run_meets_the_same_times() {
        let whole = all(Schedule::of_run(&scene(), None, 0, 0.0), 0.0);
        assert_eq!(whole.len(), 25);
        assert_eq!(whole.last(), Some(&(1.0, Some(10))));
        assert_eq!(whole.iter().filter_map(|(_, frame)| *frame).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
        for taken in [1, 5, 24] {
            let time = whole[taken - 1].0;
            assert_eq!(all(Schedule::of_run(&scene(), None, taken as u64, time), time), whole[taken..]);
        }
    }

    #[test]
    fn a_run_of_some_frames_ends_with_the_step_that_brings_the_last() {
        let whole = all(Schedule::of_run(&scene(), None, 0, 0.0), 0.0);
        let three = all(Schedule::of_run(&scene(), Some(3), 0, 0.0), 0.0);
        assert_eq!((three.len(), three.last().and_then(|last| last.1)), (8, Some(3)));
        assert_eq!(three, whole[..8]);
        assert_eq!(all(Schedule::of_run(&scene(), Some(99), 0, 0.0), 0.0), whole, "no longer than the scene");
        assert!(all(Schedule::of_run(&scene(), Some(0), 0, 0.0), 0.0).is_empty());
    }

    #[test]
    fn steps_of_another_length_are_counted_from_where_the_water_is() {
        let mut schedule = Schedule::endless(&scene(), 0.0);
        assert_eq!((schedule.next(), schedule.is_finished(1e9)), (0.04, false));
        schedule.stepped(0.04);
        schedule.change_step(0.04, 0.04);
        assert_eq!(schedule.next(), 0.08);
        schedule.change_step(0.01, 0.04);
        assert_eq!(schedule.next(), 0.05);
        assert_eq!((schedule.stepped(0.05), schedule.frame()), (None, 0));
        assert_eq!(schedule.stepped(0.31), Some(3), "frames that were skipped are gone");
    }
}
