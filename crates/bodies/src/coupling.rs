//! What the pressure solve gets of bodies and bodies get of the water.

use serde::{Deserialize, Serialize};
use thalweg_model::Pose;

/// A body as the pressure solve sees it, at the end of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeBody {
    /// Where its frame is.
    pub pose: Pose,
    /// Its centre of mass, m.
    pub centre_of_mass: [f64; 3],
    /// Velocity of the centre of mass without the water's force, m/s.
    pub velocity: [f64; 3],
    /// Rates of turn without the water's force, rad/s.
    pub rates: [f64; 3],
    /// Inverse mass along the world's axes, 1/kg; 0 where it yields to nothing.
    pub inverse_mass: [f64; 3],
    /// Inverse inertia about the centre of mass along the world's axes, 1/(kg m²); 0 where it yields to nothing.
    pub inverse_inertia: [[f64; 3]; 3],
    /// What drag did to it in this step; the water got the opposite, if it is to keep its momentum.
    pub drag: Impulse,
}

/// An impulse, or a force, with its turn about the centre of mass.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Impulse {
    /// N s; of a force N.
    pub linear: [f64; 3],
    /// N m s; of a force N m.
    pub angular: [f64; 3],
}

/// How wet a body is, at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Wet {
    /// Volume of water that it displaces, m³.
    pub displaced: f64,
    /// Centre of that volume, m.
    pub centre: [f64; 3],
    /// Wet area, seen along the world's axes, m².
    pub area: [f64; 3],
    /// Velocity of the water around it, m/s.
    pub velocity: [f64; 3],
    /// Rates at which the water around it turns, rad/s.
    pub rates: [f64; 3],
}

impl Impulse {
    pub(crate) fn is_finite(&self) -> bool {
        self.linear.iter().chain(&self.angular).all(|v| v.is_finite())
    }
}
