//! What users do to water and bodies while they run: one door for viewers, pages and programs.

use thalweg_model::Ability;
use thalweg_scene::{Body, Obstacle};
use thalweg_tall::Tuning;

use crate::methods::tall::pour::Pour;

/// Something done to a running simulation, for [`Simulation::apply`](crate::Simulation::apply). Places are in world
/// coordinates, m.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Interaction {
    /// Pours water in during the next step; see [`Simulation::pour`](crate::Simulation::pour).
    Pour(Pour),
    /// Takes the water in a ball along; see [`Simulation::push`](crate::Simulation::push).
    Push {
        /// Middle of the ball, m.
        centre: [f64; 3],
        /// Its radius, m.
        radius: f64,
        /// Velocity of the water in its middle, m/s.
        velocity: [f64; 3],
    },
    /// Puts other obstacles into the water; see [`Simulation::set_obstacles`](crate::Simulation::set_obstacles).
    SetObstacles(Vec<Obstacle>),
    /// Changes settings from the next step on; see [`Simulation::tune`](crate::Simulation::tune).
    Tune(Tuning),
    /// Puts an observer at a place; see [`Simulation::observe`](crate::Simulation::observe).
    Observe {
        /// `[x, z]`, m.
        place: [f64; 2],
        /// Distance up to which cells stay as small as they can be, m.
        near: f64,
    },
    /// Takes hold of a body at a point of it and pulls that point to a place, by a spring that is critically damped and
    /// not stronger than twenty weights of the body. It holds until [`Interaction::Release`] or [`Interaction::Throw`].
    Grab {
        /// Name of the body.
        body: String,
        /// The point that is held, where it is now, m.
        at: [f64; 3],
        /// Where it is pulled to, m.
        to: [f64; 3],
    },
    /// Pulls a body that is held to another place, by the point at which it was taken.
    Drag {
        /// Name of the body.
        body: String,
        /// Where it is pulled to, m.
        to: [f64; 3],
    },
    /// Lets go of a body, which keeps its velocity.
    Release {
        /// Name of the body.
        body: String,
    },
    /// Lets go of a body and gives it a velocity; it turns as it did.
    Throw {
        /// Name of the body.
        body: String,
        /// Velocity of its centre of mass, m/s.
        velocity: [f64; 3],
    },
    /// Puts a new body in, with the velocity that it has. Water inside it counts as gone out
    /// ([`Statistics::removed`](crate::Statistics::removed)). Takes as long as the beginning of the scene; what was
    /// saved before cannot be loaded any more.
    AddBody(Box<Body>),
    /// Takes a body out and leaves air. Takes as long as the beginning of the scene; what was saved before cannot be
    /// loaded any more.
    RemoveBody {
        /// Name of the body.
        name: String,
    },
}

/// What a ray met, from [`Simulation::pick`](crate::Simulation::pick).
#[derive(Debug, Clone, PartialEq)]
pub struct Picked {
    /// Name of the body.
    pub body: String,
    /// The point of it that the ray met, world coordinates, m.
    pub point: [f64; 3],
    /// Distance from the ray's origin, m.
    pub distance: f64,
    /// Whether it follows a path, so that it cannot be grabbed.
    pub is_kinematic: bool,
}

/// Why bodies cannot be touched like that. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InteractionError {
    /// No body has that name.
    #[error("there is no body `{name}`: {hint}")]
    UnknownBody {
        /// What was asked for.
        name: String,
        /// What to do.
        hint: String,
    },
    /// A number is not finite.
    #[error("the {what} for body `{body}` must be finite numbers, it is {value:?}")]
    NotFinite {
        /// Which vector.
        what: &'static str,
        /// Of which body.
        body: String,
        /// What was asked for.
        value: [f64; 3],
    },
    /// A name that no scene file could have.
    #[error("`{name}` cannot be the name of a body: take 1 to 64 letters, digits, `_` or `-`")]
    Name {
        /// What was asked for.
        name: String,
    },
    /// Another body has that name.
    #[error("there is a body `{name}` already: take another name, such as `{free}`")]
    Taken {
        /// What was asked for.
        name: String,
        /// A name that is free.
        free: String,
    },
    /// The body would be outside.
    #[error(
        "body `{name}` at {position:?} m is outside the domain, which goes from {low:?} to {high:?} m along x and z"
    )]
    Outside {
        /// Which body.
        name: String,
        /// What was asked for, m.
        position: [f64; 3],
        /// Low corner `[x, z]`, m.
        low: [f64; 2],
        /// High corner `[x, z]`, m.
        high: [f64; 2],
    },
}

impl Interaction {
    /// The ability that it needs.
    pub fn ability(&self) -> Ability {
        match self {
            Self::Pour(_) => Ability::Pour,
            Self::Push { .. } => Ability::Push,
            Self::SetObstacles(_) => Ability::Obstacles,
            Self::Tune(_) => Ability::Tune,
            Self::Observe { .. } => Ability::AdaptiveCells,
            Self::Grab { .. }
            | Self::Drag { .. }
            | Self::Release { .. }
            | Self::Throw { .. }
            | Self::AddBody(_)
            | Self::RemoveBody { .. } => Ability::Bodies,
        }
    }
}
