//! Where cells are small.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Somebody who looks at the water: within a distance cells are as fine as the water asks for; twice as far away they
/// are at least twice as large.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observer {
    /// Points `[t, x, z]` of its way, s and m in the world: one if it stays, times increase.
    pub path: Vec<[f64; 3]>,
    /// Distance up to which cells are as fine as the water asks for, m.
    pub near: f64,
}

impl Observer {
    /// One that stays at a place `[x, z]`, m.
    #[must_use]
    pub fn at([x, z]: [f64; 2], near: f64) -> Self {
        Self { path: vec![[0.0, x, z]], near }
    }

    /// Whether it goes anywhere.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.path.len() > 1
    }

    /// Where it is at a time (s), `[x, z]`, m: straight between points, at rest before the first and after the last.
    #[must_use]
    pub fn place(&self, time: f64) -> [f64; 2] {
        let after = self.path.partition_point(|point| point[0] <= time);
        let last = self.path.len().saturating_sub(1);
        let point = |n: usize| self.path.get(n.min(last)).copied().unwrap_or_default();
        let ([t0, x0, z0], [t1, x1, z1]) = (point(after.saturating_sub(1)), point(after));
        let part = if t1 > t0 { ((time - t0) / (t1 - t0)).clamp(0.0, 1.0) } else { 0.0 };
        [x0 + part * (x1 - x0), z0 + part * (z1 - z0)]
    }
}

/// A rectangle whose cells are never larger than a size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Region")]
pub struct FineRegion {
    /// Low corner `[x, z]`, m.
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub min: [f64; 2],
    /// High corner `[x, z]`, m.
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub max: [f64; 2],
    /// Largest cells, m.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e6, "x-unit" = "m"))]
    pub cell: f64,
}

impl FineRegion {
    /// The same rectangle where places count from another point `[x, z]`.
    #[must_use]
    pub fn seen_from(self, origin: [f64; 2]) -> Self {
        let local = |p: [f64; 2]| [p[0] - origin[0], p[1] - origin[1]];
        Self { min: local(self.min), max: local(self.max), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observers_stay_or_go() {
        let still = Observer::at([30.0, 40.0], 10.0);
        assert_eq!((still.place(0.0), still.place(99.0), still.moves()), ([30.0, 40.0], [30.0, 40.0], false));
        let going = Observer { path: vec![[1.0, 0.0, 10.0], [3.0, 20.0, 10.0], [4.0, 20.0, 0.0]], near: 5.0 };
        assert_eq!((going.place(0.0), going.place(2.0)), ([0.0, 10.0], [10.0, 10.0]));
        assert_eq!((going.place(3.5), going.place(9.0)), ([20.0, 5.0], [20.0, 0.0]));
        assert!(going.moves());
    }
}
