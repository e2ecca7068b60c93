//! What bodies do.

use crate::exchange::Impulse;
use crate::pose::Pose;
use crate::world::World;

/// A body at the present time.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyState {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub pose: Pose,
    /// Its centre of mass, m.
    pub centre_of_mass: [f64; 3],
    /// Velocity of the centre of mass, m/s.
    pub velocity: [f64; 3],
    /// Rates of turn, rad/s.
    pub rates: [f64; 3],
    /// Force of the water over the last step, drag and all, N.
    pub force: [f64; 3],
    /// Torque of the water about the centre of mass over the last step, N m.
    pub torque: [f64; 3],
    /// kg.
    pub mass: f64,
    /// m³.
    pub volume: f64,
    /// Whether it follows a path.
    pub is_kinematic: bool,
}

impl World {
    /// All bodies, in the order in which they were added.
    pub fn states(&self) -> Vec<BodyState> {
        let state = |body: &crate::body::Body| {
            let pose = self.pose_of(body);
            let [velocity, rates] = body.star;
            let Impulse { linear, angular } = body.water;
            BodyState {
                name: body.name.clone(),
                pose,
                centre_of_mass: pose.point(body.centre),
                velocity,
                rates,
                force: linear,
                torque: angular,
                mass: body.mass,
                volume: body.volume,
                is_kinematic: !body.is_free(),
            }
        };
        self.bodies.iter().map(state).collect()
    }
}
