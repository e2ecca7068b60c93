//! Poses as Rapier takes them.

use glam::{DQuat, DVec3};
use rapier3d::math::{Pose as RapierPose, Rotation, Vector};
use thalweg_model::Pose;

/// For Rapier, which counts from `origin`.
pub(crate) fn to_rapier(pose: &Pose, origin: [f64; 3]) -> RapierPose {
    let place = (DVec3::from(pose.position) - DVec3::from(origin)).as_vec3();
    let [x, y, z, w] = DQuat::from_array(pose.rotation).normalize().to_array();
    RapierPose::from_parts(
        Vector::new(place.x, place.y, place.z),
        Rotation::from_xyzw(x as f32, y as f32, z as f32, w as f32),
    )
}

/// From Rapier, which counts from `origin`.
pub(crate) fn from_rapier(pose: &RapierPose, origin: [f64; 3]) -> Pose {
    let rotation = pose.rotation.as_dquat().normalize();
    let position = pose.translation.as_dvec3() + DVec3::from(origin);
    Pose { position: position.to_array(), rotation: rotation.to_array() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The world computes with both: they must not disagree in the last digit.
    #[test]
    fn poses_turn_as_quaternions_of_glam_do() {
        let mut state = 1u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 4.0 - 2.0
        };
        for _ in 0..1000 {
            let mut point = || [number(), number(), number()];
            let [a, b, axis, other, p] = [point(), point(), point(), point(), point()];
            let (outer, inner) = (Pose::turned(a, axis, 1.1), Pose::turned(b, other, -2.3));
            let [q, r] = [outer, inner].map(|pose| DQuat::from_array(pose.rotation));
            assert_eq!(outer.point(p), (DVec3::from(a) + q * DVec3::from(p)).to_array());
            assert_eq!(outer.local(p), (q.conjugate() * (DVec3::from(p) - DVec3::from(a))).to_array());
            assert_eq!(outer.of(&inner).rotation, (q * r).normalize().to_array());
            let (sine, cosine) = libm::sincos(0.5 * 1.1);
            let [x, y, z] = (DVec3::from(axis).normalize() * sine).to_array();
            assert_eq!(outer.rotation, [x, y, z, cosine]);
        }
    }
}
