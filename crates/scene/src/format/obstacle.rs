//! `[[obstacle]]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[[obstacle]]`: a solid that never moves, for three-dimensional water.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Obstacle {
    /// A box along the axes.
    Box {
        /// Low corner `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        min: [f64; 3],
        /// High corner `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        max: [f64; 3],
    },
    /// A sphere.
    Sphere {
        /// Its middle `[x, y, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        center: [f64; 3],
        /// Its radius, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "m"))]
        radius: f64,
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
    },
}
