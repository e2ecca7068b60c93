//! `[water]`, `[water.shallow]` and `[water.tall]`; `[water.quadtree]` has a file of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::{Discretisation, Limiter};

use super::domain::PositiveMetres;
use super::quadtree::Quadtree;
use super::terrain::Nodata;
use crate::water::{Scheme, WaterBox};

/// `[water]`: the method that moves the water, and the water at the start.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// The method. `"shallow"`: shallow-water equations on a uniform grid. `"quadtree"`: the same on cells that are fine where the
    /// water moves. `"tall-cells"`: three-dimensional water, one tall cell below and cubic cells near the surface in every column.
    /// `"uniform"`: the same with cubic cells only.
    #[serde(default = "default_solver")]
    pub solver: String,
    /// Elevation of still water, m: every cell whose bed is lower starts wet up to it.
    #[serde(default)]
    #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
    pub level: Option<f64>,
    /// Boxes of water at the start. Where several overlap, the highest surface counts. Three-dimensional water may
    /// start in the air.
    #[serde(default)]
    pub boxes: Vec<WaterBox>,
    /// Water surface or depth at the start, from a file.
    #[serde(default)]
    pub surface: Option<SurfaceFile>,
    /// Velocity `[ux, uz]` of all water at the start, m/s.
    #[serde(default)]
    #[schemars(inner(range(min = -1000.0, max = 1000.0)), extend("x-unit" = "m/s"))]
    pub velocity: [f64; 2],
    /// Settings of the shallow-water solvers, `"shallow"` and `"quadtree"`.
    #[serde(default)]
    pub shallow: Option<Shallow>,
    /// Where cells of the solver `"quadtree"` are fine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quadtree: Option<Quadtree>,
    /// Settings of the solvers of three-dimensional water.
    #[serde(default)]
    pub tall: Option<Tall>,
}

impl Default for Water {
    fn default() -> Self {
        Self {
            solver: default_solver(),
            level: None,
            boxes: Vec::new(),
            surface: None,
            velocity: [0.0; 2],
            shallow: None,
            quadtree: None,
            tall: None,
        }
    }
}

fn default_solver() -> String {
    "shallow".to_owned()
}

/// Water at the start, from a height map. Placed like a terrain file.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurfaceFile {
    /// PNG, TIFF/GeoTIFF, ESRI ASCII (`.asc`), CSV or XYZ file, relative to the scene file.
    pub file: String,
    /// What the values are: elevation of the surface, or depth of the water, m.
    #[serde(default)]
    pub kind: SurfaceKind,
    /// PNG only: the values `[lo, hi]` that black and white stand for, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e5, max = 1e5)), extend("x-unit" = "m"))]
    pub height: Option<[f64; 2]>,
    /// Factor on the file's values.
    #[serde(default = "super::terrain::one")]
    #[schemars(range(min = -1e6, max = 1e6))]
    pub scale: f64,
    /// Added to the file's values after `scale`, m.
    #[serde(default)]
    #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
    pub offset: f64,
    /// World coordinates `[x, z]` of the file's low corner, m. Default: the domain's low corner.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub origin: Option<[f64; 2]>,
    /// Extent `[x, z]` over which the file is stretched, m. Default: its own spacing where it has
    /// one, the whole domain otherwise.
    #[serde(default)]
    #[schemars(with = "Option<[PositiveMetres; 2]>")]
    pub size: Option<[f64; 2]>,
    /// What to do where the file has no data: `"error"`, or the value to use, m.
    #[serde(default)]
    pub nodata: Nodata,
}

impl Default for SurfaceFile {
    fn default() -> Self {
        Self {
            file: String::new(),
            kind: SurfaceKind::default(),
            height: None,
            scale: super::terrain::one(),
            offset: 0.0,
            origin: None,
            size: None,
            nodata: Nodata::default(),
        }
    }
}

/// What the values of a water file are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SurfaceKind {
    /// Elevation of the water surface.
    #[default]
    Surface,
    /// Depth of the water.
    Depth,
}

/// `[water.shallow]`: settings of the shallow-water solvers.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shallow {
    /// The method that moves water between cells.
    #[serde(default)]
    pub scheme: Scheme,
    /// Order of accuracy in space and time: 1 or 2.
    #[serde(default = "default_order")]
    #[schemars(range(min = 1, max = 2))]
    pub order: u32,
    /// Slope limiter of the second-order scheme.
    #[serde(default)]
    pub limiter: Limiter,
    /// Courant number that sets the automatic time step. Smaller is steadier and slower.
    #[serde(default = "default_cfl")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 0.45))]
    pub cfl: f64,
    /// Manning's roughness of the bed, s/m^(1/3). Rivers: 0.025 to 0.15.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 0.5), extend("x-unit" = "s/m^(1/3)"))]
    pub manning: f64,
    /// Depth below which a cell counts as dry, m. Default: chosen by the solver.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1.0, "x-unit" = "m"))]
    pub dry_depth: Option<f64>,
    /// Elevation that the solver subtracts from the bed to keep single precision accurate, m, or
    /// `"auto"`.
    #[serde(default)]
    pub datum: Datum,
}

