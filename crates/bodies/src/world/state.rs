//! What bodies do.

use super::World;
use super::body::WorldBody;
use crate::coupling::Impulse;
use crate::state::BodyState;

impl World {
    /// All bodies, in the order in which they were added.
    pub fn states(&self) -> Vec<BodyState> {
        let state = |body: &WorldBody| {
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
