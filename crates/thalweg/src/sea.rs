//! The sea of a scene: its waves, for sides that they come in through and for pictures.

use std::f64::consts::TAU;

use thalweg_compute::{Buffer, Executor, Recording};
use thalweg_render::WaveBlock;
use thalweg_scene::{Scene, WaveSpectrum};
use thalweg_tall::SeaWave;
use thalweg_waves::{Foam, Ocean, Place, Sea, Spectrum, Texture, Tiles, TilesSettings};

use crate::error::Error;

/// Shortest waves that come in through a side, cells.
const SHORTEST: f64 = 8.0;
/// Most waves that come in through a side; they have the energy of all.
const MOST: usize = 160;
/// Depth of a sea without a level, m.
const DEEP: f64 = 1000.0;
/// Side of the largest tile over the length of the strongest waves.
const LENGTHS: f64 = 4.0;
/// Highest waves over the significant height.
const HIGHEST: f64 = 1.2;

/// What is known of a scene's sea before it is drawn or driven.
#[derive(Debug, Clone)]
pub(crate) struct SceneSea {
    sea: Sea,
    settings: TilesSettings,
    choppiness: f64,
    foam: f64,
    texture: f64,
    /// Elevation of the sea beyond the domain, m, if pictures show it.
    far: Option<f64>,
}

impl SceneSea {
    /// `floor`: elevation of the lowest ground, m. `None` if the scene has no waves.
    pub(crate) fn new(scene: &Scene, floor: f64) -> Option<Self> {
        let waves = scene.waves.as_ref()?;
        let depth = waves.depth.or(scene.water.level.map(|level| level - floor).filter(|depth| *depth > 0.0));
        let sea = Sea {
            spectrum: match waves.spectrum {
                WaveSpectrum::Tma => Spectrum::Tma,
                WaveSpectrum::Jonswap => Spectrum::Jonswap,
                WaveSpectrum::Phillips => Spectrum::Phillips,
            },
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
        let far = scene.water.level.filter(|_| waves.far);
        let (choppiness, foam, texture) = (waves.choppiness, waves.foam, waves.texture);
        Some(Self { sea, settings, choppiness, foam, texture, far })
    }

    /// Waves for sides, counted from the corner of the domain, and the time after which they repeat, s.
    pub(crate) fn waves(&self, [x, z]: [f64; 2], cell: f64) -> Result<(Vec<SeaWave>, f64), Error> {
        let tiles = Tiles::new(&self.sea, &self.settings)?;
        let all = tiles.waves(SHORTEST * cell, usize::MAX);
        let mut chosen = all.clone();
        chosen.waves.truncate(MOST);
        let louder = if chosen.variance() > 0.0 { (all.variance() / chosen.variance()).sqrt() } else { 0.0 };
        let wave = |wave: &thalweg_waves::Wave| SeaWave {
            k: wave.k,
            amplitude: louder * wave.amplitude,
            phase: (wave.phase + wave.k[0] * x + wave.k[1] * z) % TAU,
            turns: (wave.omega * self.settings.period / TAU).round() as u32,
        };
        Ok((chosen.waves.iter().map(wave).collect(), self.settings.period))
    }

    /// Period of the strongest waves, s.
    pub(crate) fn peak_period(&self) -> f64 {
        TAU / self.sea.peak()
    }
}

/// A sea that is drawn.
#[derive(Debug)]
pub(crate) struct PaintedSea {
    ocean: Ocean,
    layers: Texture,
    /// Velocity of the surface per column, m/s.
    pub(crate) velocity: Buffer<[f32; 2]>,
    texture: f32,
    /// Elevation of the sea and height of its crests, m.
    far: Option<[f64; 2]>,
}

impl PaintedSea {
    /// `None` if the scene has no waves or pictures do not show them.
    pub(crate) fn new(exec: &Executor, scene: &Scene) -> Result<Option<Self>, Error> {
        if scene.waves.is_none() {
            return Ok(None);
        }
        let grid = &scene.surface_grid();
        let [floor, _] = scene.elevations(&scene.terrain.rasterise(grid)?);
        let Some(sea) = SceneSea::new(scene, floor).filter(|sea| sea.texture > 0.0 || sea.far.is_some()) else {
            return Ok(None);
        };
        let place = Place { corner: grid.origin, cell: grid.cell, columns: [grid.nx, grid.nz] };
        let foam = Foam { threshold: sea.foam, ..Foam::default() };
        let crests = HIGHEST * sea.sea.significant_height();
        Ok(Some(Self {
            ocean: Ocean::new(exec, Tiles::new(&sea.sea, &sea.settings)?, sea.choppiness, foam, &place)?,
            layers: Texture::new(exec, place.columns, place.cell)?,
            velocity: exec.buffer("thalweg.drift", grid.nx as usize * grid.nz as usize)?,
            texture: sea.texture as f32,
            far: sea.far.map(|level| [level, crests]),
        }))
    }

    /// Records the sea at a time; the velocity of the surface stands in [`Self::velocity`] already.
    pub(crate) fn record(&mut self, rec: &mut Recording<'_>, time: f64) -> Result<(), Error> {
        self.ocean.record(rec, time)?;
        self.layers.record(rec, &self.velocity, time)?;
        Ok(self.ocean.record_texture(rec, &self.layers)?)
    }

    /// What the renderer reads, for a block that begins at an elevation, m.
    pub(crate) fn block(&self, floor: f64, cell: f64) -> WaveBlock<'_> {
        WaveBlock {
            words: self.ocean.words(),
            tiles: self.ocean.tiles().tiles.len() as u32,
            points: self.ocean.points(),
            texture: self.texture,
            far: self.far.map(|[level, crests]| [((level - floor) / cell) as f32, (crests / cell) as f32]),
        }
    }
}
