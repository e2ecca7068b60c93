//! The time step, \[000\] Algorithm 1: written once for every executor.

use thalweg_compute::{Executor, Recording};

use super::stages::{Stages, Step};
use super::state::State;
use crate::error::Result;

impl Stages {
    /// What moves with the water; solids are still where they were.
    pub(crate) fn record_motion(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        rec.stage("reinitialise");
        self.surface.restore(rec, s, step)?; // φ is a distance again, §3.5
        rec.stage("extrapolate");
        self.extrapolate.record(rec, s, self.surface.beyond(step), step)?; // u into the air, §3.3
        rec.stage("level set");
        self.surface.advect(rec, s, step)?; // φ with u, §3.4
        self.surface.thicken(rec, s, step)?; // §3.9.2
        rec.stage("velocity");
        self.advect.record(rec, s, self.projection.diagonals(), step)?; // u with u, §3.6
        rec.stage("exchange");
        self.surface.exchange(rec, s, &self.exchange, step.moment) // sources and open sides change φ
    }

    /// What acts on the water, on new columns and with solids where they are at the end of the step.
    pub(crate) fn record_forces(
        &mut self,
        rec: &mut Recording<'_>,
        exec: &Executor,
        s: &mut State,
        step: &Step,
    ) -> Result<()> {
        self.solids.place_at_end(exec, step.moment)?;
        rec.stage("remesh");
        self.follow_surface(rec, s)?; // §3.7
        self.exchange.lead(rec, &s.now.heights, (&s.now.faces, &s.now.inner), step.moment)?; // open sides
        self.project(rec, s, step)
    }

    /// Columns follow the surface, and solid fractions are those on the new ones.
    pub(crate) fn follow_surface(&mut self, rec: &mut Recording<'_>, s: &mut State) -> Result<()> {
        let moved = self.remesh.record(rec, s, &self.solids, &mut *self.surface)?;
        if moved || self.solids.is_moving() { self.solids.record(rec, s) } else { Ok(()) }
    }

    /// Gravity, pressure and bodies: velocities become free of divergence, §3.8 and `docs/pressure.md`.
    pub(crate) fn project(&mut self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        rec.stage("project");
        let pressure = &mut self.projection;
        self.volume.control(rec, (&self.sums, s, &*self.surface), self.exchange.ledger.words(), step)?;
        pressure.assemble(rec, s)?; // A
        self.bodies.meet(rec, s, pressure.levels(), step)?; // B and what bodies displace
        if step.flows {
            self.exchange.flow(rec, s.seen(), &s.now.faces, step.moment)?;
        }
        pressure.divergence(rec, s, step)?; // b = −∇·u
        if step.flows {
            self.exchange.pump(rec, s.seen(), pressure.diagonals(), pressure.rhs())?;
        }
        self.volume.correct(rec, s, (pressure.diagonals(), pressure.rhs()), step)?;
        pressure.add_gravity(rec, s, step)?;
        pressure.solve(rec, s, &self.bodies, step)?; // A q = b
        pressure.subtract_gradient(rec, s, step)?; // u − ∇q
        if step.flows {
            self.exchange.steady(rec, &s.now.heights, &s.now.faces)?;
        }
        Ok(())
    }
}
