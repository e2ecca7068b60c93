//! Three-dimensional water of a scene.

use std::sync::Arc;

use thalweg_compute::{Executor, Later};
pub use thalweg_model::{FineLevelSet, WaterSection, WaterVolume};
use thalweg_pressure::Shape;
use thalweg_scene::{self as scene, Discretisation, Scene, Solver};
use thalweg_shallow::Sample;
use thalweg_tall::{Band, Obstacle, Options, Setup, Snapshot, SurfaceMesh, TallError, TallWater, WaterColumns};
use thalweg_whitewater::Whitewater;

use crate::bodies::Afloat;
use crate::error::Error;
use crate::pour::{Pour, PourError};
use crate::sampler::Sampler;
use crate::solids::obstacles;
use crate::spray::{self, Particles};
use crate::statistics::Statistics;
use crate::tall_exchange;

/// Density of water, kg/m³.
const DENSITY: f64 = 1000.0;

/// Longest time for which the solver plans its steps by the speed of the water at its beginning, s: falling water gains
/// 0.3 m/s in it.
const LONGEST_PLAN: f64 = 1.0 / 30.0;

/// Ground that is nearer to a multiple of the cell than this part of it is that multiple: it comes in single precision,
/// and a sliver of a cell is no use to anybody.
const SNAP: f64 = 1e-3;

/// The solver with what it needs to know of the world.
pub(crate) struct TallScene {
    pub(crate) water: TallWater,
    /// World coordinates of the corner from which the solver counts, m.
    corner: [f64; 3],
    /// Height of the domain, m.
    height: f64,
    bed: Vec<f32>,
    frames: u64,
    crowded: u32,
    /// Whether water is poured in during the next step.
    pub(crate) pours: bool,
    /// Rigid bodies, if the scene has any.
    pub(crate) bodies: Option<Afloat>,
    /// Spray, mist and foam, if the scene has them.
    pub(crate) whitewater: Option<Whitewater>,
}

/// What a gauge wants to know of the pressure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PressureGauge {
    /// The pressure at a point of the world, m.
    Point([f64; 3]),
    /// The force on an obstacle, by its number.
    Obstacle(usize),
}

/// Three-dimensional water put aside.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedTall {
    /// The water.
    pub snapshot: Snapshot,
    /// See [`Statistics::crowded_columns`].
    pub crowded_columns: u32,
    /// Rigid bodies, as [`thalweg_bodies::World::save`] puts them; empty without any.
    pub bodies: Vec<u8>,
    /// Spray, mist and foam, if the scene has them.
    pub whitewater: Option<Box<thalweg_whitewater::Snapshot>>,
}

impl TallScene {
    pub(crate) fn new(executor: Arc<Executor>, scene: &Scene) -> Result<Self, Error> {
        let grid = &scene.grid;
        let bed = scene.terrain.rasterise(grid)?;
        let [low, high] = scene.elevations(&bed);
        scene.water.check_height([low, high])?;
        let corner = [grid.origin[0], low, grid.origin[1]];
        let exchange = tall_exchange::exchange(scene, corner)?;
        let bodies = Afloat::new(scene, &bed, corner)?;
        let floating = bodies.as_ref().map(Afloat::obstacles).unwrap_or_default();
        let place = (&*bed, corner, floating);
        let mut water = with_setup(scene, place, |setup| Ok(TallWater::with_exchange(executor, setup, &exchange)?))?;
        if let Some(bodies) = &bodies {
            bodies.place(&mut water)?;
        }
        let whitewater = spray::whitewater(scene, &water)?;
        let height = grid.height;
        Ok(Self { water, corner, height, bed, frames: 0, crowded: 0, pours: false, bodies, whitewater })
    }

    /// The same water among the obstacles of a scene that is the same in all else; `old` are those before.
    pub(crate) fn set_obstacles(&mut self, scene: &Scene, old: &[scene::Obstacle]) -> Result<(), Error> {
        let gone = old.iter().filter(|solid| !scene.obstacles.contains(solid));
        let gone: Vec<scene::Obstacle> = gone.cloned().collect();
        let gone = obstacles(&gone, self.corner, (&Sampler::new(scene, self.corner[1]), scene.grid.cell))?;
        let floating = self.bodies.as_ref().map(Afloat::obstacles).unwrap_or_default();
        let mut water = self.among(scene, floating, &gone)?;
        if let Some(bodies) = &mut self.bodies {
            bodies.place(&mut water)?;
            bodies.set_obstacles(scene)?;
        }
        self.water = water;
        self.pours = false;
        Ok(())
    }

