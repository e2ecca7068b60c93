//! `[waves]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[waves]`: a sea of random waves under a steady wind. It drives sides of the kind `ocean`, ripples the simulated water in
/// rendered pictures, and goes on beyond the domain in them.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Waves {
    /// The law of the waves' energy: `"tma"` for wind over a fetch on water of a depth, `"jonswap"` for deep water, `"phillips"`
    /// without a fetch.
    #[serde(default)]
    pub(crate) spectrum: SpectrumName,
    /// Speed of the wind 10 m above the sea, m/s.
    #[serde(default = "ten")]
    #[schemars(range(min = 0.1, max = 100), extend("x-unit" = "m/s"))]
    pub(crate) wind: f64,
    /// Where the wind blows to, from x towards z, degrees.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "°"))]
    pub(crate) direction: f64,
    /// Length of the water that the wind has blown over, m.
    #[serde(default = "default_fetch")]
    #[schemars(range(min = 1, max = 1e7), extend("x-unit" = "m"))]
    pub(crate) fetch: f64,
    /// Depth of the sea, m. Default: from `water.level` down to the lowest ground; 1000 m without a level.
    #[serde(default)]
    #[schemars(range(min = 0.001, max = 20_000), extend("x-unit" = "m"))]
    pub(crate) depth: Option<f64>,
    /// Significant height of the waves, four times the standard deviation of the surface, m. Default: that of the law.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100), extend("x-unit" = "m"))]
    pub(crate) height: Option<f64>,
    /// How peaked the spectrum is; without effect on `"phillips"`.
    #[serde(default = "default_gamma")]
    #[schemars(range(min = 1, max = 20), extend("x-unit" = "1"))]
    pub(crate) gamma: f64,
    /// From 0 for wind waves that spread to 1 for swell that runs side by side.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1), extend("x-unit" = "1"))]
    pub(crate) swell: f64,
    /// How sharp crests are: 0 for round ones.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 1.3), extend("x-unit" = "1"))]
    pub(crate) choppiness: f64,
    /// Picks the waves.
    #[serde(default = "one_seed")]
    pub(crate) seed: u32,
    /// Side of the largest tile of waves, m. Default: four times the length of the strongest waves.
    #[serde(default)]
    #[schemars(range(min = 0.1, max = 1e6), extend("x-unit" = "m"))]
    pub(crate) size: Option<f64>,
    /// Points along a side of a tile: 64, 128, 256 or 512.
    #[serde(default = "default_resolution")]
    #[schemars(range(min = 64, max = 512), extend("x-unit" = "1"))]
    pub(crate) resolution: u32,
    /// Tiles of different sizes, each with waves of its own.
    #[serde(default = "default_cascades")]
    #[schemars(range(min = 1, max = 4), extend("x-unit" = "1"))]
    pub(crate) cascades: u32,
    /// Strength of waves that are too small for the cells on the simulated water in rendered pictures; 0 for none.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 2), extend("x-unit" = "1"))]
    pub(crate) texture: f64,
    /// Whether the sea goes on beyond the domain to the horizon in rendered pictures.
    #[serde(default)]
    pub(crate) far: bool,
    /// Crests are white where a small square of the surface is squeezed to less than this share of its area; 0 for hardly any foam.
    #[serde(default = "half")]
    #[schemars(range(min = 0, max = 1), extend("x-unit" = "1"))]
    pub(crate) foam: f64,
    /// Time after which all waves repeat, s; frequencies are rounded to whole waves in it.
    #[serde(default = "default_period")]
    #[schemars(range(min = 1, max = 86_400), extend("x-unit" = "s"))]
    pub(crate) period: f64,
}

/// A law of the waves' energy.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SpectrumName {
    /// Wind over a fetch, on water of a depth.
    #[default]
    Tma,
    /// Wind over a fetch, on deep water.
    Jonswap,
    /// Without a fetch.
    Phillips,
}

fn ten() -> f64 {
    10.0
}

fn one() -> f64 {
    1.0
}

fn half() -> f64 {
    0.5
}

fn one_seed() -> u32 {
    1
}

fn default_fetch() -> f64 {
    100e3
}

fn default_gamma() -> f64 {
    3.3
}

fn default_resolution() -> u32 {
    256
}

fn default_cascades() -> u32 {
    3
}

fn default_period() -> f64 {
    4096.0
}
