//! `[boundary]`, and the series in time that it and other sections use.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[boundary]`: what happens at the four sides.
///
/// Rivers come in through `inflow` with a `discharge` and leave through `level` (a tail water, a lake, a tide), `rating` (a weir, a gauged section) or `normal`
/// (a long channel that goes on). `open` holds a sea at rest, which swallows the flow of a river: it is for waves on still water. `outflow` lets all run out,
/// whatever its level, and keeps none. `inflow` with a `surface` brings in waves. Which throw waves back: `wall`, `inflow` with a `discharge`, `level` without
/// `absorb`, and in part `rating` and `normal`. Which let them out: `open`, `outflow`, `inflow` with a `surface`, `level` with `absorb`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Boundaries {
    /// The side of low x.
    #[serde(default)]
    pub west: Boundary,
    /// The side of high x.
    #[serde(default)]
    pub east: Boundary,
    /// The side of low z.
    #[serde(default)]
    pub south: Boundary,
    /// The side of high z.
    #[serde(default)]
    pub north: Boundary,
}

/// One side, by name or as a table.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Boundary {
    /// A kind that needs no settings.
    Name(BoundaryName),
    /// A kind with its settings.
    Table(Box<BoundaryTable>),
}

impl Default for Boundary {
    fn default() -> Self {
        Self::Name(BoundaryName::Wall)
    }
}

/// Kinds of side that need no settings.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BoundaryName {
    /// Reflects everything.
    Wall,
    /// Lets waves out and keeps the water level.
    Open,
    /// Lets water run out.
    Outflow,
    /// Brings in the waves of `[waves]`.
    Ocean,
}

/// Kinds of side with their settings.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum BoundaryTable {
    /// Reflects everything.
    Wall {},
    /// Lets waves out and keeps the water level.
    Open {
        /// Elevation of the still water outside, m. Default: the water at the start.
        #[serde(default)]
        #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
        level: Option<f64>,
        /// Thickness of the layer that absorbs waves, cells. Default 12, of three-dimensional water 16; less in a small
        /// domain. Waves up to three layers long are absorbed.
        #[serde(default)]
        #[schemars(range(min = 0, max = 128), extend("x-unit" = "cells"))]
        layer: Option<u32>,
    },
    /// Lets water run out.
    Outflow {},
    /// Holds the level of the surface at the side, and lets water out or in as that asks for: the tail water of a river, a lake, a tide. Water that shoots out
    /// faster than waves, and water that falls over a lower edge, does not feel it. Shallow water only.
    Level {
        /// Elevation of the surface at the side, m.
        #[schemars(extend("x-unit" = "m"))]
        level: Series,
        /// 0 holds the level strictly, which throws waves back. Otherwise a time, s, over which the level is held in the mean: waves with periods of up to
        /// a quarter of it leave, and less than 5 % of their height comes back.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e7), extend("x-unit" = "s"))]
        absorb: f64,
        /// The part `[a, b]` of the side that is open, by its world coordinate along the side, m; a wall elsewhere. Default: the whole side.
        #[serde(default)]
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        span: Option<[f64; 2]>,
    },
    /// Lets out what a rating curve says: the surface takes the level at which the discharge through the whole side is that of the curve. No water comes in.
    /// Shallow water only.
    Rating {
        /// Discharge by elevation of the surface.
        curve: RatingCurve,
        /// The part `[a, b]` of the side that is open, by its world coordinate along the side, m; a wall elsewhere. Default: the whole side.
        #[serde(default)]
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        span: Option<[f64; 2]>,
    },
    /// Lets water out at the depth of uniform flow, as if a wide channel of this slope went on: h^(5/3) √slope / n is the discharge per metre. No water comes
    /// in. Shallow water only.
    Normal {
        /// Fall of the channel beyond the side, m/m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1.0, "x-unit" = "m/m"))]
        slope: f64,
        /// Manning's n of the channel beyond, s·m^(-1/3). Default: `manning` of `[water.shallow]`.
        #[serde(default)]
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1.0, "x-unit" = "s·m^(-1/3)"))]
        manning: Option<f64>,
        /// The part `[a, b]` of the side that is open, by its world coordinate along the side, m; a wall elsewhere. Default: the whole side.
        #[serde(default)]
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        span: Option<[f64; 2]>,
    },
    /// Brings water in: a discharge, or waves by the elevation of the surface.
    Inflow {
        /// Water that enters through the side or its span, m³/s.
        #[serde(default)]
        #[schemars(extend("x-unit" = "m³/s"))]
        discharge: Option<Series>,
        /// Elevation of the surface at the side, m.
        #[serde(default)]
        #[schemars(extend("x-unit" = "m"))]
        surface: Option<Series>,
        /// The part `[a, b]` of the side that lets water in, by its world coordinate along the side, m.
        /// Default: the whole side.
        #[serde(default)]
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        span: Option<[f64; 2]>,
        /// Thickness of the layer that absorbs outgoing waves, cells. Default 0; of three-dimensional water, where the layer
        /// makes the waves, 32, less in a small domain.
        #[serde(default)]
        #[schemars(range(min = 0, max = 128), extend("x-unit" = "cells"))]
        layer: Option<u32>,
    },
    /// Makes regular waves of small amplitude that travel inwards, and lets others out. Three-dimensional water only.
    ///
    /// Water carries waves whose troughs stay above the ground: an amplitude of the depth at the side or more is an error. Waves that are higher, from trough
    /// to crest, than 0.78 of the depth h or than 0.142 L tanh(2π h/L), with their length L, break at once: a warning. The depth is that over the lowest
    /// ground along the side.
    Wave {
        /// Half the difference between crest and trough, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e3, "x-unit" = "m"))]
        amplitude: f64,
        /// Time from crest to crest, s.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e5, "x-unit" = "s"))]
        period: f64,
        /// Time over which the amplitude grows from 0, s. Default: one period.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e5), extend("x-unit" = "s"))]
        ramp: Option<f64>,
        /// Elevation of still water, m. Default: the water at the start.
        #[serde(default)]
        #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
        level: Option<f64>,
        /// Thickness of the layer that makes and absorbs waves, cells; a third of a wavelength or more. Default 32, less
        /// in a small domain.
        #[serde(default)]
        #[schemars(range(min = 1, max = 128), extend("x-unit" = "cells"))]
        layer: Option<u32>,
    },
    /// Brings in the waves of `[waves]` that are at least eight cells long, and lets others out. Three-dimensional water only.
    ///
    /// Half of their significant height must be less than the depth over the lowest ground along the side, or it is an error; waves higher than 0.78 of it
    /// break at once: a warning.
    Ocean {
        /// Elevation of still water, m. Default: the water at the start.
        #[serde(default)]
        #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
        level: Option<f64>,
        /// Time over which the waves grow from 0, s. Default: one period of the strongest waves.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e5), extend("x-unit" = "s"))]
        ramp: Option<f64>,
        /// Thickness of the layer that makes and absorbs waves, cells; a third of a wavelength or more. Default 32, less
        /// in a small domain.
        #[serde(default)]
        #[schemars(range(min = 1, max = 128), extend("x-unit" = "cells"))]
        layer: Option<u32>,
    },
}

