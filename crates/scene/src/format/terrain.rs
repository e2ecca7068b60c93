//! `[terrain]`: a height map, analytic shapes, or shapes on top of a height map.

use super::domain::PositiveMetres;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[terrain]`: the ground. Starts from the file, or from elevation 0 m, and applies the shapes in order.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Terrain {
    /// PNG (8 or 16 bit grey), TIFF/GeoTIFF, ESRI ASCII (`.asc`), CSV or XYZ file, relative to the
    /// scene file. The picture's top row is north (high z).
    #[serde(default)]
    pub file: Option<String>,
    /// Shapes, applied in order.
    #[serde(default)]
    pub shapes: Vec<Shape>,
    /// PNG only: the elevations `[lo, hi]` that black and white stand for, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e5, max = 1e5)), extend("x-unit" = "m"))]
    pub height: Option<[f64; 2]>,
    /// Factor on the file's values.
    #[serde(default = "one")]
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
    /// one (ESRI, GeoTIFF, XYZ), the whole domain otherwise.
    #[serde(default)]
    #[schemars(with = "Option<[PositiveMetres; 2]>")]
    pub size: Option<[f64; 2]>,
    /// What to do where the file has no data: `"error"`, or the elevation to use, m.
    #[serde(default)]
    pub nodata: Nodata,
    /// The file is read block by block while the water runs, never whole: a TIFF/GeoTIFF, a folder with a `tiles.toml`, or such an index. For the solver
    /// `"quadtree"`, without shapes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
    /// With `stream`: most memory for decoded blocks, MiB. Default: 256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_048_576), extend("x-unit" = "MiB"))]
    pub memory: Option<u32>,
}

impl Default for Terrain {
    fn default() -> Self {
        Self {
            file: None,
            shapes: Vec::new(),
            height: None,
            scale: one(),
            offset: 0.0,
            origin: None,
            size: None,
            nodata: Nodata::default(),
            stream: false,
            memory: None,
        }
    }
}

pub(crate) fn one() -> f64 {
    1.0
}

/// The keys that a terrain file and a water file share, borrowed from either.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HeightFile<'a> {
    pub(crate) file: &'a str,
    pub(crate) height: Option<[f64; 2]>,
    pub(crate) scale: f64,
    pub(crate) offset: f64,
    pub(crate) origin: Option<[f64; 2]>,
    pub(crate) size: Option<[f64; 2]>,
    pub(crate) nodata: &'a Nodata,
}

/// What to do where a file has no data.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Nodata {
    /// A policy by name.
    Name(NodataName),
    /// The elevation to use, m.
    Elevation(#[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))] f64),
}

/// The policies for missing data.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NodataName {
    /// A cell without data is an error.
    Error,
}

impl Default for Nodata {
    fn default() -> Self {
        Self::Name(NodataName::Error)
    }
}

/// How a shape joins the ground below it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Adds its height to the ground.
    #[default]
    Add,
    /// The higher of the two.
    Max,
    /// The lower of the two.
    Min,
    /// Replaces the ground.
    Set,
}

/// A piece of ground given by a formula.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "lowercase", deny_unknown_fields)]
pub enum Shape {
    /// The same height everywhere.
    Plane {
        /// Height, m.
        #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
        height: f64,
        /// How it joins the ground.
        #[serde(default)]
        mode: Mode,
    },
    /// A height that changes linearly from one point to another.
    Slope {
        /// Where the first height holds, `[x, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        from: [f64; 2],
        /// Where the second height holds, `[x, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        to: [f64; 2],
        /// Heights at `from` and at `to`, m.
        #[schemars(inner(range(min = -1e5, max = 1e5)), extend("x-unit" = "m"))]
        heights: [f64; 2],
        /// Level before `from` and after `to` (true), or the same slope for ever (false).
        #[serde(default = "yes")]
        clamp: bool,
        /// How it joins the ground.
        #[serde(default)]
        mode: Mode,
    },
    /// A paraboloid: `height + depth · (r / radius)²`, everywhere.
    Bowl {
        /// The lowest point, `[x, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        center: [f64; 2],
        /// Radius at which the bowl is `depth` deep, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "m"))]
        radius: f64,
        /// Rise from the lowest point to the rim, m.
        #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
        depth: f64,
        /// Height of the lowest point, m.
        #[serde(default)]
        #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
        height: f64,
        /// How it joins the ground.
        #[serde(default)]
        mode: Mode,
    },
    /// A cone, or a frustum where `top_radius` is more than 0. Touches the ground only inside its base.
    Cone {
        /// The axis, `[x, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        center: [f64; 2],
        /// Radius at the foot, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "m"))]
        base_radius: f64,
        /// Radius of the flat top, m.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e7), extend("x-unit" = "m"))]
        top_radius: f64,
        /// Height of the top above the foot, m. Negative digs a pit.
        #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
        height: f64,
        /// How it joins the ground.
        #[serde(default)]
        mode: Mode,
    },
    /// Fractal hills (OpenSimplex noise), the same for the same seed.
    Hills {
        /// Any whole number; another seed gives other hills.
        #[serde(default)]
        #[schemars(range(min = -2_147_483_648, max = 2_147_483_647))]
        seed: i32,
        /// Largest height above and below 0, m.
        #[schemars(range(min = 0.0, max = 1e5), extend("x-unit" = "m"))]
        amplitude: f64,
        /// Distance between the largest hills, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "m"))]
        wavelength: f64,
        /// Layers of detail, each half as high and half as wide as the one before.
        #[serde(default = "default_octaves")]
        #[schemars(range(min = 1, max = 16))]
        octaves: u32,
        /// How it joins the ground.
        #[serde(default)]
        mode: Mode,
    },
    /// A channel along a line: `-depth` at its bottom, rising to 0 over its banks. Touches the ground
    /// only inside its banks.
    Channel {
        /// The middle line, two or more points `[x, z]`, m.
        #[schemars(length(min = 2, max = 10_000))]
        path: Vec<[f64; 2]>,
        /// Width of the bottom, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "m"))]
        width: f64,
        /// Depth of the bottom below the ground, m. Negative builds a dam.
        #[schemars(range(min = -1e5, max = 1e5), extend("x-unit" = "m"))]
        depth: f64,
        /// Horizontal width of each bank, m. 0 makes it vertical.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e7), extend("x-unit" = "m"))]
        bank: f64,
        /// How it joins the ground.
        #[serde(default)]
        mode: Mode,
    },
}

fn yes() -> bool {
    true
}

fn default_octaves() -> u32 {
    4
}
