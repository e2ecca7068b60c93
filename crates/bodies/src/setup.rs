//! What a world is made of.

use thalweg_model::{Body, Coupling, Motion, Obstacle};

use crate::error::BodyError;

/// What is wrong with the numbers of a body, other than shape and mass.
pub(crate) fn check_body(body: &Body) -> Result<(), BodyError> {
    let finite = |what: &'static str, values: &[f64]| {
        if values.iter().all(|v| v.is_finite()) { Ok(()) } else { Err(BodyError::NotFinite { what }) }
    };
    let within = |what: &'static str, value: f64, most: f64| {
        if (0.0..=most).contains(&value) { Ok(()) } else { Err(BodyError::Coefficient { what, value, most }) }
    };
    if !body.pose.is_good() {
        return Err(BodyError::Pose);
    }
    finite("velocity", &body.velocity)?;
    finite("rate of turn", &body.spin)?;
    finite("centre of mass", &body.center_of_mass.unwrap_or_default())?;
    within("friction", body.friction, 10.0)?;
    within("restitution", body.restitution, 1.0)?;
    within("drag coefficient", body.drag, 1e3)?;
    for mooring in &body.moorings {
        finite("point of a mooring", &mooring.at)?;
        finite("anchor of a mooring", &mooring.anchor)?;
        within("length of a mooring", mooring.length, 1e6)?;
        within("stiffness of a mooring", mooring.stiffness, 1e12)?;
        within("damping of a mooring", mooring.damping, 1e12)?;
    }
    if body.motion.as_ref().is_none_or(Motion::is_good) { Ok(()) } else { Err(BodyError::Path) }
}

/// Elevations of the ground, one in the middle of every column.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundHeights {
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
    pub ground: Option<GroundHeights>,
    /// Sides and floor.
    pub walls: Walls,
    /// Solids.
    pub obstacles: Vec<Obstacle>,
    /// Bodies.
    pub bodies: Vec<Body>,
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