/// Discharge by level: straight between its points; the first and the last piece go on beyond them, down to no discharge.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum RatingCurve {
    /// Columns of a CSV file.
    File {
        /// CSV file with a column of levels and one of discharges, relative to the scene file.
        file: String,
        /// Name of the column of levels (m). Default: the first column.
        #[serde(default)]
        level: Option<String>,
        /// Name of the column of discharges (m³/s). Default: the second column.
        #[serde(default)]
        discharge: Option<String>,
    },
    /// Points given in place.
    Points {
        /// Pairs `[level, discharge]`, m and m³/s, two or more; levels increase, discharges do not decrease.
        #[schemars(length(min = 2, max = 100_000))]
        points: Vec<[f64; 2]>,
    },
}

/// A value in time: a number, a CSV file, points, or a sine.
/// Linear between points; before the first and after the last the end values hold.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Series {
    /// The same value at all times.
    Constant(f64),
    /// A value that changes.
    Table(SeriesTable),
}

impl Default for Series {
    fn default() -> Self {
        Self::Constant(0.0)
    }
}

/// A value that changes in time.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum SeriesTable {
    /// Columns of a CSV file.
    File {
        /// CSV file with a time column and a value column, relative to the scene file.
        file: String,
        /// Name of the time column (s). Default: the first column.
        #[serde(default)]
        time: Option<String>,
        /// Name of the value column. Default: the second column.
        #[serde(default)]
        value: Option<String>,
        /// Factor on the values.
        #[serde(default = "super::terrain::one")]
        scale: f64,
        /// Added to the values after `scale`.
        #[serde(default)]
        offset: f64,
        /// Added to the times, s.
        #[serde(default)]
        #[schemars(extend("x-unit" = "s"))]
        shift: f64,
    },
    /// Points given in place.
    Points {
        /// Pairs `[time, value]` with times that increase, s.
        #[schemars(length(min = 1, max = 1_000_000))]
        points: Vec<[f64; 2]>,
    },
    /// A sine.
    Sine {
        /// `mean + amplitude · sin(2π t / period + phase)`, the amplitude growing over `ramp` seconds.
        sine: Sine,
    },
}

/// A sine in time.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sine {
    /// The middle value.
    #[serde(default)]
    pub mean: f64,
    /// Half the difference between crest and trough.
    pub amplitude: f64,
    /// Time from crest to crest, s.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub period: f64,
    /// Phase at time 0, radians.
    #[serde(default)]
    #[schemars(extend("x-unit" = "rad"))]
    pub phase: f64,
    /// Time over which the amplitude grows from 0, s.
    #[serde(default)]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub ramp: f64,
}
