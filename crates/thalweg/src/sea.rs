//! The sea of a scene: its waves, for sides that they come in through.

use std::f64::consts::TAU;

use thalweg_scene::Scene;
use thalweg_tall::{IncomingSea, Wave};
use thalweg_waves::{Sea, Tiles, TilesSettings};

use crate::error::Error;

/// Shortest waves that come in through a side, cells.
const SHORTEST: f64 = 8.0;
/// Most waves that come in through a side; they have the energy of all.
const MOST: usize = 160;
/// Depth of a sea without a level, m.
const DEEP: f64 = 1000.0;
/// Side of the largest tile over the length of the strongest waves.
const LENGTHS: f64 = 4.0;

/// What is known of a scene's sea before it is drawn or driven.
#[derive(Debug, Clone)]
pub(crate) struct SceneSea {
    pub(crate) sea: Sea,
    pub(crate) settings: TilesSettings,
}

impl SceneSea {
    /// `floor`: elevation of the lowest ground, m. `None` if the scene has no waves.
    pub(crate) fn new(scene: &Scene, floor: f64) -> Option<Self> {
        let waves = scene.waves.as_ref()?;
        let depth = waves.depth.or(scene.water.level.map(|level| level - floor).filter(|depth| *depth > 0.0));
        let sea = Sea {
            spectrum: waves.spectrum,
            wind: waves.wind,
            direction: waves.direction.to_radians(),
            fetch: waves.fetch,
            depth: depth.unwrap_or(DEEP),
            height: waves.height,
            gamma: waves.gamma,
            swell: waves.swell,
            gravity: scene.gravity,
        };
        let settings = TilesSettings {
            size: waves.size.unwrap_or_else(|| LENGTHS * TAU / sea.wave_number(sea.peak())),
            points: waves.resolution,
            cascades: waves.cascades,
            seed: waves.seed,
            period: waves.period,
        };
        Some(Self { sea, settings })
    }

    /// Its waves for sides of a domain with cells of a size, m.
    pub(crate) fn incoming(&self, cell: f64) -> Result<IncomingSea, Error> {
        let tiles = Tiles::new(&self.sea, &self.settings)?;
        let all = tiles.waves(SHORTEST * cell, usize::MAX);
        let mut chosen = all.clone();
        chosen.waves.truncate(MOST);
        let louder = if chosen.variance() > 0.0 { (all.variance() / chosen.variance()).sqrt() } else { 0.0 };
        let waves = chosen.waves.iter().map(|wave| Wave { amplitude: louder * wave.amplitude, ..*wave }).collect();
        Ok(IncomingSea { waves, period: self.settings.period, peak_period: TAU / self.sea.peak() })
    }
}
