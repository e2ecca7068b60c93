//! How whitewater is made and moved.

use crate::error::{Result, WhitewaterError};

/// Most particles.
pub const MOST_PARTICLES: u32 = 2_000_000;
/// Most drops of a trial.
pub const MOST_PER_TRIAL: u32 = 64;

/// Tunable parts of whitewater.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Most particles alive, 1 to [`MOST_PARTICLES`]. When all are in use no new ones are made.
    pub capacity: u32,
    /// Depth below the surface in which trial particles are put, cells.
    pub generate: f64,
    /// Chance per second that a trial particle is thrown off where water surely breaks; 0: only water that the level set loses makes drops.
    pub breaking: f64,
    /// Change of the velocity from cell to cell at which water begins to break, in `√(g Δx)`; three times that surely breaks.
    pub breaks_at: f64,
    /// Drops made where a trial particle has left the water, 1 to [`MOST_PER_TRIAL`].
    pub per_trial: u32,
    /// Largest change of each component of a new drop's velocity, as a share of its speed.
    pub noise: f64,
    /// Air drag of spray, 1/s.
    pub spray_drag: f64,
    /// Longest time that a drop flies, s.
    pub spray_life: f64,
    /// Share of the new drops that are mist, 0 to 1.
    pub mist_share: f64,
    /// Air drag of mist, 1/s.
    pub mist_drag: f64,
    /// Share of the drops that become foam where they fall into the water, 0 to 1.
    pub foam_share: f64,
    /// Mean time that a foam particle lives, s.
    pub foam_life: f64,
    /// Time in which the foam map fades to a third, s.
    pub foam_decay: f64,
    /// Share of a column that a landing drop covers with foam, 0 to 1.
    pub foam_cover: f64,
    /// Mean radius of drops, cells.
    pub drop_radius: f64,
    /// Whether drops take their volume from the water and bring it back.
    pub mass: bool,
    /// Of the random numbers.
    pub seed: u32,
}

impl Default for Settings {
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

impl Settings {
    /// An error for the first value out of its range.
    pub fn check(&self) -> Result<()> {
        let refuse = |setting, range: &str| Err(WhitewaterError::Setting { setting, range: range.into() });
        if !(1..=MOST_PARTICLES).contains(&self.capacity) {
            return refuse("capacity", "from 1 to 2000000");
        }
        if !(1..=MOST_PER_TRIAL).contains(&self.per_trial) {
            return refuse("per_trial", "from 1 to 64");
        }
        for (setting, value, low, high) in [
            ("generate", self.generate, 0.01, 8.0),
            ("breaking", self.breaking, 0.0, 1e3),
            ("breaks_at", self.breaks_at, 0.01, 100.0),
            ("noise", self.noise, 0.0, 10.0),
            ("spray_drag", self.spray_drag, 0.0, 1e3),
            ("spray_life", self.spray_life, 1e-3, 1e6),
            ("mist_share", self.mist_share, 0.0, 1.0),
            ("mist_drag", self.mist_drag, 0.0, 1e3),
            ("foam_share", self.foam_share, 0.0, 1.0),
            ("foam_life", self.foam_life, 1e-3, 1e6),
            ("foam_decay", self.foam_decay, 1e-3, 1e6),
            ("foam_cover", self.foam_cover, 0.0, 1.0),
            ("drop_radius", self.drop_radius, 0.002, 0.3),
        ] {
            if !(low..=high).contains(&value) {
                return refuse(setting, &format!("from {low} to {high}"));
            }
        }
        Ok(())
    }
}
