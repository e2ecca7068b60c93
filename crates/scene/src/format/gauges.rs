//! `[rain]`, `[[source]]`, `[[probe]]` and `[maps]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::SourceShape;

use super::boundary::Series;

/// `[rain]`: rain over the whole domain.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rain {
    /// Rate of rainfall, mm/h.
    #[schemars(extend("x-unit" = "mm/h"))]
    pub rate: Series,
}

/// `[[source]]`: a spring, or a drain where the rate is negative.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// A name for messages and statistics.
    #[serde(default)]
    pub name: Option<String>,
    /// Where the water enters.
    pub shape: SourceShape,
    /// Three-dimensional water: from which elevation to which the shape reaches, `[low, high]`, m. Water comes out of
    /// thin air there if it must.
    #[serde(default)]
    #[schemars(inner(range(min = -1e5, max = 1e5)), extend("x-unit" = "m"))]
    pub y: Option<[f64; 2]>,
    /// Three-dimensional water: direction `[x, y, z]` of a jet, of any length. All water leaves the shape that way, at the
    /// rate over the shape's cross-section. Default: to all sides.
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub direction: Option<[f64; 3]>,
    /// Water that enters, m³/s. Negative drains.
    #[schemars(extend("x-unit" = "m³/s"))]
    pub rate: Series,
}

/// `[[probe]]`: a gauge. Its name becomes a column of `probes.csv`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Probe {
    /// Elevation of the water surface at a point, m, straight between the middles of the wet cells around it; an empty field where the point is dry.
    Surface {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// Where, `[x, z]`, m.
        #[schemars(extend("x-unit" = "m"))]
        at: [f64; 2],
    },
    /// Depth of the water at a point, m, straight between the middles of the cells around it.
    Depth {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// Where, `[x, z]`, m.
        #[schemars(extend("x-unit" = "m"))]
        at: [f64; 2],
    },
    /// Velocity of the water at a point, m/s, straight between the middles of the wet cells around it; 0 where the point is dry. The column `name` is the
    /// speed, `name_x` and `name_z` are the parts.
    Velocity {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// Where, `[x, z]`, m.
        #[schemars(extend("x-unit" = "m"))]
        at: [f64; 2],
    },
    /// Water that crosses a line, m³/s. Positive from the left of the line to its right, seen from
    /// above with north up, looking from `from` to `to`.
    Discharge {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// One end `[x, z]`, m.
        #[schemars(extend("x-unit" = "m"))]
        from: [f64; 2],
        /// The other end `[x, z]`, m.
        #[schemars(extend("x-unit" = "m"))]
        to: [f64; 2],
    },
    /// Volume of water in a rectangle, m³.
    Volume {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// Low corner `[x, z]`, m. Default: the whole domain.
        #[serde(default)]
        #[schemars(extend("x-unit" = "m"))]
        min: Option<[f64; 2]>,
        /// High corner `[x, z]`, m. Default: the whole domain.
        #[serde(default)]
        #[schemars(extend("x-unit" = "m"))]
        max: Option<[f64; 2]>,
    },
    /// Wet area in a rectangle, m².
    WetArea {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// Low corner `[x, z]`, m. Default: the whole domain.
        #[serde(default)]
        #[schemars(extend("x-unit" = "m"))]
        min: Option<[f64; 2]>,
        /// High corner `[x, z]`, m. Default: the whole domain.
        #[serde(default)]
        #[schemars(extend("x-unit" = "m"))]
        max: Option<[f64; 2]>,
    },
    /// Run-up in a rectangle or a polygon: of the highest cell that has been wet so far the elevation of its ground, m, and in the column `name_level` the
    /// highest level of the water on it, m.
    Runup {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// Low corner `[x, z]`, m. Default: the whole domain.
        #[serde(default)]
        #[schemars(extend("x-unit" = "m"))]
        min: Option<[f64; 2]>,
        /// High corner `[x, z]`, m. Default: the whole domain.
        #[serde(default)]
        #[schemars(extend("x-unit" = "m"))]
        max: Option<[f64; 2]>,
        /// Corners `[x, z]` of a polygon in order, m, instead of a rectangle. Cells count whose middle is inside.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(length(min = 3, max = 10_000), extend("x-unit" = "m"))]
        polygon: Option<Vec<[f64; 2]>>,
        /// Depth from which a cell counts as wet, m.
        #[serde(default = "default_runup_depth")]
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 100.0, "x-unit" = "m"))]
        depth: f64,
    },
    /// Pressure at a point of three-dimensional water, Pa; 0 in air.
    Pressure {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// Where, `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        at: [f64; 3],
    },
    /// Force of three-dimensional water on an obstacle, N: the columns `name_x`, `name_y` and `name_z`.
    Force {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// The name of the obstacle.
        obstacle: String,
    },
    /// Place of a body's middle, of a mesh that of its origin, m: the columns `name_x`, `name_y` and `name_z`.
    BodyPosition {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// The name of the body.
        body: String,
    },
    /// Velocity of a body's centre of mass, m/s: the columns `name_x`, `name_y` and `name_z`.
    BodyVelocity {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// The name of the body.
        body: String,
    },
    /// Turn of a body as axis times angle, rad: the columns `name_x`, `name_y` and `name_z`.
    BodyRotation {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// The name of the body.
        body: String,
    },
    /// Force of the water on a body, N: the columns `name_x`, `name_y` and `name_z`.
    BodyForce {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// The name of the body.
        body: String,
    },
    /// How far the water reaches, m: the largest coordinate along an axis at which it is deeper than `depth`.
    Front {
        /// Unique name of letters, digits, `_` and `-`.
        name: String,
        /// The axis; with `-x` and `-z` the smallest coordinate.
        #[serde(default)]
        axis: FrontAxis,
        /// Depth from which a cell counts, m.
        #[serde(default = "default_runup_depth")]
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 100.0, "x-unit" = "m"))]
        depth: f64,
    },
}

/// The axis along which a front runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
pub enum FrontAxis {
    /// East.
    #[default]
    #[serde(rename = "x")]
    East,
    /// West.
    #[serde(rename = "-x")]
    West,
    /// North.
    #[serde(rename = "z")]
    North,
    /// South.
    #[serde(rename = "-z")]
    South,
}

/// `[maps]`: maps over time of shallow water on a uniform grid. For every cell they hold the greatest depth, the highest level, the greatest speed and the
/// times of the first wetting and of the highest level, as fields of pictures and exports. Without this table no maps are made; an empty table uses the
/// defaults.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Maps {
    /// Depth from which ground counts as wetted, m. Level and speed count while the water is deeper.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 100.0, "x-unit" = "m"))]
    pub wet: f64,
}

impl Default for Maps {
    fn default() -> Self {
        Self { wet: 0.01 }
    }
}

fn default_runup_depth() -> f64 {
    0.01
}
