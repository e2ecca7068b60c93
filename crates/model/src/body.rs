//! Rigid bodies and obstacles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::motion::Motion;
use crate::pose::Pose;
use crate::solid::Solid;

/// A solid that yields to nothing. World coordinates `[x, y, z]`, m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Obstacle {
    /// What probes call it.
    pub name: Option<String>,
    /// Its shape, where it is before it moves.
    pub shape: Solid,
    /// How it moves.
    pub motion: Option<Motion>,
}

impl Obstacle {
    /// A solid that rests and that no probe knows.
    #[must_use]
    pub fn at_rest(shape: Solid) -> Self {
        Self { name: None, shape, motion: None }
    }

    /// Corners of a box around it before it moves, m.
    #[must_use]
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        self.shape.bounds()
    }
}

/// A rigid body in three-dimensional water. Its frame has its origin in the middle of its shape, of a mesh in the
/// origin of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    /// Unique among bodies.
    pub name: String,
    /// What it is made of, in its frame; at least one.
    pub parts: Vec<BodyPart>,
    /// Where its frame is at the start.
    pub pose: Pose,
    /// How heavy it is.
    pub mass: Mass,
    /// Centre of mass in its frame, m; `None` if it is the same throughout.
    pub center_of_mass: Option<[f64; 3]>,
    /// Moments of inertia about the centre of mass along the axes of its frame, kg m²; `None` if it is the same
    /// throughout.
    pub inertia: Option<[f64; 3]>,
    /// Velocity of its centre of mass at the start, m/s.
    pub velocity: [f64; 3],
    /// Rates of turn around the world's axes at the start, rad/s.
    pub spin: [f64; 3],
    /// Coefficient of friction, 0 to 10.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Drag coefficient `C_d`, 0 to 1000.
    pub drag: f64,
    /// A given motion; the body then yields to nothing.
    pub motion: Option<Motion>,
    /// Lines that hold it.
    pub moorings: Vec<Mooring>,
    /// What it cannot do.
    pub locks: Locks,
}

impl Body {
    /// Density of a body that says nothing of its weight, kg/m³.
    pub const DEFAULT_DENSITY: f64 = 500.0;

    /// A free body of one shape around its own middle, at rest at a place, half as heavy as water.
    pub fn new(name: impl Into<String>, shape: impl Into<PartShape>, position: [f64; 3]) -> Self {
        Self {
            name: name.into(),
            parts: vec![BodyPart { shape: shape.into(), pose: Pose::default() }],
            pose: Pose::at(position),
            mass: Mass::Density(Self::DEFAULT_DENSITY),
            center_of_mass: None,
            inertia: None,
            velocity: [0.0; 3],
            spin: [0.0; 3],
            friction: 0.5,
            restitution: 0.1,
            drag: 0.1,
            motion: None,
            moorings: Vec::new(),
            locks: Locks::default(),
        }
    }

    /// Whether it has a name that scene files could give it.
    #[must_use]
    pub fn is_well_named(&self) -> bool {
        is_name(&self.name)
    }
}

/// Whether probes, obstacles and bodies may be called so: 1 to 64 letters, digits, `_` or `-`.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !name.is_empty() && name.len() <= 64 && name.chars().all(allowed)
}

/// A part of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BodyPart {
    /// Its shape, around its own middle, m.
    pub shape: PartShape,
    /// Where its middle is in the body's frame, and how it is turned there.
    pub pose: Pose,
}

/// The shape of a part of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PartShape {
    /// One that obstacles have too.
    Solid(Solid),
    /// The convex hull of points.
    Hull {
        /// At least four, not in a plane, m.
        points: Vec<[f64; 3]>,
    },
}

impl From<Solid> for PartShape {
    fn from(solid: Solid) -> Self {
        Self::Solid(solid)
    }
}

impl BodyPart {
    /// Memory that its surface takes, bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.shape {
            PartShape::Solid(shape) => shape.bytes(),
            PartShape::Hull { points } => 24 * points.len() as u64,
        }
    }
}

impl PartShape {
    /// Corners of a box around it, m.
    #[must_use]
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        match self {
            Self::Solid(shape) => shape.bounds(),
            Self::Hull { points } => {
                let start = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
                points.iter().fold(start, |[low, high], p| {
                    [std::array::from_fn(|a| p[a].min(low[a])), std::array::from_fn(|a| p[a].max(high[a]))]
                })
            }
        }
    }

    /// The point that the frame of a body of this shape has its origin in, m.
    #[must_use]
    pub fn middle(&self) -> [f64; 3] {
        match self {
            Self::Solid(shape) => shape.middle(),
            Self::Hull { .. } => {
                let [low, high] = self.bounds();
                std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]))
            }
        }
    }

    /// The same shape elsewhere.
    #[must_use]
    pub fn moved(self, way: [f64; 3]) -> Self {
        match self {
            Self::Solid(shape) => Self::Solid(shape.moved(way)),
            Self::Hull { points } => {
                let moved = |p: &[f64; 3]| std::array::from_fn(|axis| p[axis] + way[axis]);
                Self::Hull { points: points.iter().map(moved).collect() }
            }
        }
    }
}

/// How heavy a body is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mass {
    /// Density, kg/m³.
    Density(f64),
    /// Mass, kg.
    Mass(f64),
}

/// A line from a body to a fixed point. It pulls when it is longer than `length`, and never pushes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mooring {
    /// Where it is tied to the body, m in the body's frame.
    pub at: [f64; 3],
    /// Where it is tied to the world, m.
    pub anchor: [f64; 3],
    /// Length up to which it is slack, m.
    pub length: f64,
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping while it is taut, N s/m.
    pub damping: f64,
}

/// Axes of the world along which a body cannot move, or around which it cannot turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Locks {
    /// No motion along x, y, z.
    pub translation: [bool; 3],
    /// No turn around x, y, z.
    pub rotation: [bool; 3],
}

impl Locks {
    /// Whether the body can do nothing.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.translation.iter().chain(&self.rotation).all(|lock| *lock)
    }
}

/// How water acts on bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Coupling {
    /// By its pressure, solved together with the bodies.
    #[default]
    Pressure,
    /// By the weight of the water that is displaced, and drag.
    Buoyancy,
}