    /// The same water among other solids: the obstacles of a scene and what floats; where `gone` was there is air.
    pub(crate) fn among(&self, scene: &Scene, floating: Vec<Obstacle>, gone: &[Obstacle]) -> Result<TallWater, Error> {
        let exchange = tall_exchange::exchange(scene, self.corner)?;
        let among = |setup: &Setup<'_>| Ok(self.water.among(setup, &exchange, gone)?);
        with_setup(scene, (&self.bed, self.corner, floating), among)
    }

    pub(crate) fn bed(&self) -> &[f32] {
        &self.bed
    }

    /// World coordinates of the corner from which the solver counts, m.
    pub(crate) fn corner(&self) -> [f64; 3] {
        self.corner
    }

    /// Cells from the lowest ground to the top of the domain.
    pub(crate) fn cells_up(&self) -> u32 {
        (self.height / self.water.cell() - 1e-6).ceil().max(1.0) as u32
    }

    /// Steps taken since the start or the last load.
    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    pub(crate) fn step(&mut self, dt: f64) -> Result<(), Error> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(Error::TimeStep { dt });
        }
        if !std::mem::take(&mut self.pours) {
            self.water.stop_pouring()?;
        }
        let plans = (dt / LONGEST_PLAN - 1e-9).ceil().max(1.0);
        for _ in 0..plans as u64 {
            if let Some(whitewater) = &mut self.whitewater {
                whitewater.before(&self.water, dt / plans)?;
            }
            match &mut self.bodies {
                Some(bodies) => {
                    let steps = self.water.plan(dt / plans)?;
                    for _ in 0..steps {
                        bodies.step(&mut self.water, dt / plans / f64::from(steps))?;
                    }
                }
                None => _ = self.water.advance(dt / plans)?,
            }
            if let Some(whitewater) = &mut self.whitewater {
                whitewater.after(&self.water, dt / plans)?;
            }
            self.crowded = self.crowded.max(self.water.most_crowded());
        }
        // What was poured has gone in.
        self.water.make_room()?;
        self.frames += 1;
        Ok(())
    }

    /// Pours water in during the next step.
    pub(crate) fn pour(&mut self, pour: Pour) -> Result<(), Error> {
        let (shape, cell) = (self.water.shape(), self.water.cell());
        let size = [shape.nx as f64 * cell, self.height, shape.nz as f64 * cell];
        let high = std::array::from_fn(|axis| self.corner[axis] + size[axis]);
        let source = pour.source([self.corner, high])?;
        self.water.pour(source).map_err(|error| match error {
            TallError::Compute(error) => Error::from(error),
            refused => PourError::from(refused).into(),
        })?;
        self.pours = true;
        Ok(())
    }

    /// Takes water along; see [`TallWater::push`].
    pub(crate) fn push(&mut self, centre: [f64; 3], radius: f64, velocity: [f64; 3]) -> Result<(), Error> {
        let local = std::array::from_fn(|axis| centre[axis] - self.corner[axis]);
        Ok(self.water.push(local, radius, velocity)?)
    }

    pub(crate) fn statistics(&self) -> Result<Statistics, Error> {
        let (sums, books) = (self.water.statistics()?, self.water.books()?);
        let cell = self.water.cell().powi(3);
        let whitewater = self.whitewater.as_ref().map(Whitewater::census).transpose()?.unwrap_or_default();
        Ok(Statistics {
            time: self.water.time(),
            volume: sums.volume * cell + whitewater.volume,
            kinetic_energy: DENSITY * sums.energy * cell,
            potential_energy: None,
            wet_area: None,
            max_speed: f64::from(sums.speed),
            speed_limit: Some(self.water.speed_limit()),
            added: books.added * cell,
            removed: books.removed * cell,
            substeps: self.water.steps(),
            crowded_columns: self.crowded.max(self.water.crowded_columns()?),
            whitewater,
        })
    }

    /// The water over every column, with elevations of the surface in the world.
    pub(crate) fn columns_later(&self) -> Result<Later<WaterColumns, Error>, Error> {
        let low = self.corner[1];
        Ok(self.water.columns_later()?.map(move |mut columns| {
            columns.surface.iter_mut().for_each(|height| *height = (f64::from(*height) + low) as f32);
            columns
        }))
    }

    /// What gauges see in some columns.
    pub(crate) fn samples(&self, columns: &[u32]) -> Result<Vec<Sample>, Error> {
        let WaterColumns { depth, surface, velocity: [u, w] } = self.columns_later()?.wait()?;
        let sample = |column: &u32| {
            let at = *column as usize;
            let velocity = [u[at].into(), w[at].into()];
            Sample { depth: depth[at].into(), surface: surface[at].into(), velocity, bed: self.bed()[at].into() }
        };
        Ok(columns.iter().map(sample).collect())
    }

    /// Pressures at points of the world (Pa) and forces on obstacles (N), in order; NaN where none is known.
    pub(crate) fn pressures(&self, wanted: &[PressureGauge]) -> Result<Vec<[f64; 3]>, Error> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let pressures = self.water.pressures()?;
        let read = |gauge: &PressureGauge| match gauge {
            PressureGauge::Point(point) => {
                let local = std::array::from_fn(|axis| point[axis] - self.corner[axis]);
                pressures.at(local).map(|pressure| [pressure; 3])
            }
            PressureGauge::Obstacle(number) => self.water.force(&pressures, *number),
        };
        let scaled = |value: [f64; 3]| value.map(|v| DENSITY * v);
        Ok(wanted.iter().map(|gauge| read(gauge).map_or([f64::NAN; 3], scaled)).collect())
    }

    /// The cut nearest to a z, or through the middle.
    pub(crate) fn section_later(&self, z: Option<f64>) -> Result<Later<WaterSection, Error>, Error> {
        let (corner, cell, nz) = (self.corner, self.water.cell(), self.water.shape().nz);
        let row = z.map_or(nz as f64 / 2.0, |z| (z - corner[2]) / cell).clamp(0.0, (nz - 1) as f64);
        let cut = self.water.section_later(row as usize, self.cells_up() as usize)?;
        Ok(cut.map(move |cut| {
            let cell = cell / cut.per_cell as f64;
            let metres = |cells: &f32| (f64::from(*cells) * cell) as f32;
            let elevation = |cells: f32| (f64::from(cells) * cell + corner[1]) as f32;
            WaterSection {
                size: [cut.nx, cut.ny],
                cell,
                origin: [corner[0], corner[1]],
                water: cut.level_set.iter().map(metres).collect(),
                obstacles: cut.obstacles.iter().map(metres).collect(),
                ground: cut.ground.iter().map(|z| elevation(*z)).collect(),
                tall_tops: cut.tall_tops.iter().map(|top| top.map(elevation)).collect(),
            }
        }))
    }

    /// The surface in world coordinates.
    pub(crate) fn surface_mesh_later(&self) -> Result<Later<SurfaceMesh, Error>, Error> {
        let corner = self.corner;
        Ok(self.water.surface_mesh_later()?.map(move |mut mesh| {
            for place in &mut mesh.vertices {
                *place = std::array::from_fn(|axis| (f64::from(place[axis]) + corner[axis]) as f32);
            }
            mesh
        }))
    }

    /// Spray, mist and foam in world coordinates; `None` without whitewater.
    pub(crate) fn particles(&self) -> Result<Option<Particles>, Error> {
        self.whitewater.as_ref().map(|some| spray::particles(some, self.corner)).transpose()
    }

    /// The water on cubic cells in world coordinates.
    pub(crate) fn volume(&self) -> Result<WaterVolume, Error> {
        let block = self.water.block()?;
        let cell = self.water.cell();
        let scaled = |values: Vec<f32>, by: f64| values.into_iter().map(|v| (f64::from(v) * by) as f32).collect();
        let fine = block.fine.map(|fine| FineLevelSet {
            size: std::array::from_fn(|axis| block.size[axis] * fine.ratio[axis]),
            cell: fine.ratio.map(|ratio| cell / ratio as f64),
            level_set: scaled(fine.level_set, 0.5 * cell),
        });
        Ok(WaterVolume {
            size: block.size,
            cell,
            origin: std::array::from_fn(|axis| self.corner[axis] + f64::from(block.low[axis]) * cell),
            level_set: scaled(block.level_set, cell),
            velocity: block.velocity,
            pressure: scaled(block.pressure, DENSITY),
            fine,
        })
    }

    pub(crate) fn save(&self) -> Result<SavedTall, Error> {
        let bodies = self.bodies.as_ref().map_or_else(Vec::new, Afloat::save);
        let whitewater = self.whitewater.as_ref().map(Whitewater::snapshot).transpose()?.map(Box::new);
        let crowded_columns = self.crowded.max(self.water.crowded_columns()?);
        Ok(SavedTall { snapshot: self.water.snapshot()?, crowded_columns, bodies, whitewater })
    }

    pub(crate) fn load(&mut self, saved: &SavedTall) -> Result<(), Error> {
        match &mut self.bodies {
            Some(bodies) => bodies.load(&saved.bodies, &mut self.water)?,
            None if !saved.bodies.is_empty() => return Err(Error::Saved("it holds bodies, the scene has none".into())),
            None => {}
        }
        match (&mut self.whitewater, &saved.whitewater) {
            (Some(whitewater), Some(saved)) => whitewater.restore(saved)?,
            (None, None) => {}
            (here, _) => {
                let both = if here.is_some() {
                    "no whitewater, and this scene has"
                } else {
                    "whitewater, and this scene has no"
                };
                return Err(Error::Saved(format!("it was saved with {both} [whitewater]")));
            }
        }
        self.water.restore(&saved.snapshot)?;
        (self.frames, self.crowded, self.pours) = (0, saved.crowded_columns, false);
        Ok(())
    }
}

