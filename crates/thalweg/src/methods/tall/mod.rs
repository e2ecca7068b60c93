//! Three-dimensional water of a scene.

mod grab;
pub(crate) mod pour;
mod saved;
pub(crate) mod sides_and_sources;
#[cfg(feature = "render")]
mod view;
pub(crate) mod whitewater;

use std::any::Any;
use std::sync::Arc;

use thalweg_bodies::{BodyState, Overlap};
use thalweg_columns::Shape;
#[cfg(feature = "render")]
use thalweg_compute::Buffer;
use thalweg_compute::{Executor, Later};
use thalweg_ledger::Ledger;
use thalweg_model::{Abilities, Ability, Snapshot};
pub use thalweg_model::{FineLevelSet, WaterSection, WaterVolume};
#[cfg(feature = "render")]
use thalweg_render::WaterView;
use thalweg_scene::{self as scene, Scene};
use thalweg_tall::{Band, Obstacle, Options, Pressures, Setup, SurfaceMesh, TallWater, Tuning, WaterColumns};
use thalweg_whitewater::Whitewater;

use crate::bodies::FloatingBodies;
use crate::error::Error;
use crate::interaction::{Interaction, Picked};
use crate::method::Method;
use crate::probes::grid::{Cells, samples};
use crate::probes::{Answer, Question};
use crate::sampler::Sampler;
use crate::simulation::WaterSurface;
use crate::solids::obstacles;
use crate::statistics::Statistics;
use whitewater::Particles;

/// Density of water, kg/m³.
const DENSITY: f64 = 1000.0;

/// Longest time for which the solver plans its steps by the speed of the water at its beginning, s: falling water gains
/// 0.3 m/s in it.
const LONGEST_PLAN: f64 = 1.0 / 30.0;

/// Ground that is nearer to a multiple of the cell than this part of it is that multiple: it comes in single precision,
/// and a sliver of a cell is no use to anybody.
const SNAP: f64 = 1e-3;

/// The solver with what it needs to know of the world.
pub struct TallScene {
    pub(crate) water: TallWater,
    /// World coordinates of the corner from which the solver counts, m.
    corner: [f64; 3],
    /// Height of the domain, m.
    height: f64,
    bed: Vec<f32>,
    frames: u64,
    crowded: u32,
    abilities: &'static Abilities,
    /// The cells that probes look at, made when they first ask.
    gauges: Option<Arc<Cells>>,
    /// Whether water is poured in during the next step.
    pub(crate) pours: bool,
    /// Rigid bodies, if the scene has any.
    pub(crate) bodies: Option<FloatingBodies>,
    /// Spray, mist and foam, if the scene has them.
    pub(crate) whitewater: Option<Whitewater>,
    /// Memory for pictures, taken for the first one.
    #[cfg(feature = "render")]
    drawn: Option<thalweg_tall::Picture>,
}

impl TallScene {
    pub(crate) fn new(executor: Arc<Executor>, scene: &Scene) -> Result<Self, Error> {
        let grid = &scene.grid;
        let bed = scene.terrain.rasterise(grid)?;
        let [low, high] = scene.elevations(&bed);
        scene.water.check_height([low, high])?;
        let corner = [grid.origin[0], low, grid.origin[1]];
        let exchange = sides_and_sources::exchange(scene, corner)?;
        let bodies = FloatingBodies::new(scene, &bed, corner)?;
        let floating = bodies.as_ref().map(FloatingBodies::obstacles).unwrap_or_default();
        let place = (&*bed, corner, floating);
        let mut water = with_setup(scene, place, |setup| Ok(TallWater::with_exchange(executor, setup, &exchange)?))?;
        if let Some(bodies) = &bodies {
            bodies.place(&mut water)?;
        }
        let whitewater = whitewater::whitewater(scene, &water)?;
        let abilities = scene.water.solver.abilities();
        let (height, frames, crowded) = (grid.height, 0, 0);
        let (gauges, pours) = (None, false);
        Ok(Self {
            water,
            corner,
            height,
            bed,
            frames,
            crowded,
            abilities,
            gauges,
            pours,
            bodies,
            whitewater,
            #[cfg(feature = "render")]
            drawn: None,
        })
    }

