//! Water as it is looked at: at places, as a height field, as a cut, on cubic cells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Shallow water in one cell, or the water over one column.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// Depth, m.
    pub depth: f64,
    /// Surface elevation, m.
    pub surface: f64,
    /// Velocity along x and z, m/s.
    pub velocity: [f64; 2],
    /// Bed elevation, m.
    pub bed: f64,
}

/// What the water did since the start, of every cell; index `i + nx * k`. NaN where the ground never was wet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Maps {
    /// Greatest depth, m.
    pub depth: Vec<f32>,
    /// Highest surface elevation, m.
    pub surface: Vec<f32>,
    /// Greatest speed, m/s.
    pub speed: Vec<f32>,
    /// Time at which the ground was wet for the first time, s; 0 where there was water at the start.
    pub arrival: Vec<f32>,
    /// Time at which the water stood highest, s.
    pub peak: Vec<f32>,
}

/// Water as a height field; index `i + nx * k`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaterSurface {
    /// Cells along x and z.
    pub size: [usize; 2],
    /// Size of a cell, m. Of water on a quadtree the finest cells, or a power of two as large: fields have about four
    /// million cells at most.
    pub cell: f64,
    /// World coordinates of the low corner, m.
    pub origin: [f64; 2],
    /// Bed elevation, m.
    pub bed: Vec<f32>,
    /// Depth, m. Of three-dimensional water all that is in the column, air between not counted.
    pub depth: Vec<f32>,
    /// Surface elevation, m; the bed's where it is dry. Of three-dimensional water the highest one.
    pub surface: Vec<f32>,
    /// Velocity along x and z, m/s. Of three-dimensional water that in the highest wet cell.
    pub velocity: [Vec<f32>; 2],
    /// Maps over time since the start, if the scene asks for them.
    pub maps: Option<Maps>,
}

/// A vertical cut along x. Cell `(i, y)` is at `i + nx * y`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaterSection {
    /// Cells along x and up.
    pub size: [usize; 2],
    /// Edge of a cell, m.
    pub cell: f64,
    /// World coordinates `[x, y]` of the low corner, m.
    pub origin: [f64; 2],
    /// Distance of the middles of cells to the surface of the water, m, negative in water.
    pub water: Vec<f32>,
    /// Distance of the middles of cells to the nearest obstacle, m, negative inside; infinite without obstacles.
    pub obstacles: Vec<f32>,
    /// Elevation of the ground per column, m.
    pub ground: Vec<f32>,
    /// Elevation at which the tall cell of a column ends, m; `None` where all cells are cubic.
    pub tall_tops: Vec<Option<f32>>,
}

/// Three-dimensional water on cubic cells, in a box that goes three cells beyond it. Cell `(i, j, k)` is at
/// `i + nx * (j + ny * k)`, y up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaterVolume {
    /// Cells along x, y, z.
    pub size: [usize; 3],
    /// Edge of a cell, m.
    pub cell: f64,
    /// World coordinates of the low corner, m.
    pub origin: [f64; 3],
    /// Distance of the middles of cells to the surface of the water, m, negative in water; exact only near it. Water
    /// ends at solids too.
    pub level_set: Vec<f32>,
    /// Velocity, m/s; 0 far from water.
    pub velocity: Vec<[f32; 3]>,
    /// Pressure, Pa; 0 in air, NaN in solids and before the first step.
    pub pressure: Vec<f32>,
    /// The level set of a surface that is finer than the simulation, where there is one.
    pub fine: Option<FineLevelSet>,
}

/// A level set on finer cells of the same box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FineLevelSet {
    /// Cells along x, y, z.
    pub size: [usize; 3],
    /// Edges of a cell along x, y, z, m.
    pub cell: [f64; 3],
    /// m.
    pub level_set: Vec<f32>,
}
