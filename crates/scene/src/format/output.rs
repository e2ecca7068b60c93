//! `[render]` and `[output]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[render]`: what the pictures show.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Render {
    /// One picture each per frame.
    #[serde(default = "default_fields")]
    #[schemars(length(max = 8))]
    pub(crate) fields: Vec<FieldName>,
    /// Width of the pictures, pixels.
    #[serde(default = "default_width")]
    #[schemars(range(min = 64, max = 8192), extend("x-unit" = "pixels"))]
    pub(crate) width: u32,
    /// Values at the two ends of the colour scale. Default: fitted to the run.
    #[serde(default)]
    pub(crate) range: Ranges,
}

impl Default for Render {
    fn default() -> Self {
        Self { fields: default_fields(), width: default_width(), range: Ranges::default() }
    }
}

fn default_fields() -> Vec<FieldName> {
    vec![FieldName::Depth, FieldName::Speed, FieldName::Surface]
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

fn yes() -> bool {
    true
}

fn default_checkpoint() -> f64 {
    60.0
}
