//! `[water.quadtree]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::{FineRegion, Measure};

/// `[water.quadtree]`: where cells of the solver `"quadtree"` are fine. The finest have the size `cell` of `[domain]`;
/// every level above has cells twice as large. Settings of the scheme itself are in `[water.shallow]`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quadtree {
    /// What moves the water.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scheme: TreeSchemeName,
    /// Viscosity of the velocities with `"kernel-advection"`, m²/s. Default: 0.001.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e4), extend("x-unit" = "m²/s"))]
    pub viscosity: Option<f64>,
    /// Friction with `"kernel-advection"`: water of depth d and speed v slows down by k v²/d, k without a unit. It
    /// suppresses thin flows. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e3))]
    pub friction: Option<f64>,
    /// Sizes of cells. Default: as many as make the largest tile, 16 cells wide, a quarter of the domain's shorter
    /// side, at most 8.
    #[serde(default)]
    #[schemars(range(min = 1, max = 16))]
    pub levels: Option<u32>,
    /// Most cells at a time; it sets the memory. Where the water asks for more, the tolerances grow.
    #[serde(default = "default_budget")]
    #[schemars(range(min = 256, max = 1_000_000_000), extend("x-unit" = "cells"))]
    pub budget: u32,
    /// What of the water asks for small cells.
    #[serde(default, skip_serializing_if = "is_default")]
    pub measure: Measure,
    /// Largest bend (or step, see `measure`) of the surface, m.
    #[serde(default = "default_surface")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e5, "x-unit" = "m"))]
    pub surface: f64,
    /// Largest bend (or step) of the velocity, m/s.
    #[serde(default = "default_speed")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e4, "x-unit" = "m/s"))]
    pub speed: f64,
    /// Cells at the edge of the water are the finest, as long as the budget has them.
    #[serde(default = "super::output::yes")]
    pub fronts: bool,
    /// Time steps of the finest cells between two looks at the tree. 0 leaves it as it is at the start.
    #[serde(default = "default_interval")]
    #[schemars(range(min = 0, max = 100_000))]
    pub interval: u32,
    /// Water slower than this, among such water, sleeps and costs nothing until a neighbour wakes it, m/s. 0 lets only
    /// water at rest sleep.
    #[serde(default = "default_still")]
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "m/s"))]
    pub still: f64,
    /// Large cells take longer time steps than small ones.
    #[serde(default = "super::output::yes")]
    pub subcycling: bool,
    /// Somebody who looks at the water: cells farther away may be larger.
    #[serde(default)]
    pub observer: Option<Observer>,
    /// Rectangles whose cells are never larger than a size.
    #[serde(default)]
    pub region: Vec<FineRegion>,
}

impl Default for Quadtree {
    fn default() -> Self {
        Self {
            scheme: TreeSchemeName::default(),
            viscosity: None,
            friction: None,
            levels: None,
            budget: default_budget(),
            measure: Measure::default(),
            surface: default_surface(),
            speed: default_speed(),
            fronts: true,
            interval: default_interval(),
            still: default_still(),
            subcycling: true,
            observer: None,
            region: Vec::new(),
        }
    }
}

/// What moves the water on a quadtree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreeSchemeName {
    /// Well-balanced positive finite volumes.
    #[default]
    FiniteVolumes,
    /// Semi-Lagrangian advection by kernel windows, which keeps the volume to the last unit. To be compared with.
    KernelAdvection,
}

/// Scenes that do not name it keep the digest that they had before it was there.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Somebody who looks at the water.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Observer {
    /// Where, `[x, z]`, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub at: Option<[f64; 2]>,
    /// Instead of `at`, a way: points `[t, x, z]`, s and m. Straight between them, at rest before the first and after
    /// the last.
    #[serde(default)]
    #[schemars(length(min = 1, max = 10_000), inner(inner(range(min = -1e8, max = 1e8))))]
    pub path: Option<Vec<[f64; 3]>>,
    /// Distance up to which cells are as fine as the water asks for, m. Twice as far away they are at least twice as
    /// large.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e8, "x-unit" = "m"))]
    pub near: f64,
}

fn default_budget() -> u32 {
    1_000_000
}

fn default_surface() -> f64 {
    0.02
}

fn default_speed() -> f64 {
    0.2
}

fn default_interval() -> u32 {
    8
}

fn default_still() -> f64 {
    1e-4
}
