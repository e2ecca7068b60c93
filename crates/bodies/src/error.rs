//! What can be wrong with bodies.

use crate::shape::{LARGEST, SMALLEST_VOLUME};

/// Why something cannot be a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// A hull was asked for in a program that has no contacts.
    #[error("this program was built without rigid bodies and their hulls")]
    BuiltWithoutRapier,
    /// A size is zero, negative, too large or no number.
    #[error("the {what} is {value} m: it must be more than 0 and at most {LARGEST} m")]
    Size {
        /// Which size.
        what: &'static str,
        /// Its value, m.
        value: f64,
    },
    /// A number is infinite or none.
    #[error("the {what} is not a finite number")]
    NotFinite {
        /// Which number.
        what: &'static str,
    },
    /// The density is zero, negative, too large or no number.
    #[error(
        "the density is {value} kg/m³: it must be more than 0 and at most 1e6 (wood has about 500, water 1000, steel 7800)"
    )]
    Density {
        /// Its value, kg/m³.
        value: f64,
    },
    /// The mass is zero, negative, too large or no number.
    #[error(
        "the mass is {value:.3e} kg: it must be at least 1e-6 and at most 1e12 kg; give `density` to have it worked out"
    )]
    Mass {
        /// Its value, kg.
        value: f64,
    },
    /// The volume is next to nothing.
    #[error(
        "the volume of {volume:e} m³ is too small, at least {SMALLEST_VOLUME:e} is needed: is the shape flat, or its unit wrong?"
    )]
    TooSmall {
        /// The volume, m³.
        volume: f64,
    },
    /// A surface has holes.
    #[error(
        "the mesh is not closed: {open_edges} edges lack a triangle on one side; close its holes and merge doubled corners"
    )]
    OpenMesh {
        /// How many edges.
        open_edges: usize,
    },
    /// The triangles of a surface look inwards.
    #[error("the mesh is inside out: its volume is {volume:.3} m³; swap two corners of every triangle")]
    InsideOut {
        /// Its volume, m³, negative.
        volume: f64,
    },
    /// A triangle names a corner that is not there.
    #[error("triangle {triangle} refers to a vertex that the mesh does not have")]
    Triangle {
        /// Which, from 0.
        triangle: usize,
    },
    /// All points of a hull lie in a plane, or there are less than four.
    #[error("the {points} points of the hull lie in one plane: a hull needs four that do not")]
    FlatHull {
        /// How many points.
        points: usize,
    },
    /// There are too many points, triangles or parts.
    #[error("there are {count} {what}, at most {most} are possible")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A compound has no parts.
    #[error("the compound has no parts: give it at least one shape")]
    NoParts,
    /// A part of a compound is a compound.
    #[error("a part of a compound is a compound itself: list all parts in one")]
    Nested,
    /// The contact library found no surface for the shape.
    #[error("no surface for contacts can be made of the {what}: {why}")]
    Contact {
        /// Which shape.
        what: &'static str,
        /// What the library says.
        why: String,
    },
    /// A position is not finite, or a rotation is not a unit quaternion.
    #[error("the position is not finite or the rotation is not a unit quaternion")]
    Pose,
    /// Moments of inertia that no body can have.
    #[error(
        "no body can have the moments of inertia {moments:?} kg m²: each must be more than 0 and less than the sum of the others"
    )]
    Inertia {
        /// The moments.
        moments: [f64; 3],
    },
    /// A coefficient is negative or too large.
    #[error("the {what} is {value}: it must be at least 0 and at most {most}")]
    Coefficient {
        /// Which.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The largest one.
        most: f64,
    },
    /// A given motion has a number that is not finite, no period, no axis, or times that do not increase.
    #[error(
        "the motion is not valid: a number is not finite, a period is not positive, times do not increase, or an axis has no length"
    )]
    Path,
}

/// Why a world cannot be made, or not go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A world was asked for in a program that has no contacts.
    #[error(
        "this program was built without rigid bodies: build it with the feature `bodies` (of `thalweg-bodies` alone: `rapier`)"
    )]
    BuiltWithoutRapier,
    /// A body is wrong.
    #[error("body `{name}`: {error}")]
    Body {
        /// Its name.
        name: String,
        /// What is wrong.
        error: BodyError,
    },
    /// An obstacle is wrong.
    #[error("obstacle {index}: {error}")]
    Obstacle {
        /// Which, from 0.
        index: usize,
        /// What is wrong.
        error: BodyError,
    },
    /// A number of the world is wrong.
    #[error("the {what} is {value}: it must be {range}")]
    Number {
        /// Which.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// The ground is wrong.
    #[error("the ground is not valid: {0}")]
    Ground(String),
    /// Two bodies have one name.
    #[error("two bodies have the name `{name}`: names must differ")]
    SameName {
        /// The name.
        name: String,
    },
    /// There is no such body.
    #[error("there is no body {index}: there are {count}, counted from 0")]
    NoBody {
        /// What was asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A list does not have one entry per body.
    #[error("{found} {what} were given for {count} bodies: there must be one per body, in the order of `free`")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many were given.
        found: usize,
        /// How many bodies there are.
        count: usize,
    },
    /// Something that a body was given is not finite.
    #[error("the {what} for body `{name}` is not finite")]
    NotFinite {
        /// What.
        what: &'static str,
        /// Which body.
        name: String,
    },
    /// The pose or velocity of a body is not finite.
    #[error(
        "body `{name}` has a pose or velocity that is not finite after the step: use a shorter step or softer springs"
    )]
    Lost {
        /// Which body.
        name: String,
    },
    /// The body is not held.
    #[error("body `{name}` is not held: grab it before it is dragged")]
    NotHeld {
        /// Which body.
        name: String,
    },
    /// The body follows a given path.
    #[error("body `{name}` follows a path: only bodies without one can be {what}")]
    Kinematic {
        /// Which body.
        name: String,
        /// What was asked for.
        what: &'static str,
    },
}

/// Why saved bodies cannot be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The program has no contacts.
    #[error("this program was built without rigid bodies")]
    BuiltWithoutRapier,
    /// Not bytes of [`World::save`](crate::World::save).
    #[error("these are not saved bodies")]
    NotBodies,
    /// Written by another version.
    #[error("saved bodies have version {found}, this program reads {wanted}: use the version that wrote them")]
    Version {
        /// The version of the bytes.
        found: u32,
        /// The version that is read.
        wanted: u32,
    },
    /// The bytes were cut or changed.
    #[error("saved bodies are damaged: {0}")]
    Damaged(String),
}
