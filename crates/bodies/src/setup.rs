//! What a world is made of.

use serde::{Deserialize, Serialize};
use thalweg_model::{Motion, Pose};

use crate::error::BodyError;
use crate::shape::Shape;

/// A body at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySetup {
    /// Unique among bodies.
    pub name: String,
    /// Its shape, in its own frame.
    pub shape: Shape,
    /// How heavy it is. Default: 500 kg/m³.
    pub mass: Mass,
    /// Centre of mass in its own frame, m. Default: that of a body that is the same throughout.
    pub centre_of_mass: Option<[f64; 3]>,
    /// Moments of inertia about the centre of mass along the axes of its frame, kg m². Default: those of a body that is
    /// the same throughout.
    pub inertia: Option<[f64; 3]>,
    /// Where it is.
    pub pose: Pose,
    /// Velocity of its centre of mass, m/s.
    pub velocity: [f64; 3],
    /// Rates of turn around the world's axes, rad/s.
    pub rates: [f64; 3],
    /// Coefficient of friction. Default 0.5.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1. Default 0.1.
    pub restitution: f64,
    /// Drag coefficient `C_d`. Default 0.1.
    pub drag: f64,
    /// A given motion; the body then yields to nothing.
    pub path: Option<Motion>,
    /// Lines that hold it.
    pub moorings: Vec<Mooring>,
    /// What it cannot do.
    pub locks: Locks,
}

impl BodySetup {
    /// A body of half the density of water, at rest at the origin.
    pub fn new(name: impl Into<String>, shape: Shape) -> Self {
        Self {
            name: name.into(),
            shape,
            mass: Mass::Density(500.0),
            centre_of_mass: None,
            inertia: None,
            pose: Pose::default(),
            velocity: [0.0; 3],
            rates: [0.0; 3],
            friction: 0.5,
            restitution: 0.1,
            drag: 0.1,
            path: None,
            moorings: Vec::new(),
            locks: Locks::default(),
        }
    }

    /// The same at another place, m.
    #[must_use]
    pub fn at(self, position: [f64; 3]) -> Self {
        Self { pose: Pose { position, ..self.pose }, ..self }
    }

    /// What is wrong with its numbers, other than shape and mass.
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let finite = |what: &'static str, values: &[f64]| {
            if values.iter().all(|v| v.is_finite()) { Ok(()) } else { Err(BodyError::NotFinite { what }) }
        };
        let within = |what: &'static str, value: f64, most: f64| {
            if (0.0..=most).contains(&value) { Ok(()) } else { Err(BodyError::Coefficient { what, value, most }) }
        };
        if !self.pose.is_good() {
            return Err(BodyError::Pose);
        }
        finite("velocity", &self.velocity)?;
        finite("rate of turn", &self.rates)?;
        finite("centre of mass", &self.centre_of_mass.unwrap_or_default())?;
        within("friction", self.friction, 10.0)?;
        within("restitution", self.restitution, 1.0)?;
        within("drag coefficient", self.drag, 1e3)?;
        for mooring in &self.moorings {
            finite("point of a mooring", &mooring.at)?;
            finite("anchor of a mooring", &mooring.anchor)?;
            within("length of a mooring", mooring.length, 1e6)?;
            within("stiffness of a mooring", mooring.stiffness, 1e12)?;
            within("damping of a mooring", mooring.damping, 1e12)?;
        }
        if self.path.as_ref().is_none_or(Motion::is_good) { Ok(()) } else { Err(BodyError::Path) }
    }
}

/// How heavy a body is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mass {
    /// Density, kg/m³.
    Density(f64),
    /// Mass, kg.
    Mass(f64),
}

/// A line from a body to a fixed point. It pulls when it is longer than `length`, and never pushes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Locks {
    /// No motion along x, y, z.
    pub translation: [bool; 3],
    /// No turn around x, y, z.
    pub rotation: [bool; 3],
}

/// How water acts on bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Coupling {
    /// By the pressure, with bodies as a part of its solve; drag is quadratic and stands for what pressure leaves out.
    #[default]
    Pressure,
    /// By Archimedes' force and linear drag, as \[000\] does; the water sees bodies of given velocity.
    Buoyancy,
}

/// Elevations of the ground, one in the middle of every column.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    /// Columns along x.
    pub nx: usize,
    /// Columns along z.
    pub nz: usize,
    /// Edge of a column, m.
    pub cell: f64,
    /// World coordinates `[x, z]` of the low corner, m.
    pub origin: [f64; 2],
    /// Elevations, m; x is fastest.
    pub heights: Vec<f32>,
}

/// Sides of the domain and its floor, at their coordinates, m. `None` is open.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Walls {
    /// The side of low x.
    pub west: Option<f64>,
    /// The side of high x.
    pub east: Option<f64>,
    /// The side of low z.
    pub south: Option<f64>,
    /// The side of high z.
    pub north: Option<f64>,
    /// Elevation of the floor.
    pub floor: Option<f64>,
}

/// A solid that yields to nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct ObstacleSetup {
    /// Its shape, in its own frame.
    pub shape: Shape,
    /// Where it is at the start.
    pub pose: Pose,
    /// How it moves.
    pub path: Option<Motion>,
}

/// A world at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldSetup {
    /// Acceleration of gravity, m/s², downwards. Default 9.81.
    pub gravity: f64,
    /// Density of the water, kg/m³. Default 1000.
    pub water_density: f64,
    /// How water acts on bodies.
    pub coupling: Coupling,
    /// The point that contacts are counted from, m: bodies should be near it, for contacts have seven digits.
    pub origin: [f64; 3],
    /// The ground.
    pub ground: Option<Ground>,
    /// Sides and floor.
    pub walls: Walls,
    /// Solids.
    pub obstacles: Vec<ObstacleSetup>,
    /// Bodies.
    pub bodies: Vec<BodySetup>,
}

impl Default for WorldSetup {
    fn default() -> Self {
        Self {
            gravity: 9.81,
            water_density: 1000.0,
            coupling: Coupling::default(),
            origin: [0.0; 3],
            ground: None,
            walls: Walls::default(),
            obstacles: Vec::new(),
            bodies: Vec::new(),
        }
    }
}
