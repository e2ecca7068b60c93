//! `[[obstacle]]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[[obstacle]]`: a solid, for three-dimensional water. It stays where it is unless it has a `motion`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "lowercase", deny_unknown_fields)]
pub enum Obstacle {
    /// A box along the axes.
    Box {
        /// Low corner `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        min: [f64; 3],
        /// High corner `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        max: [f64; 3],
        /// A name for probes: letters, digits, `_` and `-`.
        #[serde(default)]
        name: Option<String>,
        /// How it moves. Default: not at all.
        #[serde(default)]
        motion: Option<Motion>,
    },
    /// A sphere.
    Sphere {
        /// Its middle `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        center: [f64; 3],
        /// Its radius, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "m"))]
        radius: f64,
        /// A name for probes: letters, digits, `_` and `-`.
        #[serde(default)]
        name: Option<String>,
        /// How it moves. Default: not at all.
        #[serde(default)]
        motion: Option<Motion>,
    },
    /// All that is no further than `radius` from a line.
    Capsule {
        /// One end of the line `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        from: [f64; 3],
        /// The other end `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        to: [f64; 3],
        /// Radius around the line, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "m"))]
        radius: f64,
        /// A name for probes: letters, digits, `_` and `-`.
        #[serde(default)]
        name: Option<String>,
        /// How it moves. Default: not at all.
        #[serde(default)]
        motion: Option<Motion>,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Middle of one end `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        from: [f64; 3],
        /// Middle of the other end `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        to: [f64; 3],
        /// Its radius, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "m"))]
        radius: f64,
        /// A name for probes: letters, digits, `_` and `-`.
        #[serde(default)]
        name: Option<String>,
        /// How it moves. Default: not at all.
        #[serde(default)]
        motion: Option<Motion>,
    },
    /// A cone with flat ends.
    Cone {
        /// Middle of one end `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        from: [f64; 3],
        /// Middle of the other end `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        to: [f64; 3],
        /// Radii at `from` and at `to`, m. One of them may be 0: a tip.
        #[schemars(inner(range(min = 0.0, max = 1e7)), extend("x-unit" = "m"))]
        radii: [f64; 2],
        /// A name for probes: letters, digits, `_` and `-`.
        #[serde(default)]
        name: Option<String>,
        /// How it moves. Default: not at all.
        #[serde(default)]
        motion: Option<Motion>,
    },
    /// A closed surface of triangles from a file. It may be far larger than the domain: it counts where the domain is, and where its motion
    /// brings it there. Water goes through what is thinner than a cell.
    Mesh {
        /// OBJ, STL, glTF (.gltf) or GLB file, relative to the scene file.
        file: String,
        /// Factor on the coordinates in the file, m per unit.
        #[serde(default = "super::terrain::one")]
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e6))]
        scale: f64,
        /// Turns around x, then y, then z, degrees. A file with z up needs `[-90, 0, 0]`.
        #[serde(default)]
        #[schemars(inner(range(min = -360.0, max = 360.0)), extend("x-unit" = "°"))]
        rotate: [f64; 3],
        /// Where the origin of the file goes `[x, y, z]`, m.
        #[serde(default)]
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        position: [f64; 3],
        /// A name for probes: letters, digits, `_` and `-`.
        #[serde(default)]
        name: Option<String>,
        /// How it moves. Default: not at all.
        #[serde(default)]
        motion: Option<Motion>,
    },
}

/// How an obstacle moves, whatever the water does: at most one of `velocity`, `sine` and `path`, and a `spin`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// Steady velocity `[x, y, z]`, m/s.
    #[serde(default)]
    #[schemars(inner(range(min = -1e3, max = 1e3)), extend("x-unit" = "m/s"))]
    pub velocity: Option<[f64; 3]>,
    /// To and fro around its place: a piston, a heaving body.
    #[serde(default)]
    pub sine: Option<Swing>,
    /// From place to place.
    #[serde(default)]
    pub path: Option<Path>,
    /// A steady turn.
    #[serde(default)]
    pub spin: Option<Spin>,
}

/// `amplitude · sin(2π t / period + phase)` along a direction, the amplitude growing over `ramp` seconds.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Swing {
    /// Half the stroke, m.
    #[schemars(range(min = -1e4, max = 1e4), extend("x-unit" = "m"))]
    pub amplitude: f64,
    /// Direction `[x, y, z]` of any length. Default: along x.
    #[serde(default = "along_x")]
    #[schemars(inner(range(min = -1e8, max = 1e8)))]
    pub direction: [f64; 3],
    /// Time of a whole swing, s.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e8, "x-unit" = "s"))]
    pub period: f64,
    /// Phase at time 0, radians.
    #[serde(default)]
    #[schemars(range(min = -100.0, max = 100.0), extend("x-unit" = "rad"))]
    pub phase: f64,
    /// Time over which the amplitude grows from 0, s.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e8), extend("x-unit" = "s"))]
    pub ramp: f64,
}

impl Default for Swing {
    /// Without a period, which every swing must give.
    fn default() -> Self {
        Self { amplitude: 0.0, direction: along_x(), period: 0.0, phase: 0.0, ramp: 0.0 }
    }
}

fn along_x() -> [f64; 3] {
    [1.0, 0.0, 0.0]
}

/// Places of the obstacle in time: of its middle, of a mesh its `position`. Straight between them; at rest before the first and
/// after the last.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Path {
    /// Columns of a CSV file.
    File {
        /// CSV file with the columns time (s), x, y and z (m) in this order, relative to the scene file.
        file: String,
    },
    /// Places given here.
    Points {
        /// Rows `[time, x, y, z]` with times that increase, s and m.
        #[schemars(length(min = 1, max = 1_000_000))]
        points: Vec<[f64; 4]>,
    },
}

/// A steady turn around an axis that goes along with the obstacle.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spin {
    /// Direction `[x, y, z]` of the axis, of any length. Default: up.
    #[serde(default = "up")]
    #[schemars(inner(range(min = -1e8, max = 1e8)))]
    pub axis: [f64; 3],
    /// Rate, rad/s. Positive is counter-clockwise, seen against the axis.
    #[schemars(range(min = -1e3, max = 1e3), extend("x-unit" = "rad/s"))]
    pub rate: f64,
    /// A point of the axis `[x, y, z]` at time 0, m. Default: the middle of the obstacle.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub pivot: Option<[f64; 3]>,
}

impl Default for Spin {
    fn default() -> Self {
        Self { axis: up(), rate: 0.0, pivot: None }
    }
}

pub(crate) fn up() -> [f64; 3] {
    [0.0, 1.0, 0.0]
}
