//! Poses as Rapier takes them.

use glam::DVec3;
use rapier3d::math::{Pose as RapierPose, Rotation, Vector};

use crate::pose::Pose;

impl Pose {
    /// For Rapier, which counts from `origin`.
    pub(crate) fn to_rapier(self, origin: [f64; 3]) -> RapierPose {
        let place = (DVec3::from(self.position) - DVec3::from(origin)).as_vec3();
        let [x, y, z, w] = self.quaternion().normalize().to_array();
        RapierPose::from_parts(
            Vector::new(place.x, place.y, place.z),
            Rotation::from_xyzw(x as f32, y as f32, z as f32, w as f32),
        )
    }

    pub(crate) fn from_rapier(pose: &RapierPose, origin: [f64; 3]) -> Self {
        let rotation = pose.rotation.as_dquat().normalize();
        let position = pose.translation.as_dvec3() + DVec3::from(origin);
        Self { position: position.to_array(), rotation: rotation.to_array() }
    }
}
