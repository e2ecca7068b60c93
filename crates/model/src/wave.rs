//! Waves of a sea.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One wave: `η = a cos(k·x − ω t + φ)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wave {
    /// Wave vector in the world, along x and z, 1/m.
    pub k: [f64; 2],
    /// Angular frequency, 1/s.
    pub omega: f64,
    /// Amplitude, m.
    pub amplitude: f64,
    /// Phase at the origin of the world at time 0, rad.
    pub phase: f64,
}
