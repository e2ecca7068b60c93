//! The first half of a step: everything but the water's force of this step.

use glam::DVec3;
use thalweg_model::Coupling;

use super::World;
use super::body::{FirstStep, Mover};
use super::coupling::check_step;
use super::drag::{Water, drag};
use super::pose::to_rapier;
use super::springs::pull;
use crate::coupling::Impulse;
use crate::error::WorldError;

/// Longest step that contacts are solved in, s.
const LONGEST: f64 = 1.0 / 30.0;

impl World {
    /// Goes on by `dt` with the water's force of the last step. Bodies are then where they will be at the end of the
    /// step; their velocities wait for [`World::receive`].
    pub fn predict(&mut self, dt: f64) -> Result<(), WorldError> {
        check_step(dt)?;
        let starts: Vec<_> = self.bodies.iter().map(|body| (self.pose_of(body), body.star[0])).collect();
        for index in 0..self.bodies.len() {
            self.put_forces(index, dt);
        }
        let parts = (dt / LONGEST - 1e-6).ceil().max(1.0);
        self.physics.integration_parameters.dt = (dt / parts) as f32;
        for part in 1..=parts as u32 {
            self.place_kinematic(self.time + dt * f64::from(part) / parts);
            self.physics.step();
            if let Some(handle) = self.physics.quarantine().bodies().first() {
                let name = self.bodies.iter().find(|body| body.handle == *handle).map(|body| body.name.clone());
                return Err(WorldError::Lost { name: name.unwrap_or_default() });
            }
        }
        self.time += dt;
        for (index, (start, velocity)) in starts.into_iter().enumerate() {
            let pose = self.pose_of(&self.bodies[index]);
            if let Some(FirstStep::Touching { fell }) = &mut self.bodies[index].first_step {
                let meant = DVec3::from(start.position) + DVec3::from(velocity) * dt;
                *fell = (meant - DVec3::from(pose.position)).to_array();
            }
            self.take_motion(index)?;
        }
        Ok(())
    }

    /// Puts all forces on a body that contacts do not know of.
    fn put_forces(&mut self, index: usize, dt: f64) {
        let body = &self.bodies[index];
        if !body.is_free() {
            return;
        }
        let pose = self.pose_of(body);
        let centre = DVec3::from(pose.point(body.centre));
        let [velocity, rates] = body.star.map(DVec3::from);
        let (inverse_mass, inverse_inertia) = (body.inverse_mass(), body.world_inverse_inertia(&pose));
        let mut mover = Mover { velocity, rates, inverse_mass, inverse_inertia };

        let [mut force, mut torque] = [body.lag.linear, body.lag.angular].map(DVec3::from);
        let lagged = [inverse_mass * force * dt, inverse_inertia * torque * dt];
        force += DVec3::from(body.user.linear);
        torque += DVec3::from(body.user.angular);
        let mut water = Impulse::default();
        if self.coupling == Coupling::Buoyancy {
            let lift = DVec3::Y * (self.water_density * self.gravity * body.wet.displaced);
            let turn = (DVec3::from(body.wet.centre) - centre).cross(lift);
            force += lift;
            torque += turn;
            water = Impulse { linear: lift.to_array(), angular: turn.to_array() };
        }
        let weight = DVec3::NEG_Y * (self.gravity * body.mass);
        mover.push((force + weight) * dt, torque * dt);

        let around = Water { density: self.water_density, gravity: self.gravity, coupling: self.coupling };
        let dragged = drag(body, &mut mover, &around, dt);
        let pulled = pull(body, &mut mover, &pose, self.gravity, dt);
        force += (DVec3::from(dragged.linear) + DVec3::from(pulled.linear)) / dt;
        torque += (DVec3::from(dragged.angular) + DVec3::from(pulled.angular)) / dt;

        let body = &mut self.bodies[index];
        body.lagged = lagged.map(|v| v.to_array());
        body.dragged = dragged;
        body.user = Impulse::default();
        if self.coupling == Coupling::Buoyancy {
            let sum = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|axis| a[axis] + b[axis] / dt);
            body.water =
                Impulse { linear: sum(water.linear, dragged.linear), angular: sum(water.angular, dragged.angular) };
        }
        let handle = body.handle;
        if let Some(rapier) = self.physics.bodies.get_mut(handle) {
            rapier.reset_forces(false);
            rapier.reset_torques(false);
            rapier.add_force(force.as_vec3(), true);
            rapier.add_torque(torque.as_vec3(), true);
        }
    }

    fn place_kinematic(&mut self, time: f64) {
        let bodies = self.bodies.iter().filter_map(|body| Some((body.handle, body.path.as_ref()?, &body.start)));
        let obstacles = self.moving_obstacles.iter().map(|solid| (solid.handle, &solid.path, &solid.start));
        for (handle, path, start) in bodies.chain(obstacles) {
            if let Some(rapier) = self.physics.bodies.get_mut(handle) {
                rapier.set_next_kinematic_position(to_rapier(&path.pose(start, time), self.origin));
            }
        }
    }

    /// Takes what the step made of a body.
    fn take_motion(&mut self, index: usize) -> Result<(), WorldError> {
        let body = &self.bodies[index];
        let pose = self.pose_of(body);
        let star = match (&body.path, self.physics.bodies.get(body.handle)) {
            (Some(path), _) => path.velocity(&body.start, self.time, pose.point(body.centre)).map(DVec3::from),
            (None, Some(rapier)) => {
                let [v, w] = body.lagged.map(DVec3::from);
                [rapier.linvel().as_dvec3() - v, rapier.angvel().as_dvec3() - w]
            }
            (None, None) => [DVec3::NAN; 2],
        };
        if !(pose.is_good() && star.iter().all(|v| v.is_finite())) {
            return Err(WorldError::Lost { name: body.name.clone() });
        }
        self.bodies[index].star = star.map(|v| v.to_array());
        Ok(())
    }
}
