//! `[render]` and `[output]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[render]`: what the pictures show.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Render {
    /// One picture each per frame. Default: depth, speed and surface for shallow water, side and surface for
    /// three-dimensional water.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub(crate) fields: Option<Vec<FieldName>>,
    /// Width of the pictures, pixels.
    #[serde(default = "default_width")]
    #[schemars(range(min = 64, max = 8192), extend("x-unit" = "pixels"))]
    pub(crate) width: u32,
    /// Values at the two ends of the colour scale. Default: fitted to the run.
    #[serde(default)]
    pub(crate) range: Ranges,
    /// z of the vertical cut that the field `side` shows, m. Default: the middle of the domain.
    #[serde(default)]
    #[schemars(range(min = -1e8, max = 1e8), extend("x-unit" = "m"))]
    pub(crate) slice_z: Option<f64>,
}

impl Default for Render {
    fn default() -> Self {
        Self { fields: None, width: default_width(), range: Ranges::default(), slice_z: None }
    }
}

fn default_width() -> u32 {
    960
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FieldName {
    /// Depth of the water, m.
    Depth,
    /// Speed of the water, m/s.
    Speed,
    /// Elevation of the water surface, m.
    Surface,
    /// A vertical cut through three-dimensional water.
    Side,
}

/// Ends of the colour scale per field.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ranges {
    /// Depths `[low, high]`, m.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub(crate) depth: Option<[f64; 2]>,
    /// Speeds `[low, high]`, m/s.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m/s"))]
    pub(crate) speed: Option<[f64; 2]>,
    /// Elevations `[low, high]`, m.
    #[serde(default)]
    #[schemars(extend("x-unit" = "m"))]
    pub(crate) surface: Option<[f64; 2]>,
}

/// `[output]`: what is written, and how often.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Output {
    /// Simulated time between frames, s. Default: a sixtieth of the duration.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub(crate) every: Option<f64>,
    /// Write the frames as pictures.
    #[serde(default = "yes")]
    pub(crate) frames: bool,
    /// Write an animation of the frames.
    #[serde(default = "yes")]
    pub(crate) animation: bool,
    /// Wall-clock time between checkpoints, s.
    #[serde(default = "default_checkpoint")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "s"))]
    pub(crate) checkpoint_every: f64,
}

impl Default for Output {
    fn default() -> Self {
        Self { every: None, frames: true, animation: true, checkpoint_every: default_checkpoint() }
    }
}

pub(super) fn yes() -> bool {
    true
}

fn default_checkpoint() -> f64 {
    60.0
}