impl Default for Shallow {
    fn default() -> Self {
        Self {
            scheme: Scheme::default(),
            order: default_order(),
            limiter: Limiter::default(),
            cfl: default_cfl(),
            manning: 0.0,
            dry_depth: None,
            datum: Datum::default(),
        }
    }
}

fn default_order() -> u32 {
    2
}

fn default_cfl() -> f64 {
    0.45
}

/// `[water.tall]`: settings of the solvers of three-dimensional water, `"tall-cells"` and `"uniform"`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tall {
    /// Cubic cells of a column. Default for `"tall-cells"`: the heights between the lowest and the highest water surface, obstacle
    /// or body at the start, with `below` and `above`, at least 32; water that spreads further needs more. Columns get more where
    /// bodies and obstacles that move would meet tall cells. Default for `"uniform"`: the height of the domain.
    #[serde(default)]
    #[schemars(range(min = 1, max = 4096), extend("x-unit" = "cells"))]
    pub regular_cells: Option<u32>,
    /// Cubic cells that lie below the surface at least. 8 keeps the frequency of waves within 5 %, 16 within 2 %.
    #[serde(default = "default_margin")]
    #[schemars(range(min = 1, max = 1024), extend("x-unit" = "cells"))]
    pub below: u32,
    /// Cubic cells that lie above the surface at least.
    #[serde(default = "default_margin")]
    #[schemars(range(min = 1, max = 1024), extend("x-unit" = "cells"))]
    pub above: u32,
    /// Most that the tall cells of neighbouring columns differ in height.
    #[serde(default = "default_tall_step")]
    #[schemars(range(min = 1, max = 1024), extend("x-unit" = "cells"))]
    pub step: u32,
    /// Most cells that water crosses in a time step. Smaller is more accurate and slower.
    #[serde(default = "default_max_cfl")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 10.0), extend("x-unit" = "cells"))]
    pub max_cfl: f64,
    /// Take every `step` of the scene as one time step, however far water goes in it. Sub-steps keep splashes whole.
    #[serde(default)]
    pub single_step: bool,
    /// Put drift of the volume right.
    #[serde(default = "super::output::yes")]
    pub hold_volume: bool,
    /// Time steps between reinitialisations of the level set.
    #[serde(default = "default_reinitialise_every")]
    #[schemars(range(min = 1, max = 1000))]
    pub reinitialise_every: u32,
    /// Cells of the surface along an edge of a cell of the simulation. 2 tracks the surface on a grid twice as fine: thin sheets
    /// and drops live longer, a time step takes two to three times as long.
    #[serde(default = "default_surface")]
    #[schemars(range(min = 1, max = 2))]
    pub surface: u32,
    /// Read the level set by cubics near the surface: drops, sheets and waves live longer. What splashes lose when they fall
    /// back into the water is then more, until `hold_volume` has put it right.
    #[serde(default)]
    pub cubic_surface: bool,
    /// Put particles into sheets thinner than the grid can carry, which thicken them: fewer are lost in long time steps. What it adds `hold_volume`
    /// takes away again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub thickening: bool,
    /// Where velocities live and how tall cells meet the pressure. `"collocated"` is the published method, to compare with: no sources,
    /// all sides walls.
    #[serde(default)]
    pub discretisation: Discretisation,
    /// Residual at which the pressure solve ends, as a share of the largest right-hand side.
    #[serde(default = "default_pressure_tolerance")]
    #[schemars(range(min = 1e-7, max = 0.1))]
    pub pressure_tolerance: f64,
    /// Most iterations of the pressure solve.
    #[serde(default = "default_pressure_iterations")]
    #[schemars(range(min = 1, max = 1000))]
    pub pressure_iterations: u32,
}

impl Default for Tall {
    fn default() -> Self {
        Self {
            regular_cells: None,
            below: default_margin(),
            above: default_margin(),
            step: default_tall_step(),
            max_cfl: default_max_cfl(),
            single_step: false,
            hold_volume: true,
            reinitialise_every: default_reinitialise_every(),
            surface: default_surface(),
            cubic_surface: false,
            thickening: false,
            discretisation: Discretisation::default(),
            pressure_tolerance: default_pressure_tolerance(),
            pressure_iterations: default_pressure_iterations(),
        }
    }
}

fn default_margin() -> u32 {
    8
}

fn default_tall_step() -> u32 {
    4
}

fn default_max_cfl() -> f64 {
    4.0
}

fn default_reinitialise_every() -> u32 {
    1
}

fn default_surface() -> u32 {
    1
}

fn default_pressure_tolerance() -> f64 {
    1e-4
}

fn default_pressure_iterations() -> u32 {
    12
}

/// Elevation subtracted from the bed.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Datum {
    /// Chosen by the solver.
    Name(DatumName),
    /// An elevation, m.
    Elevation(#[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))] f64),
}

/// The names that a datum may have.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DatumName {
    /// Chosen by the solver.
    Auto,
}

impl Default for Datum {
    fn default() -> Self {
        Self::Name(DatumName::Auto)
    }
}
