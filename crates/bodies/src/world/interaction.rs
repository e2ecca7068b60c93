//! What users do to bodies.

use glam::DVec3;
use rapier3d::prelude::{Collider, ColliderHandle, QueryFilter, Ray};

use super::World;
use super::body::Grab;
use crate::coupling::Impulse;
use crate::error::WorldError;
use crate::state::Picked;

impl World {
    /// The first body that a ray meets. Ground and obstacles hide what is behind them; sides and floor of the domain
    /// do not, because the ray comes from outside.
    pub fn pick(&self, origin: [f64; 3], direction: [f64; 3]) -> Option<Picked> {
        let direction = DVec3::from(direction).try_normalize()?;
        let from = DVec3::from(origin) - DVec3::from(self.origin);
        if !from.is_finite() {
            return None;
        }
        let ray = Ray::new(from.as_vec3(), direction.as_vec3());
        let is_seen = |_: ColliderHandle, collider: &Collider| collider.shape().as_halfspace().is_none();
        let filter = QueryFilter::default().predicate(&is_seen);
        let (collider, distance) = self.physics.cast_ray(&ray, f32::MAX, true, filter)?;
        let parent = self.physics.colliders.get(collider)?.parent()?;
        let body = self.bodies.iter().position(|body| body.handle == parent)?;
        let hit = DVec3::from(origin) + direction * f64::from(distance);
        let point = self.pose_of(&self.bodies[body]).local(hit.to_array());
        Some(Picked { body, distance: f64::from(distance), point })
    }

    /// Takes hold of a body at a point of its frame and pulls that to a place: a spring that is critically damped and
    /// not stronger than twenty weights of the body. Call it again to pull elsewhere.
    pub fn grab(&mut self, index: usize, at: [f64; 3], to: [f64; 3]) -> Result<(), WorldError> {
        self.check_free(index, "grabbed", &[at, to])?;
        self.bodies[index].grab = Some(Grab { at, to });
        Ok(())
    }

    /// Pulls a body that is held to another place, by the point at which it was taken.
    pub fn drag(&mut self, index: usize, to: [f64; 3]) -> Result<(), WorldError> {
        self.check_free(index, "dragged", &[to])?;
        let body = &mut self.bodies[index];
        match &mut body.grab {
            Some(grab) => grab.to = to,
            None => return Err(WorldError::NotHeld { name: body.name.clone() }),
        }
        Ok(())
    }

    /// Lets go of a body.
    pub fn release(&mut self, index: usize) -> Result<(), WorldError> {
        self.check_index(index)?;
        self.bodies[index].grab = None;
        Ok(())
    }

    /// Gives a body an impulse (N s) at a place (m), at once.
    pub fn push(&mut self, index: usize, impulse: [f64; 3], at: [f64; 3]) -> Result<(), WorldError> {
        self.check_free(index, "pushed", &[impulse, at])?;
        let body = &self.bodies[index];
        let pose = self.pose_of(body);
        let arm = DVec3::from(at) - DVec3::from(pose.point(body.centre));
        let impulse = DVec3::from(impulse);
        let velocity = DVec3::from(body.star[0]) + body.inverse_mass() * impulse;
        let rates = DVec3::from(body.star[1]) + body.world_inverse_inertia(&pose) * arm.cross(impulse);
        self.move_with(index, velocity, rates);
        Ok(())
    }

    /// Puts a force (N) on a body at a place (m) during the next step; forces add up.
    pub fn add_force(&mut self, index: usize, force: [f64; 3], at: [f64; 3]) -> Result<(), WorldError> {
        self.check_free(index, "pushed", &[force, at])?;
        let body = &self.bodies[index];
        let arm = DVec3::from(at) - DVec3::from(self.pose_of(body).point(body.centre));
        let user = Impulse {
            linear: (DVec3::from(body.user.linear) + DVec3::from(force)).to_array(),
            angular: (DVec3::from(body.user.angular) + arm.cross(DVec3::from(force))).to_array(),
        };
        self.bodies[index].user = user;
        Ok(())
    }

    /// Gives a body a velocity of its centre of mass (m/s) and rates of turn (rad/s).
    pub fn set_velocity(&mut self, index: usize, velocity: [f64; 3], rates: [f64; 3]) -> Result<(), WorldError> {
        self.check_free(index, "given a velocity", &[velocity, rates])?;
        self.move_with(index, DVec3::from(velocity), DVec3::from(rates));
        Ok(())
    }

    fn move_with(&mut self, index: usize, velocity: DVec3, rates: DVec3) {
        self.bodies[index].star = [velocity.to_array(), rates.to_array()];
        self.set_motion(index, velocity, rates);
    }

    fn check_free(&self, index: usize, what: &'static str, vectors: &[[f64; 3]]) -> Result<(), WorldError> {
        self.check_index(index)?;
        let name = || self.bodies[index].name.clone();
        if !self.bodies[index].is_free() {
            return Err(WorldError::Kinematic { name: name(), what });
        }
        if !vectors.as_flattened().iter().all(|v| v.is_finite()) {
            return Err(WorldError::NotFinite { what: "force, velocity or place", name: name() });
        }
        Ok(())
    }
}
