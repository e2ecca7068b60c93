//! Turns that water cannot cause: pressure is at a right angle to a wall, so that on a sphere it passes through the centre,
//! and on a cylinder, capsule or cone through the axis.
//!
//! On cells it passes them by a little, always in the same direction while the body stays where it is. Nothing holds a
//! smooth body back, so that without this capsules and spheres would start to spin within a minute of nearly still water.

use thalweg_bodies::Pose;
use thalweg_scene::{Body, PartShape, Solid};

/// The symmetry of a body: which of its turns the pressure of water has no part in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Symmetry {
    /// None.
    None,
    /// Around an axis of its frame, of length 1.
    Axis([f64; 3]),
    /// All of them.
    Sphere,
}

impl Symmetry {
    /// A body of one round part that is the same throughout.
    pub(crate) fn of(body: &Body) -> Self {
        let [part] = body.parts.as_slice() else { return Self::None };
        if body.center_of_mass.is_some() || body.inertia.is_some() {
            return Self::None;
        }
        match &part.shape {
            PartShape::Solid(Solid::Sphere { .. }) => Self::Sphere,
            PartShape::Solid(Solid::Capsule { ends, .. } | Solid::Cylinder { ends, .. } | Solid::Cone { ends, .. }) => {
                let along: [f64; 3] = std::array::from_fn(|axis| ends[1][axis] - ends[0][axis]);
                let along = part.pose.direction(along);
                let length = along.iter().map(|v| v * v).sum::<f64>().sqrt();
                if length > 0.0 { Self::Axis(along.map(|v| v / length)) } else { Self::Sphere }
            }
            _ => Self::None,
        }
    }

    /// What the water has a part in of rates or moments, about the axes of the world, of a body that is turned so.
    pub(crate) fn without(self, rotation: [f64; 4], turn: [f64; 3]) -> [f64; 3] {
        match self {
            Self::None => turn,
            Self::Sphere => [0.0; 3],
            Self::Axis(axis) => {
                let axis = Pose { position: [0.0; 3], rotation }.point(axis);
                let along: f64 = axis.iter().zip(turn).map(|(a, v)| a * v).sum();
                std::array::from_fn(|n| turn[n] - along * axis[n])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_round_keeps_the_turns_across_its_axis() {
        let ends = [[0.0, -0.5, 0.0], [0.0, 0.5, 0.0]];
        let shape = PartShape::Solid(Solid::Capsule { ends, radius: 0.2 });
        let mut body = Body::new("capsule", shape, [0.0; 3]);
        let symmetry = Symmetry::of(&body);
        assert_eq!(symmetry, Symmetry::Axis([0.0, 1.0, 0.0]));
        // A quarter turn around x: y goes to z.
        let quarter = [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()];
        let left = symmetry.without(quarter, [1.0, 2.0, 3.0]);
        assert!((0..3).all(|n| (left[n] - [1.0, 2.0, 0.0][n]).abs() < 1e-12), "{left:?}");
        body.center_of_mass = Some([0.1, 0.0, 0.0]);
        assert_eq!(Symmetry::of(&body), Symmetry::None, "its weight turns it");
        let sphere = PartShape::Solid(Solid::Sphere { center: [0.0; 3], radius: 0.2 });
        assert_eq!(Symmetry::of(&Body::new("sphere", sphere, [0.0; 3])).without(quarter, [1.0; 3]), [0.0; 3]);
    }
}
