//! Water that is pushed between steps.

use thalweg_pressure::Discretisation;

use crate::error::{Result, TallError};
use crate::solver::stages::push_ball::Ball;
use crate::water::TallWater;

impl TallWater {
    /// Takes the water in a ball along: `centre` and `radius` in m from the corner of the domain, `velocity` in m/s.
    /// Water in the middle of the ball gets that velocity, water at its rim keeps its own; then all of it is made free
    /// of divergence.
    pub fn push(&mut self, centre: [f64; 3], radius: f64, velocity: [f64; 3]) -> Result<()> {
        let numbers = centre.iter().chain(&velocity).chain([&radius]);
        if !numbers.copied().all(f64::is_finite) || radius <= 0.0 {
            let range = "finite numbers, and a radius of more than 0 m".into();
            return Err(TallError::Setting { setting: "push", range });
        }
        if self.is_collocated() {
            return Err(TallError::Collocated { what: "water that is pushed" });
        }
        let fastest = velocity.iter().fold(0.0_f64, |fastest, v| fastest.max(v.abs()));
        self.given_speed = self.given_speed.max(fastest);
        let mut rec = self.exec.record();
        self.state.push(&mut rec, &Ball { centre, radius, velocity })?;
        rec.submit()?;
        self.free_of_divergence()
    }

    /// Whether velocities live at samples.
    pub(super) fn is_collocated(&self) -> bool {
        self.options.discretisation == Discretisation::Collocated
    }
}
