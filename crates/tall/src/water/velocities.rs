//! Velocities from outside, and what is done with the water between steps.

use crate::error::Result;
use crate::solver::stages::given_velocities::VelocityField;
use crate::solver::stages::{Step, longest_wave_step};
use crate::water::TallWater;

/// The part of a wave's step that a projection of velocities alone stands for: gravity must have no time to act.
const INSTANT: f64 = 1e-6;

impl TallWater {
    /// Gives all water a velocity and makes it free of divergence: the first step moves water before it projects.
    /// Runs of faces beside tall cells take the values of their ends.
    pub fn set_velocities(&mut self, velocity: VelocityField<'_>) -> Result<()> {
        self.impose_velocities(velocity)?;
        self.free_of_divergence()
    }

    /// Makes the velocities as they are free of divergence.
    pub(super) fn free_of_divergence(&mut self) -> Result<()> {
        self.forget_observation();
        let dt = INSTANT * longest_wave_step(self.state.cell(), self.options.gravity).min(1.0);
        // No time passes: sources have nothing to give.
        let step = Step { flows: false, ..self.next_step(dt) };
        let Self { exec, stages, state, .. } = self;
        exec.submit(|rec| stages.make_free_of_divergence(rec, state, &step))
    }

    /// Puts velocities on all faces, of air as well, just as they are: for [`Self::carry`].
    pub fn impose_velocities(&mut self, velocity: VelocityField<'_>) -> Result<()> {
        let fastest = self.state.set_velocities(&self.exec, velocity)?;
        self.given_speed = self.given_speed.max(f64::from(fastest));
        self.forget_observation();
        Ok(())
    }

    /// Moves the surface alone for `dt` seconds, with the velocities as they are; a negative `dt` goes back. The stages
    /// are those of a step: the level set becomes a distance, follows the faces, and columns follow it.
    ///
    /// For tests of the surface in a given flow: `cos(π t/T) u(x)` is carried for `cos(π t/T) Δt` in `u(x)`.
    pub fn carry(&mut self, dt: f64) -> Result<()> {
        let step = self.next_step(dt);
        let Self { exec, stages, state, .. } = self;
        exec.submit(|rec| stages.record_surface_alone(rec, state, &step))?;
        self.clock.steps += 1;
        self.clock.time += dt;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use thalweg_columns::Shape;
    use thalweg_compute::parity::own_test_executors;

    use super::*;
    use crate::{Band, Discretisation, Options, Setup};

    fn ball(options: Options) -> Vec<TallWater> {
        let setup = Setup {
            shape: Shape { nx: 32, nz: 1, regular: 30 },
            cell: 0.1,
            height: 3.2,
            terrain: &[0.0; 32],
            level_set: &|[x, y, _]| (x - 1.0).hypot(y - 1.0) - 0.6,
            obstacles: &[],
            velocity: [0.0; 2],
            options,
        };
        own_test_executors().into_iter().map(|exec| TallWater::new(exec, &setup).expect("a ball")).collect()
    }

    /// Middle of the water, m.
    fn middle(water: &TallWater) -> [f64; 2] {
        let section = water.section_later(0, 32).and_then(thalweg_compute::Later::wait).expect("a section");
        let wet: Vec<[f64; 2]> = (0..32 * 32)
            .filter(|at| section.level_set[*at] < 0.0)
            .map(|at| [at % 32, at / 32].map(|c| (c as f64 + 0.5) * 0.1))
            .collect();
        [0, 1].map(|c| wet.iter().map(|p| p[c]).sum::<f64>() / wet.len() as f64)
    }

    #[test]
    fn the_surface_follows_a_given_flow_and_comes_back() {
        for options in [Options { band: None, ..Default::default() }, Options::default()] {
            for mut water in ball(options) {
                water.impose_velocities(&|_| [1.0, 0.5, 0.0]).expect("velocities");
                let volume = water.statistics().expect("sums").volume;
                // Whole cells: nothing is interpolated, so nothing may be lost.
                (0..4).for_each(|_| water.carry(0.2).expect("carried"));
                let [x, y] = middle(&water);
                assert!((x - 1.8).abs() < 0.02 && (y - 1.4).abs() < 0.02, "{x} {y}");
                (0..4).for_each(|_| water.carry(-0.2).expect("carried"));
                let [x, y] = middle(&water);
                assert!((x - 1.0).abs() < 0.02 && (y - 1.0).abs() < 0.02, "{x} {y}");
                let change = water.statistics().expect("sums").volume / volume - 1.0;
                assert!(change.abs() < 0.01, "{change}");
            }
        }
    }

    #[test]
    fn velocities_from_outside_become_free_of_divergence() {
        for options in [
            Options { band: None, ..Default::default() },
            Options { band: Some(Band::default()), ..Default::default() },
            Options { band: None, discretisation: Discretisation::Collocated, ..Default::default() },
        ] {
            for mut water in ball(options) {
                // A flow that already is: it stays.
                water.set_velocities(&|[x, y, _]| [y - 1.0, 1.0 - x, 0.0]).expect("velocities");
                let speed = water.statistics().expect("sums").speed;
                assert!((speed - 0.6).abs() < 0.08, "{speed}");
                // One that expands: nothing of it is left but what the surface allows, a ball in free fall keeps its
                // size.
                water.set_velocities(&|[x, y, _]| [x - 1.0, y - 1.0, 0.0]).expect("velocities");
                let speed = water.statistics().expect("sums").speed;
                assert!(speed < 0.02, "{speed}");
            }
        }
    }
}