    /// The same water among the obstacles of a scene that is the same in all else; `old` are those before.
    pub(crate) fn set_obstacles(&mut self, scene: &Scene, old: &[scene::Obstacle]) -> Result<(), Error> {
        let gone = old.iter().filter(|solid| !scene.obstacles.contains(solid));
        let gone: Vec<scene::Obstacle> = gone.cloned().collect();
        let gone = obstacles(&gone, self.corner, (&Sampler::new(scene, self.corner[1]), scene.grid.cell))?;
        let floating = self.bodies.as_ref().map(FloatingBodies::obstacles).unwrap_or_default();
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
        let exchange = sides_and_sources::exchange(scene, self.corner)?;
        let among = |setup: &Setup<'_>| Ok(self.water.among(setup, &exchange, gone)?);
        with_setup(scene, (&self.bed, self.corner, floating), among)
    }

    pub(crate) fn bed(&self) -> &[f32] {
        &self.bed
    }

    /// The solver: level set, heights of columns.
    pub fn water(&self) -> &TallWater {
        &self.water
    }

    /// World coordinates of the corner from which the solver counts, m.
    pub(crate) fn corner(&self) -> [f64; 3] {
        self.corner
    }

    /// Cells from the lowest ground to the top of the domain.
    pub(crate) fn cells_up(&self) -> u32 {
        (self.height / self.water.cell() - 1e-6).ceil().max(1.0) as u32
    }

    /// Takes water along; see [`TallWater::push`].
    pub(crate) fn push(&mut self, centre: [f64; 3], radius: f64, velocity: [f64; 3]) -> Result<(), Error> {
        let local = std::array::from_fn(|axis| centre[axis] - self.corner[axis]);
        Ok(self.water.push(local, radius, velocity)?)
    }

    /// The water over every column, with elevations of the surface in the world.
    pub(crate) fn columns_later(&self) -> Result<Later<WaterColumns, Error>, Error> {
        let low = self.corner[1];
        Ok(self.water.columns_later()?.map(move |mut columns| {
            columns.surface.iter_mut().for_each(|height| *height = (f64::from(*height) + low) as f32);
            columns
        }))
    }
}

