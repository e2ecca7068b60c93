//! `[waves]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::Spectrum;

/// `[waves]`: a sea of random waves under a steady wind. It drives sides of the kind `ocean`, ripples the simulated water in
/// rendered pictures, and goes on beyond the domain in them.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Waves {
    /// The law of the waves' energy: `"tma"` for wind over a fetch on water of a depth, `"jonswap"` for deep water, `"phillips"`
    /// without a fetch.
    #[serde(default)]
    pub spectrum: Spectrum,
    /// Speed of the wind 10 m above the sea, m/s.
    #[serde(default = "ten")]
    #[schemars(range(min = 0.1, max = 100), extend("x-unit" = "m/s"))]
    pub wind: f64,
    /// Where the wind blows to, from x towards z, degrees.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360), extend("x-unit" = "°"))]
    pub direction: f64,
    /// Length of the water that the wind has blown over, m.
    #[serde(default = "default_fetch")]
    #[schemars(range(min = 1, max = 1e7), extend("x-unit" = "m"))]
    pub fetch: f64,
    /// Depth of the sea, m. Default: from `water.level` down to the lowest ground; 1000 m without a level.
    #[serde(default)]
    #[schemars(range(min = 0.001, max = 20_000), extend("x-unit" = "m"))]
    pub depth: Option<f64>,
    /// Significant height of the waves, four times the standard deviation of the surface, m. Default: that of the law.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100), extend("x-unit" = "m"))]
    pub height: Option<f64>,
    /// How peaked the spectrum is; without effect on `"phillips"`.
    #[serde(default = "default_gamma")]
    #[schemars(range(min = 1, max = 20), extend("x-unit" = "1"))]
    pub gamma: f64,
    /// From 0 for wind waves that spread to 1 for swell that runs side by side.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1), extend("x-unit" = "1"))]
    pub swell: f64,
    /// How sharp crests are: 0 for round ones.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 1.3), extend("x-unit" = "1"))]
    pub choppiness: f64,
    /// Picks the waves.
    #[serde(default = "one_seed")]
    pub seed: u32,
    /// Side of the largest tile of waves, m. Default: four times the length of the strongest waves.
    #[serde(default)]
    #[schemars(range(min = 0.1, max = 1e6), extend("x-unit" = "m"))]
    pub size: Option<f64>,
    /// Points along a side of a tile: 64, 128, 256 or 512.
    #[serde(default = "default_resolution")]
    #[schemars(range(min = 64, max = 512), extend("x-unit" = "1"))]
    pub resolution: u32,
    /// Tiles of different sizes, each with waves of its own.
    #[serde(default = "default_cascades")]
    #[schemars(range(min = 1, max = 4), extend("x-unit" = "1"))]
    pub cascades: u32,
    /// Strength of waves that are too small for the cells on the simulated water in rendered pictures; 0 for none.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 2), extend("x-unit" = "1"))]
    pub texture: f64,
    /// Whether the sea goes on beyond the domain to the horizon in rendered pictures.
    #[serde(default)]
    pub far: bool,
    /// Crests are white where a small square of the surface is squeezed to less than this share of its area; 0 for hardly any foam.
    #[serde(default = "half")]
    #[schemars(range(min = 0, max = 1), extend("x-unit" = "1"))]
    pub foam: f64,
    /// Time after which all waves repeat, s; frequencies are rounded to whole waves in it.
    #[serde(default = "default_period")]
    #[schemars(range(min = 1, max = 86_400), extend("x-unit" = "s"))]
    pub period: f64,
}

impl Default for Waves {
    fn default() -> Self {
        Self {
            spectrum: Spectrum::default(),
            wind: ten(),
            direction: 0.0,
            fetch: default_fetch(),
            depth: None,
            height: None,
            gamma: default_gamma(),
            swell: 0.0,
            choppiness: one(),
            seed: one_seed(),
            size: None,
            resolution: default_resolution(),
            cascades: default_cascades(),
            texture: one(),
            far: false,
            foam: half(),
            period: default_period(),
        }
    }
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
