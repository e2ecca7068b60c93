//! What is known of all water at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::particles::WhitewaterStatistics;

/// Sums and extremes over the whole water.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Statistics {
    /// Simulated time, s.
    pub time: f64,
    /// Volume, m³, that of drops which carry mass included.
    pub volume: f64,
    /// Kinetic energy, J.
    pub kinetic_energy: f64,
    /// Potential energy above still water at the datum, J; `None` for three-dimensional water.
    pub potential_energy: Option<f64>,
    /// Area under water, m²; `None` for three-dimensional water.
    pub wet_area: Option<f64>,
    /// Fastest water, m/s. Of three-dimensional water it is the largest component of a velocity.
    pub max_speed: f64,
    /// Speed at which velocities are cut off, m/s; `None` where nothing is.
    pub speed_limit: Option<f64>,
    /// Volume that came in since the start, m³.
    pub added: f64,
    /// Volume that went out since the start, m³.
    pub removed: f64,
    /// Sub-steps since the start.
    pub substeps: u64,
    /// Most columns, at the end of any step so far, whose cubic cells did not reach over all of their water: near them
    /// the water is coarser than the scene asks for, and more `regular_cells` help. Always 0 without tall cells.
    pub crowded_columns: u32,
    /// Spray, mist and foam; nothing without whitewater.
    pub whitewater: WhitewaterStatistics,
}

impl Statistics {
    /// Volume that the ledger does not explain, as a share of what there was at the start (m³) or of what came in since,
    /// whichever is more.
    #[must_use]
    pub fn drift(&self, initial: f64) -> f64 {
        let base = initial.max(self.added);
        if base > 0.0 { (self.volume - initial - self.added + self.removed) / base } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_is_what_the_ledger_cannot_explain() {
        let balanced = Statistics { volume: 12.0, added: 3.0, removed: 1.0, ..Statistics::default() };
        assert_eq!(balanced.drift(10.0), 0.0);
        let more = Statistics { volume: 12.6, ..balanced };
        assert!((more.drift(10.0) - 0.06).abs() < 1e-12);
        // Into an empty basin: a share of what came.
        let filled = Statistics { volume: 2.4, added: 3.0, removed: 0.0, ..Statistics::default() };
        assert!((filled.drift(0.0) + 0.2).abs() < 1e-12);
        assert_eq!(Statistics::default().drift(0.0), 0.0);
    }
}
