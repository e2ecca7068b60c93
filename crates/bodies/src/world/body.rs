//! What a world remembers of a body beside its place in Rapier.

use glam::{DMat3, DQuat, DVec3};
use rapier3d::prelude::RigidBodyHandle;
use serde::{Deserialize, Serialize};
use thalweg_model::{Locks, Mooring, Motion, Pose};

use crate::coupling::{Impulse, Wet};

/// The force of the pressure on a body that has not made a step.
pub(crate) const NOT_YET: f64 = f64::NAN;

/// A body of a world.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WorldBody {
    pub(crate) name: String,
    pub(crate) handle: RigidBodyHandle,
    /// m³.
    pub(crate) volume: f64,
    /// kg.
    pub(crate) mass: f64,
    /// Centre of mass in its frame, m.
    pub(crate) centre: [f64; 3],
    /// Inverse of the inertia in its frame, 1/(kg m²).
    pub(crate) inverse_inertia: [[f64; 3]; 3],
    /// Radius of a ball around the centre of mass that holds it, m.
    pub(crate) radius: f64,
    pub(crate) drag: f64,
    pub(crate) path: Option<Motion>,
    /// Pose at time 0, for a path.
    pub(crate) start: Pose,
    pub(crate) moorings: Vec<Mooring>,
    pub(crate) grab: Option<Grab>,
    pub(crate) locks: Locks,
    /// The last force and torque of the water, limited: the next prediction uses them, N and N m.
    pub(crate) lag: Impulse,
    /// Changes of velocity and rates that `lag` made in the last prediction.
    pub(crate) lagged: [[f64; 3]; 2],
    /// How its first step was predicted; nothing in all later ones.
    #[serde(skip)]
    pub(crate) first_step: Option<FirstStep>,
    /// Velocity and rates without the water's force.
    pub(crate) star: [[f64; 3]; 2],
    /// Force of the pressure in the last step, without limit, N; [`NOT_YET`] before the first.
    pub(crate) pressed: f64,
    /// Force and torque of the water in the last step, N and N m.
    pub(crate) water: Impulse,
    /// Impulse of drag in the last prediction, a part of what the water did.
    pub(crate) dragged: Impulse,
    /// Force and torque of the user for the next prediction, N and N m.
    pub(crate) user: Impulse,
    pub(crate) wet: Wet,
}

/// How the first step of a body is predicted, when the water's force is not known yet.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FirstStep {
    /// It floats at rest: the force is its weight.
    Afloat,
    /// It touches something and may rest on that: there is no force. How far it is then from where its velocity would
    /// have brought it, m.
    Touching { fell: [f64; 3] },
}

/// A hand that holds a body.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Grab {
    /// Where it holds, in the body's frame, m.
    pub(crate) at: [f64; 3],
    /// Where it pulls to, m.
    pub(crate) to: [f64; 3],
}

/// A body while forces act on it: velocity, rates, and how easily they change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mover {
    pub(crate) velocity: DVec3,
    pub(crate) rates: DVec3,
    /// Per axis of the world, 0 where it is locked.
    pub(crate) inverse_mass: DVec3,
    /// Along axes of the world.
    pub(crate) inverse_inertia: DMat3,
}

impl Mover {
    /// Adds an impulse and one of turn.
    pub(crate) fn push(&mut self, linear: DVec3, angular: DVec3) {
        self.velocity += self.inverse_mass * linear;
        self.rates += self.inverse_inertia * angular;
    }
}

impl WorldBody {
    /// Whether it yields to forces.
    pub(crate) fn is_free(&self) -> bool {
        self.path.is_none()
    }

    /// Whether it has not made a step yet.
    pub(crate) fn is_new(&self) -> bool {
        self.pressed.is_nan()
    }

    /// Inverse masses along axes of the world for a pose, without locked axes.
    pub(crate) fn inverse_mass(&self) -> DVec3 {
        let free = |axis: usize| {
            if self.path.is_some() || self.locks.translation[axis] { 0.0 } else { 1.0 / self.mass }
        };
        DVec3::new(free(0), free(1), free(2))
    }

    /// Inverse inertia along axes of the world for a pose, without locked axes.
    pub(crate) fn world_inverse_inertia(&self, pose: &Pose) -> DMat3 {
        if self.path.is_some() {
            return DMat3::ZERO;
        }
        let turn = DMat3::from_quat(DQuat::from_array(pose.rotation));
        let free = self.locks.rotation.map(|locked| if locked { 0.0 } else { 1.0 });
        let mask = DMat3::from_diagonal(DVec3::from(free));
        mask * (turn * DMat3::from_cols_array_2d(&self.inverse_inertia) * turn.transpose()) * mask
    }
}
