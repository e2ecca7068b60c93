//! Steps, in one part or in two.

use crate::error::{Result, TallError};
use crate::solver::stages::Step;
use crate::solver::stages::exchange::Moment;
use crate::water::TallWater;

impl TallWater {
    /// One step of `dt` seconds, whatever the flow does; see [`Self::advance`] for one that looks at it.
    pub fn step(&mut self, dt: f64) -> Result<()> {
        self.check_bodies()?;
        let step = self.next_step(dt);
        let Self { exec, stages, state, .. } = self;
        exec.submit(|rec| {
            stages.record_motion(rec, state, &step)?;
            stages.record_forces(rec, exec, state, &step)
        })?;
        self.end_step(dt)
    }

    /// The first part of a step: what moves with the water. It asks for solids where they were, so that a GPU can be at
    /// it while bodies are moved; [`Self::finish_step`] must follow, and nothing else in between but
    /// [`Self::place_bodies`].
    pub fn begin_step(&mut self, dt: f64) -> Result<()> {
        let step = self.next_step(dt);
        let Self { exec, stages, state, .. } = self;
        exec.submit(|rec| stages.record_motion(rec, state, &step))
    }

    /// The rest of a step that was begun.
    pub fn finish_step(&mut self, dt: f64) -> Result<()> {
        self.check_bodies()?;
        let step = self.next_step(dt);
        let Self { exec, stages, state, .. } = self;
        exec.submit(|rec| stages.record_forces(rec, exec, state, &step))?;
        self.end_step(dt)
    }

    /// Steps until `seconds` have passed, each short enough for surface waves and for `max_cfl` cells of flow. Bodies
    /// stay where they were placed: with bodies, ask [`Self::plan`] and take the steps one by one.
    pub fn advance(&mut self, seconds: f64) -> Result<u32> {
        let steps = self.plan(seconds)?;
        for _ in 0..steps {
            self.step(seconds / f64::from(steps))?;
        }
        Ok(steps)
    }

    /// The step that comes next, with sources that flow.
    pub(super) fn next_step(&self, dt: f64) -> Step {
        Step {
            moment: Moment { time: self.clock.time, dt },
            options: self.options,
            number: self.clock.steps,
            acceleration: self.acceleration,
            fastest: self.speed_limit(),
            iterations: self.planning.iterations,
            flows: true,
        }
    }

    fn check_bodies(&self) -> Result<()> {
        let bodies = &self.stages.bodies;
        match bodies.count() > 0 && bodies.placed().is_empty() {
            true => Err(TallError::BodiesNotPlaced),
            false => Ok(()),
        }
    }

    fn end_step(&mut self, dt: f64) -> Result<()> {
        self.stages.exchange.reached(&self.exec)?;
        self.clock.steps += 1;
        self.clock.time += dt;
        self.clock.last_step = dt;
        self.planning.needed_iterations = None;
        Ok(())
    }
}
