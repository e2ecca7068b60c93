//! States of bodies, overlaps, and what a ray meets.

use thalweg_model::Pose;

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

/// Two bodies, or a body and something else, that are inside each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// One of them.
    pub body: String,
    /// The other; `None` is ground, a wall or an obstacle.
    pub other: Option<String>,
    /// How deep, m.
    pub depth: f64,
}

/// What a ray met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Picked {
    /// The body's number.
    pub body: usize,
    /// Distance from the ray's origin, m.
    pub distance: f64,
    /// The point that it met, in the body's frame, m.
    pub point: [f64; 3],
}
