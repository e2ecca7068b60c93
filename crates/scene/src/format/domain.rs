//! `[scene]` and `[domain]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[scene]`: name, duration and physical constants.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The scene's name, for titles and output folders.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// What the scene shows, in a sentence or two.
    #[serde(default)]
    pub description: String,
    /// Simulated time, s. More than 0.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e9, "x-unit" = "s"))]
    pub duration: f64,
    /// Time between rows of the statistics, s. The solver takes as many smaller steps as it needs.
    #[serde(default = "default_step")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e6, "x-unit" = "s"))]
    pub step: f64,
    /// Acceleration of gravity, m/s².
    #[serde(default = "default_gravity")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1000.0, "x-unit" = "m/s²"))]
    pub gravity: f64,
}

impl Default for Header {
    /// Without a name and a duration, which every scene must give.
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            duration: 0.0,
            step: default_step(),
            gravity: default_gravity(),
        }
    }
}

fn default_step() -> f64 {
    1.0 / 30.0
}

fn default_gravity() -> f64 {
    9.81
}

/// `[domain]`: the simulated box and its grid.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// Extent `[x, y, z]`, m. x and z must be multiples of `cell`; z equal to `cell` makes a
    /// two-dimensional domain one cell thick. y is counted from the lowest ground up: three-dimensional water must start
    /// below it, shallow water ignores it.
    #[schemars(with = "[PositiveMetres; 3]")]
    pub size: [f64; 3],
    /// Edge of a square cell, m.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e6, "x-unit" = "m"))]
    pub cell: f64,
    /// World coordinates `[x, z]` of the domain's low corner, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub origin: [f64; 2],
    /// Accept more than 400 million cells.
    #[serde(default)]
    pub allow_huge: bool,
}

// Stands for a length in the schema of a list, where an attribute cannot reach the entries.
/// A length, m.
#[derive(JsonSchema)]
#[schemars(inline, extend("exclusiveMinimum" = 0.0, "maximum" = 1e8, "x-unit" = "m"))]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct PositiveMetres(f64);