/// The solver's problem of a scene, for as long as `make` needs it.
fn with_setup(
    scene: &Scene,
    (bed, corner, floating): (&[f32], [f64; 3], Vec<Obstacle>),
    make: impl FnOnce(&Setup<'_>) -> Result<TallWater, Error>,
) -> Result<TallWater, Error> {
    let grid = &scene.grid;
    let terrain: Vec<f64> = bed.iter().map(|z| snapped((f64::from(*z) - corner[1]) / grid.cell) * grid.cell).collect();
    let level_set = |point: [f64; 3]| {
        let world: [f64; 3] = std::array::from_fn(|axis| point[axis] + corner[axis]);
        let [i, k] = grid.cell_at([world[0], world[2]]);
        let ground = bed[i as usize + grid.nx as usize * k as usize];
        scene.water.distance(grid, f64::from(ground), world)
    };
    let mut obstacles = obstacles(&scene.obstacles, corner, (&Sampler::new(scene, corner[1]), grid.cell))?;
    // After the obstacles, which probes know by their numbers.
    obstacles.extend(floating);
    make(&Setup {
        shape: columns(scene),
        cell: grid.cell,
        height: grid.height,
        terrain: &terrain,
        level_set: &level_set,
        obstacles: &obstacles,
        velocity: scene.water.velocity,
        options: options(scene),
    })
}

/// The columns of the solver.
pub(crate) fn columns(scene: &Scene) -> Shape {
    let (grid, regular) = (&scene.grid, scene.water.tall.regular_cells as usize);
    Shape { nx: grid.nx as usize, nz: grid.nz as usize, regular }
}

fn snapped(cells: f64) -> f64 {
    let near = cells.round();
    if (cells - near).abs() < SNAP { near } else { cells }
}

fn options(scene: &Scene) -> Options {
    let tall = &scene.water.tall;
    let band = Band { below: tall.below, above: tall.above, step: tall.step, ..Band::default() };
    Options {
        gravity: scene.gravity,
        band: (scene.water.solver == Solver::TallCells).then_some(band),
        hold_volume: tall.hold_volume,
        reinitialise_every: tall.reinitialise_every.into(),
        tolerance: tall.pressure_tolerance as f32,
        iterations: tall.pressure_iterations as usize,
        max_cfl: tall.max_cfl,
        single_step: tall.single_step,
        fine_surface: tall.surface > 1,
        cubic_surface: tall.cubic_surface,
        thickening: tall.thickening,
        discretisation: match tall.discretisation {
            Discretisation::Galerkin => thalweg_tall::Discretisation::Galerkin,
            Discretisation::Collocated => thalweg_tall::Discretisation::Collocated,
        },
        ..Options::default()
    }
}
