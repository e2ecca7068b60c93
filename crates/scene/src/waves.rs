//! The sea around and on the simulated water.

use thalweg_model::Spectrum;

use crate::context::Context;
use crate::format::{self, SceneFile};
use crate::report::At;

/// A sea of random waves.
#[derive(Debug, Clone, PartialEq)]
pub struct Waves {
    /// The law of their energy.
    pub spectrum: Spectrum,
    /// Speed of the wind, m/s.
    pub wind: f64,
    /// Where it blows to, from x towards z, degrees.
    pub direction: f64,
    /// Length of the water that it has blown over, m.
    pub fetch: f64,
    /// Depth of the sea, m; `None`: from the level of the water to the lowest ground.
    pub depth: Option<f64>,
    /// Significant height, m; `None`: that of the law.
    pub height: Option<f64>,
    /// How peaked the spectrum is.
    pub gamma: f64,
    /// From 0 for wind waves to 1 for swell.
    pub swell: f64,
    /// How sharp crests are.
    pub choppiness: f64,
    /// Picks the waves.
    pub seed: u32,
    /// Side of the largest tile, m; `None`: four times the length of the strongest waves.
    pub size: Option<f64>,
    /// Points along a side of a tile.
    pub resolution: u32,
    /// Tiles.
    pub cascades: u32,
    /// Strength of small waves on the simulated water in pictures.
    pub texture: f64,
    /// Whether pictures show the sea beyond the domain.
    pub far: bool,
    /// Squeezed to less than this share of its area the surface is white.
    pub foam: f64,
    /// Time after which all waves repeat, s.
    pub period: f64,
}

impl Waves {
    pub(crate) fn lower(scene: &SceneFile, context: &mut Context<'_>) -> Option<Self> {
        let file: &format::Waves = scene.waves.as_ref()?;
        let at = At::root().key("waves");
        if ![64, 128, 256, 512].contains(&file.resolution) {
            let message = format!("a tile of {} points along a side", file.resolution);
            context.report.error_with(&at.key("resolution"), message, "it must be 64, 128, 256 or 512");
        }
        if file.far && scene.water.level.is_none() {
            let message = "`waves.far` needs `water.level`: the sea around the domain stands at it";
            context.report.error_with(&at.key("far"), message, "give the elevation of still water, m");
        }
        Some(Self {
            spectrum: file.spectrum,
            wind: file.wind,
            direction: file.direction,
            fetch: file.fetch,
            depth: file.depth,
            height: file.height,
            gamma: file.gamma,
            swell: file.swell,
            choppiness: file.choppiness,
            seed: file.seed,
            size: file.size,
            resolution: file.resolution,
            cascades: file.cascades,
            texture: file.texture,
            far: file.far,
            foam: file.foam,
            period: file.period,
        })
    }
}