impl Method for TallScene {
    fn kind(&self) -> &'static str {
        saved::KIND
    }

    fn abilities(&self) -> &Abilities {
        self.abilities
    }

    fn executor(&self) -> &Arc<Executor> {
        self.water.executor()
    }

    fn time(&self) -> f64 {
        self.water.time()
    }

    fn frames(&self) -> u64 {
        self.frames
    }

    fn advance(&mut self, _: &Scene, dt: f64) -> Result<(), Error> {
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
                    let water = &mut self.water;
                    let stepped = (0..steps).try_for_each(|_| bodies.step(water, dt / plans / f64::from(steps)));
                    stepped.and(bodies.receive())?;
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

    fn statistics_later(&mut self) -> Result<Later<Statistics, Error>, Error> {
        let (sums, ledger) = (self.water.statistics_later()?, self.water.ledger_later()?);
        let census = self.whitewater.as_ref().map(Whitewater::census_later).transpose()?;
        let (crowded, crowded_before) = (self.water.crowded_columns_later()?, self.crowded);
        let (time, cell, substeps) = (self.water.time(), self.water.cell().powi(3), self.water.steps());
        let speed_limit = Some(self.water.speed_limit());
        Ok(Later::new(move || {
            let (sums, ledger) = (sums.wait()?, ledger.wait()?);
            let census = census.map(Later::wait).transpose()?;
            let whitewater = census.map(|census| census.with(&ledger)).unwrap_or_default();
            Ok(Statistics {
                time,
                volume: sums.volume * cell + whitewater.volume,
                kinetic_energy: DENSITY * sums.energy * cell,
                potential_energy: None,
                wet_area: None,
                max_speed: f64::from(sums.speed),
                speed_limit,
                added: ledger.added(),
                removed: ledger.removed(),
                substeps,
                crowded_columns: crowded_before.max(crowded.wait()?),
                whitewater,
            })
        }))
    }

    fn ledger_later(&mut self) -> Result<Later<Ledger, Error>, Error> {
        Ok(self.water.ledger_later()?.errors_into())
    }

    fn surface_later(&mut self, scene: &Scene) -> Result<Later<WaterSurface, Error>, Error> {
        let (grid, bed) = (scene.grid, self.bed.clone());
        Ok(self.columns_later()?.map(move |columns: WaterColumns| {
            let WaterColumns { depth, surface, velocity } = columns;
            let size = [grid.nx as usize, grid.nz as usize];
            WaterSurface { size, cell: grid.cell, origin: grid.origin, bed, depth, surface, velocity, maps: None }
        }))
    }

    #[cfg(feature = "render")]
    fn view(
        &mut self,
        scene: &Scene,
        _: f64,
        drift: Option<&Buffer<[f32; 2]>>,
    ) -> Result<Option<WaterView<'_>>, Error> {
        self.draw(scene, drift).map(Some)
    }

    fn answers_later(
        &mut self,
        scene: &Scene,
        questions: &Arc<[Question]>,
        is_new: bool,
    ) -> Result<Later<Vec<Answer>, Error>, Error> {
        let known = self.gauges.take().filter(|_| !is_new);
        let cells = known.unwrap_or_else(|| Arc::new(Cells::new(&scene.grid, questions)));
        self.gauges = Some(Arc::clone(&cells));
        let surface = (!cells.list.is_empty()).then(|| self.surface_later(scene)).transpose()?;
        let is_of_pressures = |question: &Question| matches!(question, Question::Pressure(_) | Question::Force(_));
        let pressures = questions.iter().any(is_of_pressures).then(|| self.water.pressures_later()).transpose()?;
        let asks_for_bodies = questions.iter().any(|question| matches!(question, Question::Bodies));
        let bodies = if asks_for_bodies { self.bodies() } else { Vec::new() };
        let (questions, corner) = (Arc::clone(questions), self.corner);
        Ok(Later::new(move || {
            let surface = surface.map(Later::wait).transpose()?;
            let samples = surface.map(|surface| samples(&surface, &cells.list)).unwrap_or_default();
            let pressures = pressures.map(Later::wait).transpose()?;
            Ok(cells.answers(&questions, &samples, |question| match (question, &pressures) {
                (Question::Bodies, _) => Answer::Bodies(bodies.clone()),
                (question, Some(pressures)) => of_pressures(question, pressures, corner),
                _ => Answer::Unknown,
            }))
        }))
    }

    fn section_later(&self, z: Option<f64>) -> Result<Option<Later<WaterSection, Error>>, Error> {
        let (corner, cell, nz) = (self.corner, self.water.cell(), self.water.shape().nz);
        let row = z.map_or(nz as f64 / 2.0, |z| (z - corner[2]) / cell).clamp(0.0, (nz - 1) as f64);
        let cut = self.water.section_later(row as usize, self.cells_up() as usize)?;
        Ok(Some(cut.map(move |cut| {
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
        })))
    }

    fn mesh_later(&mut self) -> Result<Option<Later<SurfaceMesh, Error>>, Error> {
        let corner = self.corner;
        let in_world = move |mut mesh: SurfaceMesh| {
            for place in &mut mesh.vertices {
                *place = std::array::from_fn(|axis| (f64::from(place[axis]) + corner[axis]) as f32);
            }
            mesh
        };
        Ok(Some(self.water.surface_mesh_later()?.map(in_world)))
    }

    fn volume_later(&self) -> Result<Option<Later<WaterVolume, Error>>, Error> {
        let (cell, corner) = (self.water.cell(), self.corner);
        let scaled = |values: Vec<f32>, by: f64| values.into_iter().map(|v| (f64::from(v) * by) as f32).collect();
        Ok(Some(self.water.volume_grid_later()?.map(move |block| {
            let fine = block.fine.map(|fine| FineLevelSet {
                size: std::array::from_fn(|axis| block.size[axis] * fine.ratio[axis]),
                cell: fine.ratio.map(|ratio| cell / ratio as f64),
                level_set: scaled(fine.level_set, 0.5 * cell),
            });
            WaterVolume {
                size: block.size,
                cell,
                origin: std::array::from_fn(|axis| corner[axis] + f64::from(block.low[axis]) * cell),
                level_set: scaled(block.level_set, cell),
                velocity: block.velocity,
                pressure: scaled(block.pressure, DENSITY),
                fine,
            }
        })))
    }

    fn particles_later(&self) -> Result<Option<Later<Particles, Error>>, Error> {
        self.whitewater.as_ref().map(|some| whitewater::particles_later(some, self.corner)).transpose()
    }

    fn bodies(&self) -> Vec<BodyState> {
        self.bodies.as_ref().map(FloatingBodies::states).unwrap_or_default()
    }

    fn overlaps(&self) -> Vec<Overlap> {
        self.bodies.as_ref().map(FloatingBodies::overlaps).unwrap_or_default()
    }

    fn pick(&self, origin: [f64; 3], direction: [f64; 3]) -> Option<Picked> {
        let world = &self.bodies.as_ref()?.world;
        let found = world.pick(origin, direction)?;
        let state = world.states().into_iter().nth(found.body)?;
        let point = state.pose.point(found.point);
        Some(Picked { body: state.name, point, distance: found.distance, is_kinematic: state.is_kinematic })
    }

    fn tuning(&self) -> Option<Tuning> {
        Some(self.water.tuning())
    }

    fn interact(&mut self, scene: &mut Scene, what: Interaction) -> Result<(), Error> {
        match what {
            Interaction::Pour(pour) => self.pour(pour),
            Interaction::Push { centre, radius, velocity } => self.push(centre, radius, velocity),
            Interaction::Tune(tuning) => Ok(self.water.tune(tuning)?),
            Interaction::SetObstacles(obstacles) => {
                let old = scene.replace_obstacles(obstacles);
                let changed = self.set_obstacles(scene, &old);
                if changed.is_err() {
                    scene.replace_obstacles(old);
                }
                changed
            }
            Interaction::Observe { .. } => Err(self.refusal(&what)),
            of_a_body => self.touch_bodies(scene, of_a_body),
        }
    }

    fn snapshot_later(&mut self) -> Result<Later<Snapshot, Error>, Error> {
        self.save_later()
    }

    fn restore(&mut self, saved: &Snapshot) -> Result<(), Error> {
        self.load(saved)
    }

    fn stages(&self) -> &'static [&'static str] {
        &[
            "extrapolate",
            "reinitialise",
            "level set",
            "velocity",
            "exchange",
            "remesh",
            "project",
            "whitewater",
            "statistics",
        ]
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// What is asked of the pressure, in a world in which the solver counts from `corner`.
fn of_pressures(question: &Question, pressures: &Pressures, corner: [f64; 3]) -> Answer {
    let found = match question {
        Question::Pressure(point) => {
            let local = std::array::from_fn(|axis| point[axis] - corner[axis]);
            pressures.at(local).map(|pressure| [pressure; 3])
        }
        Question::Force(number) => pressures.force(*number),
        _ => return Answer::Unknown,
    };
    Answer::Vector(found.map_or([f64::NAN; 3], |value| value.map(|v| DENSITY * v)))
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
        band: scene.water.solver.has(Ability::TallCells).then_some(band),
        hold_volume: tall.hold_volume,
        reinitialise_every: tall.reinitialise_every.into(),
        tolerance: tall.pressure_tolerance as f32,
        iterations: tall.pressure_iterations as usize,
        max_cfl: tall.max_cfl,
        single_step: tall.single_step,
        fine_surface: tall.surface > 1,
        cubic_surface: tall.cubic_surface,
        thickening: tall.thickening,
        discretisation: tall.discretisation,
        ..Options::default()
    }
}
