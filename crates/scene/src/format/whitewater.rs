//! `[whitewater]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[whitewater]`: spray, mist and foam over three-dimensional water. There is none without this table; an empty one takes the defaults.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Whitewater {
    /// Most particles at a time. When all are in use no new ones are made.
    #[schemars(range(min = 1, max = 2_000_000))]
    pub(crate) capacity: u32,
    /// Depth below the surface from which drops may come.
    #[schemars(range(min = 0.01, max = 8), extend("x-unit" = "cells"))]
    pub(crate) generate: f64,
    /// How often drops are thrown off where water surely breaks, for each place on the surface. 0: only water that the level set loses makes drops.
    #[schemars(range(min = 0, max = 1000), extend("x-unit" = "1/s"))]
    pub(crate) breaking: f64,
    /// Change of the velocity from cell to cell at which water begins to break, in √(g Δx). At three times that it surely breaks.
    #[schemars(range(min = 0.01, max = 100))]
    pub(crate) breaks_at: f64,
    /// Drops that are made at a place where water leaves the surface.
    #[schemars(range(min = 1, max = 64))]
    pub(crate) per_trial: u32,
    /// Largest change of a new drop's velocity, as a share of its speed.
    #[schemars(range(min = 0, max = 10))]
    pub(crate) noise: f64,
    /// Drag of the air on spray.
    #[schemars(range(min = 0, max = 1000), extend("x-unit" = "1/s"))]
    pub(crate) spray_drag: f64,
    /// Longest time that a drop flies.
    #[schemars(range(min = 0.001, max = 1e6), extend("x-unit" = "s"))]
    pub(crate) spray_life: f64,
    /// Share of new drops that are mist.
    #[schemars(range(min = 0, max = 1))]
    pub(crate) mist_share: f64,
    /// Drag of the air on mist.
    #[schemars(range(min = 0, max = 1000), extend("x-unit" = "1/s"))]
    pub(crate) mist_drag: f64,
    /// Share of the drops that become foam where they fall into the water.
    #[schemars(range(min = 0, max = 1))]
    pub(crate) foam_share: f64,
    /// Mean time that a foam particle lives.
    #[schemars(range(min = 0.001, max = 1e6), extend("x-unit" = "s"))]
    pub(crate) foam_life: f64,
    /// Time in which white water fades to a third.
    #[schemars(range(min = 0.001, max = 1e6), extend("x-unit" = "s"))]
    pub(crate) foam_decay: f64,
    /// Share of a column's surface that a landing drop whitens.
    #[schemars(range(min = 0, max = 1))]
    pub(crate) foam_cover: f64,
    /// Mean radius of drops.
    #[schemars(range(min = 0.002, max = 0.3), extend("x-unit" = "cells"))]
    pub(crate) drop_radius: f64,
    /// Drops take their volume out of the water and bring it back.
    pub(crate) mass: bool,
    /// Of the random numbers.
    pub(crate) seed: u32,
}

impl Default for Whitewater {
    fn default() -> Self {
        Self {
            capacity: 200_000,
            generate: 1.0,
            breaking: 25.0,
            breaks_at: 0.4,
            per_trial: 10,
            noise: 0.25,
            spray_drag: 0.3,
            spray_life: 10.0,
            mist_share: 0.1,
            mist_drag: 3.0,
            foam_share: 0.2,
            foam_life: 3.0,
            foam_decay: 3.0,
            foam_cover: 0.003,
            drop_radius: 0.09,
            mass: false,
            seed: 0,
        }
    }
}
