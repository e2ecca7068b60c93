//! Sources and drains.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::series::Series;

/// A source of water, or a drain where the rate is negative.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// Its name; `source-1` and so on where the scene gives none.
    pub name: String,
    /// Where the water enters.
    pub shape: SourceShape,
    /// Water that enters, m³/s. Negative drains.
    pub rate: Series,
    /// Elevations `[low, high]` of the shape, m; three-dimensional water has them, and only that.
    pub y: Option<[f64; 2]>,
    /// Direction of a jet in three-dimensional water, not 0.
    pub direction: Option<[f64; 3]>,
}

impl Source {
    /// A source of any height that pushes the water nowhere.
    pub fn new(name: impl Into<String>, shape: SourceShape, rate: Series) -> Self {
        Self { name: name.into(), shape, rate, y: None, direction: None }
    }

    /// A source of three-dimensional water in a box between a low and a high corner `[x, y, z]`, m.
    pub fn in_box(name: impl Into<String>, [low, high]: [[f64; 3]; 2], rate: Series) -> Self {
        let shape = SourceShape::Box { min: [low[0], low[2]], max: [high[0], high[2]] };
        Self { y: Some([low[1], high[1]]), ..Self::new(name, shape, rate) }
    }
}

/// Where the water of a source enters.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum SourceShape {
    /// A disc.
    Disc {
        /// Its middle `[x, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        center: [f64; 2],
        /// Its radius, m.
        #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e7, "x-unit" = "m"))]
        radius: f64,
    },
    /// A rectangle.
    Box {
        /// Low corner `[x, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        min: [f64; 2],
        /// High corner `[x, z]`, m.
        #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
        max: [f64; 2],
    },
}

impl Default for SourceShape {
    /// A disc without a radius, which every source must give.
    fn default() -> Self {
        Self::Disc { center: [0.0; 2], radius: 0.0 }
    }
}

impl SourceShape {
    /// Whether the point `[x, z]` is inside.
    #[must_use]
    pub fn contains(&self, point: [f64; 2]) -> bool {
        match *self {
            Self::Disc { center, radius } => (point[0] - center[0]).hypot(point[1] - center[1]) <= radius,
            Self::Box { min, max } => (0..2).all(|axis| point[axis] >= min[axis] && point[axis] <= max[axis]),
        }
    }

    /// The same shape where places count from another point `[x, z]`.
    #[must_use]
    pub fn seen_from(self, origin: [f64; 2]) -> Self {
        let local = |p: [f64; 2]| [p[0] - origin[0], p[1] - origin[1]];
        match self {
            Self::Disc { center, radius } => Self::Disc { center: local(center), radius },
            Self::Box { min, max } => Self::Box { min: local(min), max: local(max) },
        }
    }
}
