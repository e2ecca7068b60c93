//! From a scene to the problem that the shallow-water solver takes.

use thalweg_scene as scene;
use thalweg_scene::Scene;
use thalweg_shallow::{InitialCell, Options, Order, Scheme, Setup};

/// Bed and depth of a scene on its grid.
pub(crate) struct InitialGround {
    pub(crate) bed: Vec<f32>,
    pub(crate) depth: Vec<f32>,
}

impl InitialGround {
    pub(crate) fn of(scene: &Scene) -> Result<Self, scene::SceneError> {
        let bed = scene.terrain.rasterise(&scene.grid)?;
        let depth = scene.water.rasterise(&scene.grid, &bed)?;
        Ok(Self { bed, depth })
    }

    /// Bed, surface and velocity of a cell, in f64. Water that a level made gets that level back: bed plus
    /// an f32 depth would put decimetre noise on an ocean.
    pub(crate) fn cell(&self, scene: &Scene, i: u32, k: u32) -> InitialCell {
        let at = i as usize + scene.grid.nx as usize * k as usize;
        let (bed, depth) = (f64::from(self.bed[at]), f64::from(self.depth[at]));
        let summed = bed + depth;
        let known = scene.water.level.into_iter().chain(scene.water.boxes.iter().map(|b| b.max[1]));
        let slack = 1e-6 * (depth.abs() + bed.abs());
        let surface = known.filter(|level| (level - summed).abs() <= slack).fold(summed, |_, level| level);
        InitialCell { bed, surface: if depth > 0.0 { surface } else { bed }, velocity: scene.water.velocity }
    }
}

/// Bed and water of a cell `(i, k)` of the scene's grid at the start.
pub(crate) type Initial<'a> = dyn Fn(u32, u32) -> InitialCell + Sync + 'a;

/// The solver's problem. `initial` is [`InitialGround::cell`] of the same scene.
pub(crate) fn setup<'a>(scene: &Scene, initial: &'a Initial<'a>) -> Setup<'a> {
    let grid = &scene.grid;
    let mut setup = Setup::new(grid.nx, grid.nz, grid.cell, initial);
    setup.gravity = scene.gravity;
    setup.datum = scene.water.shallow.datum;
    setup.origin = grid.origin;
    setup.sides = scene.boundary.clone();
    setup.rain = scene.rain.clone();
    setup.sources = scene.sources.clone();
    setup.maps = scene.maps.map(|maps| maps.wet);
    setup.options = options(&scene.water.shallow);
    setup
}

/// Order of the scheme of finite volumes.
pub(crate) fn order(from: &scene::Shallow) -> Order {
    if from.order == 1 { Order::First } else { Order::Second { limiter: from.limiter } }
}

fn options(from: &scene::Shallow) -> Options {
    let scheme = match from.scheme {
        scene::Scheme::Hllc => Scheme::Hllc { order: order(from) },
        scene::Scheme::Cmf10 => Scheme::Cmf10,
    };
    Options { scheme, cfl: from.cfl, manning: from.manning, thin_depth: from.dry_depth }
}
