//! Where a thing is and how it is turned.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vector::{both, dot, minus, plus, size, turn, turned, unit};

/// Place and turn of a frame: a point `p` of it is at `position + rotation(p)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    #[must_use]
    pub const fn at(position: [f64; 3]) -> Self {
        Self { position, rotation: [0.0, 0.0, 0.0, 1.0] }
    }

    /// At a place, turned around an axis of any length by an angle in rad, counter-clockwise seen against the axis. An
    /// axis without length turns nothing.
    #[must_use]
    pub fn turned(position: [f64; 3], axis: [f64; 3], angle: f64) -> Self {
        Self { position, rotation: turn(axis, angle) }
    }

    /// Where a point of the frame is, m.
    #[must_use]
    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        plus(self.position, self.direction(p))
    }

    /// A direction of the frame as it is turned.
    #[must_use]
    pub fn direction(&self, v: [f64; 3]) -> [f64; 3] {
        turned(self.rotation, v)
    }

    /// The point of the frame that is at a place, m.
    #[must_use]
    pub fn local(&self, p: [f64; 3]) -> [f64; 3] {
        let [x, y, z, w] = self.rotation;
        turned([-x, -y, -z, w], minus(p, self.position))
    }

    /// The pose of a frame that is placed in this one.
    #[must_use]
    pub fn of(&self, inner: &Self) -> Self {
        Self { position: self.point(inner.position), rotation: both(self.rotation, inner.rotation) }
    }

    /// Its turn as axis times angle, rad: the shorter way round.
    #[must_use]
    pub fn rotation_vector(&self) -> [f64; 3] {
        let [x, y, z, w] = self.rotation;
        let sign = if w < 0.0 { -1.0 } else { 1.0 };
        let v = [x, y, z].map(|v| v * sign);
        let angle = 2.0 * libm::atan2(dot(v, v).sqrt(), w.abs());
        unit(v).unwrap_or_default().map(|v| v * angle)
    }

    /// Whether all numbers are finite and the turn is one.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.position.iter().chain(&self.rotation).all(|v| v.is_finite()) && (size(self.rotation) - 1.0).abs() < 1e-3
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
