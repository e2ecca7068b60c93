//! Bodies that the pressure moves.

use thalweg_compute::Later;

use crate::error::{Result, TallError};
use crate::solver::stages::bodies::{BodyLoad, FreeBody};
use crate::water::TallWater;

impl TallWater {
    /// Puts bodies where they are at the end of the next step, with the velocities that they would have without the
    /// water: one for every number that [`Obstacle::Floating`](crate::Obstacle::Floating) names, in their order.
    pub fn place_bodies(&mut self, bodies: &[FreeBody]) -> Result<()> {
        let time = self.clock.time;
        if bodies.len() != self.stages.bodies.count() {
            return Err(TallError::Bodies { found: bodies.len(), wanted: self.stages.bodies.count() });
        }
        if !bodies.iter().all(FreeBody::is_finite) {
            return Err(TallError::BodyNotFinite { time });
        }
        self.stages.solids.pose(bodies);
        let boxes = self.stages.solids.boxes(time);
        self.stages.bodies.place(&self.exec, bodies, &boxes)
    }

    /// What the last step did to every body.
    pub fn body_loads_later(&self) -> Result<Later<Vec<BodyLoad>, TallError>> {
        self.stages.bodies.loads_later(&self.exec)
    }
}
