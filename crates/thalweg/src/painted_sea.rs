//! The sea of a scene in pictures.

use thalweg_compute::{Buffer, Executor, Recording};
use thalweg_render::WaveView;
use thalweg_scene::Scene;
use thalweg_waves::{Foam, Ocean, Place, Texture, Tiles};

use crate::error::Error;
use crate::sea::SceneSea;

/// Highest waves over the significant height.
const HIGHEST: f64 = 1.2;

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
        let Some(waves) = &scene.waves else { return Ok(None) };
        let far = scene.water.level.filter(|_| waves.far);
        if waves.texture <= 0.0 && far.is_none() {
            return Ok(None);
        }
        let grid = &scene.surface_grid();
        let [floor, _] = scene.elevations(&scene.terrain.rasterise(grid)?);
        let Some(sea) = SceneSea::new(scene, floor) else { return Ok(None) };
        let place = Place { corner: grid.origin, cell: grid.cell, columns: [grid.nx, grid.nz] };
        let foam = Foam { threshold: waves.foam, ..Foam::default() };
        let crests = HIGHEST * sea.sea.significant_height();
        Ok(Some(Self {
            ocean: Ocean::new(exec, Tiles::new(&sea.sea, &sea.settings)?, waves.choppiness, foam, &place)?,
            layers: Texture::new(exec, place.columns, place.cell)?,
            velocity: exec.buffer("thalweg.drift", grid.nx as usize * grid.nz as usize)?,
            texture: waves.texture as f32,
            far: far.map(|level| [level, crests]),
        }))
    }

    /// Records the sea at a time; the velocity of the surface stands in [`Self::velocity`] already.
    pub(crate) fn record(&mut self, rec: &mut Recording<'_>, time: f64) -> Result<(), Error> {
        self.ocean.record(rec, time)?;
        self.layers.record(rec, &self.velocity, time)?;
        Ok(self.ocean.record_texture(rec, &self.layers)?)
    }

    /// What the renderer reads, for a block that begins at an elevation, m.
    pub(crate) fn view(&self, floor: f64, cell: f64) -> WaveView<'_> {
        WaveView {
            words: self.ocean.words(),
            tiles: self.ocean.tiles().tiles.len() as u32,
            points: self.ocean.points(),
            texture: self.texture,
            far: self.far.map(|[level, crests]| [((level - floor) / cell) as f32, (crests / cell) as f32]),
        }
    }
}
