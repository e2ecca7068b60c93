//! Where a thing is and how it is turned.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Place and turn of a frame: a point `p` of it is at `position + rotation(p)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Where its origin is, m.
    pub position: [f64; 3],
    /// Its turn, a unit quaternion `[x, y, z, w]`.
    pub rotation: [f64; 4],
}

impl Default for Pose {
    fn default() -> Self {
        Self::at([0.0; 3])
    }
}

impl Pose {
    /// At a place, not turned.
    pub const fn at(position: [f64; 3]) -> Self {
        Self { position, rotation: [0.0, 0.0, 0.0, 1.0] }
    }

    /// At a place, turned around an axis of any length by an angle in rad, counter-clockwise seen against the axis. An axis
    /// without length turns nothing.
    pub fn turned(position: [f64; 3], axis: [f64; 3], angle: f64) -> Self {
        Self { position, rotation: turn(axis, angle).to_array() }
    }

    /// Where a point of the frame is, m.
    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        (DVec3::from(self.position) + self.quaternion() * DVec3::from(p)).to_array()
    }

    /// The point of the frame that is at a place, m.
    pub fn local(&self, p: [f64; 3]) -> [f64; 3] {
        (self.quaternion().conjugate() * (DVec3::from(p) - DVec3::from(self.position))).to_array()
    }

    /// The pose of a frame that is placed in this one.
    pub fn of(&self, inner: &Self) -> Self {
        let rotation = (self.quaternion() * inner.quaternion()).normalize();
        Self { position: self.point(inner.position), rotation: rotation.to_array() }
    }

    /// Its turn as axis times angle, rad: the shorter way round.
    pub fn rotation_vector(&self) -> [f64; 3] {
        let [x, y, z, w] = self.rotation;
        let sign = if w < 0.0 { -1.0 } else { 1.0 };
        let v = DVec3::new(x, y, z) * sign;
        let angle = 2.0 * libm::atan2(v.length(), w.abs());
        (v.normalize_or_zero() * angle).to_array()
    }

    pub(crate) fn quaternion(&self) -> DQuat {
        DQuat::from_array(self.rotation)
    }

    pub(crate) fn is_good(&self) -> bool {
        self.position.iter().chain(&self.rotation).all(|v| v.is_finite())
            && (self.quaternion().length() - 1.0).abs() < 1e-3
    }
}

/// A turn around an axis of any length. `libm`, so that all machines find the same bits.
pub(crate) fn turn(axis: [f64; 3], angle: f64) -> DQuat {
    match DVec3::from(axis).try_normalize() {
        Some(axis) => {
            let (sine, cosine) = libm::sincos(0.5 * angle);
            let v = axis * sine;
            DQuat::from_xyzw(v.x, v.y, v.z, cosine)
        }
        None => DQuat::IDENTITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_vectors_are_axis_times_angle() {
        for angle in [-3.0, -0.2, 0.0, 1e-6, 2.5] {
            let [x, y, z] = Pose::turned([0.0; 3], [0.0, 0.0, 4.0], angle).rotation_vector();
            assert!((x.abs() + y.abs()) < 1e-12 && (z - angle).abs() < 1e-12, "{angle} became {z}");
        }
        // Beyond half a turn the other way is shorter.
        let [_, y, _] = Pose::turned([0.0; 3], [0.0, 1.0, 0.0], 4.0).rotation_vector();
        assert!((y - (4.0 - std::f64::consts::TAU)).abs() < 1e-12);
    }

    #[test]
    fn poses_compose_and_invert() {
        let outer = Pose::turned([1.0, 2.0, 3.0], [0.0, 2.0, 0.0], 0.5 * std::f64::consts::PI);
        let inner = Pose::turned([0.5, 0.0, 0.0], [1.0, 0.0, 0.0], 0.3);
        let p = [0.1, 0.2, 0.3];
        let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|n| (a[n] - b[n]).abs() < 1e-12);
        assert!(near(outer.of(&inner).point(p), outer.point(inner.point(p))));
        assert!(near(outer.local(outer.point(p)), p));
        // A quarter turn around y takes x to −z.
        assert!(near(outer.point([1.0, 0.0, 0.0]), [1.0, 2.0, 2.0]));
    }
}
