//! Spray, mist and foam as it is looked at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a particle is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ParticleKind {
    /// A drop that flies.
    Spray,
    /// A drop so fine that the air holds it back.
    Mist,
    /// Foam that lies on the water.
    Foam,
}

impl ParticleKind {
    /// All kinds, by their numbers in files and memory.
    pub const ALL: [Self; 3] = [Self::Spray, Self::Mist, Self::Foam];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Spray => "spray",
            Self::Mist => "mist",
            Self::Foam => "foam",
        }
    }
}

/// Spray, mist and foam, in world coordinates; one entry each. Oldest first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Particles {
    /// Places, m, y up.
    pub positions: Vec<[f32; 3]>,
    /// m/s.
    pub velocities: Vec<[f32; 3]>,
    /// Radii, m.
    pub radii: Vec<f32>,
    /// What they are.
    pub kinds: Vec<ParticleKind>,
}

impl Particles {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// How much whitewater there is, for tables.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct WhitewaterStatistics {
    /// Drops that fly.
    pub spray: u32,
    /// Drops that the air holds back.
    pub mist: u32,
    /// Foam particles.
    pub foam: u32,
    /// Drops since the start that found no free slot.
    pub refused: u32,
    /// Volume of all drops that carry mass, m³.
    pub volume: f64,
}

impl WhitewaterStatistics {
    /// Particles of all kinds.
    #[must_use]
    pub fn particles(&self) -> u32 {
        self.spray + self.mist + self.foam
    }
}
