//! From a scene to the problem that the shallow-water solver takes.

use thalweg_scene as scene;
use thalweg_scene::{Grid, Inflow, Scene, Series};
use thalweg_shallow::{
    Boundary, Datum, Driver, InitialCell, Limiter, Options, Order, SIDES, Scheme, Setup, Source, Stage,
};

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

/// Mean surface of the wet cells along a side; `None` where all are dry.
fn rest_level(initial: &Initial<'_>, cells: impl Iterator<Item = (u32, u32)>) -> Option<f64> {
    let wet: Vec<f64> = cells.map(|(i, k)| initial(i, k)).filter(|c| c.surface > c.bed).map(|c| c.surface).collect();
    (!wet.is_empty()).then(|| wet.iter().sum::<f64>() / wet.len() as f64)
}

/// The solver's problem. `initial` is [`InitialGround::cell`] of the same scene.
pub(crate) fn setup<'a>(scene: &Scene, initial: &'a Initial<'a>) -> Setup<'a> {
    let grid = &scene.grid;
    let mut setup = Setup::new(grid.nx, grid.nz, grid.cell, initial);
    setup.gravity = scene.gravity;
    setup.datum = match scene.water.shallow.datum {
        scene::Datum::Auto => Datum::Auto,
        scene::Datum::Elevation(level) => Datum::At(level),
    };
    setup.boundaries = boundaries(scene, initial);
    setup.rain = scene.rain.clone().map(driver);
    setup.sources = sources(scene);
    setup.maps = scene.maps.map(|maps| maps.wet);
    setup.options = options(&scene.water.shallow);
    setup
}

/// West, east, south, north.
pub(crate) fn boundaries(scene: &Scene, initial: &Initial<'_>) -> [Boundary; SIDES] {
    let sides = &scene.boundary;
    let sides = [&sides.west, &sides.east, &sides.south, &sides.north];
    std::array::from_fn(|side| boundary(scene, initial, side, sides[side]))
}

pub(crate) fn sources(scene: &Scene) -> Vec<Source> {
    let source = |from: &scene::Source| Source {
        shape: from.shape.seen_from(scene.grid.origin),
        rate: driver(from.rate.clone()),
    };
    scene.sources.iter().map(source).collect()
}

pub(crate) fn driver(series: Series) -> Driver {
    Box::new(move |t| series.at(t))
}

fn boundary(scene: &Scene, initial: &Initial<'_>, side: usize, from: &scene::Boundary) -> Boundary {
    let Grid { nx, nz, cell, origin, .. } = scene.grid;
    let length = if side < 2 { nz } else { nx };
    let cells = |range: std::ops::Range<u32>| {
        range.map(move |n| match side {
            0 => (0, n),
            1 => (nx - 1, n),
            2 => (n, 0),
            _ => (n, nz - 1),
        })
    };
    let part = |span: Option<[f64; 2]>| {
        let low = if side < 2 { origin[1] } else { origin[0] };
        let index = |x: f64| ((x - low) / cell).round().clamp(0.0, f64::from(length)) as u32;
        span.map_or(0..length, |[a, b]| {
            let first = index(a).min(length - 1);
            first..index(b).max(first + 1)
        })
    };
    let rest = |range| rest_level(initial, cells(range));
    match from {
        scene::Boundary::Wall => Boundary::Wall,
        scene::Boundary::Outflow => Boundary::Outflow,
        scene::Boundary::Open { level, layer } => match level.or_else(|| rest(0..length)) {
            Some(level) => {
                Boundary::FarField { level: Box::new(move |_| level), rest: level, layer: *layer, span: 0..length }
            }
            // No level given and nothing but dry land: water that ever gets there runs out.
            None => Boundary::Outflow,
        },
        // A scene of shallow water with it is refused.
        scene::Boundary::Wave { .. } | scene::Boundary::Ocean { .. } => Boundary::Wall,
        scene::Boundary::Level { level, absorb, span } => {
            Boundary::Level { stage: Stage::Given { level: driver(level.clone()), absorb: *absorb }, span: part(*span) }
        }
        scene::Boundary::Rating { curve, span } => {
            Boundary::Level { stage: Stage::Rating { curve: curve.clone() }, span: part(*span) }
        }
        scene::Boundary::Normal { slope, manning, span } => {
            Boundary::Level { stage: Stage::Normal { slope: *slope, manning: *manning }, span: part(*span) }
        }
        scene::Boundary::Inflow { kind, span, layer } => {
            let span = part(*span);
            match kind {
                Inflow::Discharge(series) => Boundary::Discharge { rate: driver(series.clone()), span },
                Inflow::Surface(series) => {
                    let rest = rest(span.clone()).unwrap_or_else(|| series.at(0.0));
                    Boundary::FarField { level: driver(series.clone()), rest, layer: *layer, span }
                }
            }
        }
    }
}

/// Order of the scheme of finite volumes.
pub(crate) fn order(from: &scene::Shallow) -> Order {
    let limiter = match from.limiter {
        scene::Limiter::Minmod => Limiter::Minmod,
        scene::Limiter::Mc => Limiter::Mc,
    };
    if from.order == 1 { Order::First } else { Order::Second { limiter } }
}

fn options(from: &scene::Shallow) -> Options {
    let scheme = match from.scheme {
        scene::Scheme::Hllc => Scheme::Hllc { order: order(from) },
        scene::Scheme::Cmf10 => Scheme::Cmf10,
    };
    Options { scheme, cfl: from.cfl, manning: from.manning, thin_depth: from.dry_depth }
}
