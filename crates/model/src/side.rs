//! What happens at the sides of a domain.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::series::Series;

/// The four sides of the domain.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sides {
    /// The side of low x.
    pub west: Side,
    /// The side of high x.
    pub east: Side,
    /// The side of low z.
    pub south: Side,
    /// The side of high z.
    pub north: Side,
}

impl Sides {
    /// West, east, south, north.
    #[must_use]
    pub fn all(&self) -> [&Side; 4] {
        [&self.west, &self.east, &self.south, &self.north]
    }
}

impl From<[Side; 4]> for Sides {
    /// From west, east, south, north.
    fn from([west, east, south, north]: [Side; 4]) -> Self {
        Self { west, east, south, north }
    }
}

/// What happens at one side.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Side {
    /// Reflects everything.
    #[default]
    Wall,
    /// Lets waves out and keeps the water level.
    Open {
        /// Elevation of the still water outside, m; `None`: the water at the start.
        level: Option<f64>,
        /// Thickness of the layer that absorbs waves, cells.
        layer: u32,
    },
    /// Lets water run out.
    Outflow,
    /// Holds a level.
    Level {
        /// Elevation of the surface, m.
        level: Series,
        /// Time over which the level is held in the mean, so that waves leave, s; 0: strictly.
        absorb: f64,
        /// The part `[a, b]` of the side, by the world coordinate along it, m; `None`: all of it.
        span: Option<[f64; 2]>,
    },
    /// Lets out what a rating curve says.
    Rating {
        /// Elevation of the surface (m) and discharge (m³/s); the first increases, the second does not decrease.
        curve: Vec<[f64; 2]>,
        /// The part `[a, b]` of the side, by the world coordinate along it, m; `None`: all of it.
        span: Option<[f64; 2]>,
    },
    /// Lets water out at the depth of uniform flow.
    Normal {
        /// Fall of the channel beyond, m/m.
        slope: f64,
        /// Its Manning's n, s·m^(-1/3).
        manning: f64,
        /// The part `[a, b]` of the side, by the world coordinate along it, m; `None`: all of it.
        span: Option<[f64; 2]>,
    },
    /// Brings water in.
    Inflow {
        /// What is prescribed.
        kind: Inflow,
        /// The part `[a, b]` of the side, by the world coordinate along it, m; `None`: all of it.
        span: Option<[f64; 2]>,
        /// Thickness of the layer that absorbs outgoing waves, cells.
        layer: u32,
    },
    /// Makes regular waves in three-dimensional water.
    Wave {
        /// Half the difference between crest and trough, m.
        amplitude: f64,
        /// Time from crest to crest, s.
        period: f64,
        /// Time over which the amplitude grows from 0, s.
        ramp: f64,
        /// Elevation of still water, m; `None`: the water at the start.
        level: Option<f64>,
        /// Thickness of the layer that makes and absorbs waves, cells.
        layer: u32,
    },
    /// Brings the waves of the scene's sea into three-dimensional water.
    Ocean {
        /// Elevation of still water, m; `None`: the water at the start.
        level: Option<f64>,
        /// Time over which the waves grow from 0, s; `None`: one period of the strongest.
        ramp: Option<f64>,
        /// Thickness of the layer that makes and absorbs waves, cells.
        layer: u32,
    },
}

/// What is prescribed at a side where water comes in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Inflow {
    /// Water that enters through the side or its span, m³/s.
    Discharge(Series),
    /// Elevation of the surface, m.
    Surface(Series),
}
