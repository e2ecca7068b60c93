//! A scene in motion.

use std::sync::Arc;

use thalweg_bodies::{BodyState, Overlap};
use thalweg_compute::{Executor, Later, Timings};
pub use thalweg_model::WaterSurface;
use thalweg_scene::heightmap::streamed::PyramidReport;
use thalweg_scene::{Obstacle, Scene, Solver};
use thalweg_shallow::tree::{TreeSnapshot, TreeWater};
use thalweg_shallow::{CellList, ShallowWater, Snapshot};
use thalweg_tall::{SurfaceMesh, TallWater, Tuning, WaterColumns};

use crate::backend::Backend;
use crate::bodies::Afloat;
use crate::error::Error;
use crate::judge::at_its_line;
use crate::pour::{Pour, PourError};
use crate::probes::Probes;
use crate::setup::{Ground, setup};
use crate::solids::{Pose, pose};
use crate::spray::Particles;
use crate::statistics::Statistics;
use crate::tall_scene::{SavedTall, TallScene, WaterSection, WaterVolume};
use crate::tree_scene::{TreeLevel, TreeScene};

/// A running simulation.
pub struct Simulation {
    scene: Scene,
    water: Water,
    probes: Probes,
    /// Steps before the last load.
    steps_before: u64,
}

/// The water, by the method that moves it.
enum Water {
    Shallow(Box<ShallowScene>),
    Tree(Box<TreeScene>),
    Tall(Box<TallScene>),
}

/// Shallow water with what a run asks of it.
struct ShallowScene {
    water: ShallowWater,
    bed: Vec<f32>,
    gauges: Option<CellList>,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("scene", &self.scene.name)
            .field("time", &self.time())
            .finish_non_exhaustive()
    }
}

/// A simulation put aside. Loaded into a simulation of the same scene it goes on with the same bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// Digest of the scene.
    pub digest: u64,
    /// Steps taken.
    pub steps: u64,
    /// The water.
    pub water: SavedWater,
    /// What gauges remember.
    pub probes: Vec<f64>,
}

/// Water put aside, by the method that moves it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SavedWater {
    /// Shallow water.
    Shallow(Snapshot),
    /// Shallow water on a quadtree.
    Tree(Box<TreeSnapshot>),
    /// Three-dimensional water.
    Tall(Box<SavedTall>),
}

impl Simulation {
    /// Opens the backend and fills the domain.
    pub fn new(scene: Scene, backend: Backend) -> Result<Self, Error> {
        Self::on(Arc::new(backend.open(None)?), scene)
    }

    /// Runs on an executor of the caller's, such as one over an engine's own device.
    pub fn on(executor: Arc<Executor>, scene: Scene) -> Result<Self, Error> {
        Self::with_progress(executor, scene, &mut |_, _| ())
    }

    /// The same, and tells how far it is with what may take long: ground that streams is read once, in blocks. `progress` gets how many are done and how many
    /// there are, after each of them; nothing if an earlier run left its survey beside the raster, or if the ground is in memory.
    pub fn with_progress(
        executor: Arc<Executor>,
        scene: Scene,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, Error> {
        if scene.water.solver.is_three_dimensional() {
            let tall = TallScene::new(executor, &scene).map_err(|error| at_its_line(error, &scene))?;
            let tall = Box::new(tall);
            let probes = Probes::new(&scene);
            return Ok(Self { scene, water: Water::Tall(tall), probes, steps_before: 0 });
        }
        if scene.water.solver == Solver::Quadtree {
            let tree = Box::new(TreeScene::new(executor, &scene, progress)?);
            let probes = Probes::on_tree(&scene);
            return Ok(Self { scene, water: Water::Tree(tree), probes, steps_before: 0 });
        }
        let ground = Ground::of(&scene)?;
        let initial = |i, k| ground.cell(&scene, i, k);
        let water = ShallowWater::new(executor, setup(&scene, &initial))?;
        let bed = water.bed();
        let probes = Probes::new(&scene);
        let gauges = if probes.cells().is_empty() { None } else { Some(water.cell_list(probes.cells())?) };
        let water = Water::Shallow(Box::new(ShallowScene { water, bed, gauges }));
        Ok(Self { scene, water, probes, steps_before: 0 })
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The executor.
    pub fn executor(&self) -> &Arc<Executor> {
        match &self.water {
            Water::Shallow(shallow) => shallow.water.executor(),
            Water::Tree(tree) => tree.water.executor(),
            Water::Tall(tall) => tall.water.executor(),
        }
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        match &self.water {
            Water::Shallow(shallow) => shallow.water.time(),
            Water::Tree(tree) => tree.water.time(),
            Water::Tall(tall) => tall.water.time(),
        }
    }

    /// Steps so far, those before a load included and failed ones not.
    pub fn steps(&self) -> u64 {
        let since = match &self.water {
            Water::Shallow(shallow) => shallow.water.frames(),
            Water::Tree(tree) => tree.water.frames(),
            Water::Tall(tall) => tall.frames(),
        };
        self.steps_before + since
    }

    /// Goes on by `dt` seconds, in as many sub-steps as stability asks for. On a GPU it returns before the
    /// work is done; whatever reads the water waits for it, and a failed step shows there or in the next one.
    pub fn step(&mut self, dt: f64) -> Result<(), Error> {
        match &mut self.water {
            Water::Shallow(shallow) => Ok(shallow.water.advance(dt)?),
            Water::Tree(tree) => tree.step(&self.scene, dt),
            Water::Tall(tall) => tall.step(dt),
        }
    }

    /// Pours water in during the next step, and only in that: call it before every step for as long as it shall flow. At a place
    /// in the air the water appears when enough is owed to fill the stream's cylinder. What comes is in the books
    /// ([`Statistics::added`]). Three-dimensional water only.
    ///
    /// ```
    /// use thalweg::{Backend, Pour, Scene, Simulation};
    ///
    /// let mut simulation = Simulation::new(Scene::shipped("column-2d")?, Backend::Cpu)?;
    /// let stream = Pour { centre: [2.0, 1.0, 0.01], radius: 0.06, velocity: [0.0, -0.5, 0.0] };
    /// for _ in 0..4 {
    ///     simulation.pour(stream)?;
    ///     simulation.step(0.025)?;
    /// }
    /// assert!(simulation.statistics()?.added > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pour(&mut self, pour: Pour) -> Result<(), Error> {
        match &mut self.water {
            Water::Shallow(_) | Water::Tree(_) => Err(PourError::Shallow.into()),
            Water::Tall(tall) => tall.pour(pour),
        }
    }

    /// Takes the water in a ball along: `centre` in world coordinates and `radius` in m, `velocity` in m/s. Water in the middle gets that velocity,
    /// water at the rim keeps its own. Three-dimensional water only.
    pub fn push(&mut self, centre: [f64; 3], radius: f64, velocity: [f64; 3]) -> Result<(), Error> {
        match &mut self.water {
            Water::Shallow(_) | Water::Tree(_) => Err(Error::NeedsTallCells { what: "pushed" }),
            Water::Tall(tall) => tall.push(centre, radius, velocity),
        }
    }

    /// Puts other obstacles into the water, which goes on as it is: water inside a new one counts as gone out ([`Statistics::removed`]), where one
    /// was there is air. Probes of forces go by the number of an obstacle, so that new ones belong at the end. What was saved before cannot be
    /// loaded any more. Takes as long as the beginning of the scene; after an error nothing has changed. Three-dimensional water only.
    pub fn set_obstacles(&mut self, obstacles: Vec<Obstacle>) -> Result<(), Error> {
        let Water::Tall(tall) = &mut self.water else { return Err(Error::NeedsTallCells { what: "built in" }) };
        let old = self.scene.replace_obstacles(obstacles);
        let changed = tall.set_obstacles(&self.scene, &old);
        if changed.is_err() {
            self.scene.replace_obstacles(old);
        }
        changed
    }

    /// Settings that can change while the water runs; `None` for shallow water.
    pub fn tuning(&self) -> Option<Tuning> {
        self.tall().map(TallWater::tuning)
    }

    /// Changes them from the next step on. A value out of its range changes nothing.
    pub fn tune(&mut self, tuning: Tuning) -> Result<(), Error> {
        match &mut self.water {
            Water::Shallow(_) | Water::Tree(_) => Err(Error::NeedsTallCells { what: "tuned while it runs" }),
            Water::Tall(tall) => Ok(tall.water.tune(tuning)?),
        }
    }

    /// Volume, energy, speed and the books.
    pub fn statistics(&mut self) -> Result<Statistics, Error> {
        match &mut self.water {
            Water::Shallow(shallow) => Ok(shallow.water.statistics()?),
            Water::Tree(tree) => Ok(tree.water.statistics()?),
            Water::Tall(tall) => tall.statistics(),
        }
    }

    /// Names of the gauges' columns.
    pub fn probe_columns(&self) -> Vec<String> {
        self.probes.columns()
    }

    /// The gauges' values, one per column.
    pub fn read_probes(&mut self) -> Result<Vec<f64>, Error> {
        if self.probes.is_empty() {
            return Ok(Vec::new());
        }
        if let Water::Tree(tree) = &mut self.water {
            let samples = tree.samples(self.probes.places())?;
            let tiles = if self.probes.wants_tiles() { tree.water.fields()? } else { Vec::new() };
            return Ok(self.probes.read_tree(&samples, &tiles, &self.scene.grid));
        }
        let pressures = match &self.water {
            Water::Shallow(_) | Water::Tree(_) => Vec::new(),
            Water::Tall(tall) => tall.pressures(self.probes.pressures())?,
        };
        if let Water::Tall(tall) = &self.water {
            self.probes.see_bodies(tall.bodies.as_ref().map(Afloat::states).unwrap_or_default());
        }
        let samples = match &mut self.water {
            Water::Shallow(shallow) => match &shallow.gauges {
                Some(gauges) => shallow.water.sample(gauges)?,
                None => Vec::new(),
            },
            Water::Tree(_) => Vec::new(),
            Water::Tall(_) if self.probes.cells().is_empty() => Vec::new(),
            Water::Tall(tall) => tall.samples(self.probes.cells())?,
        };
        Ok(self.probes.read(&samples, &pressures))
    }

    /// The water as a height field.
    pub fn water_surface(&mut self) -> Result<WaterSurface, Error> {
        self.water_surface_later()?.wait()
    }

    /// The same, to be worked out while the simulation goes on. Of three-dimensional water it does not wait for the executor.
    pub fn water_surface_later(&mut self) -> Result<Later<WaterSurface, Error>, Error> {
        let grid = &self.scene.grid;
        let (size, cell, origin) = ([grid.nx as usize, grid.nz as usize], grid.cell, grid.origin);
        match &mut self.water {
            Water::Shallow(shallow) => {
                let (bed, fields) = (shallow.bed.clone(), shallow.water.fields()?);
                let velocity = [fields.u, fields.w];
                let (depth, surface) = (fields.depth, fields.surface);
                let maps = shallow.water.maps()?;
                let water = WaterSurface { size, cell, origin, bed, depth, surface, velocity, maps };
                Ok(Later::new(|| Ok(water)))
            }
            Water::Tree(tree) => {
                let water = tree.water_surface(&self.scene)?;
                Ok(Later::new(|| Ok(water)))
            }
            Water::Tall(tall) => {
                let bed = tall.bed().to_vec();
                Ok(tall.columns_later()?.map(move |columns: WaterColumns| {
                    let WaterColumns { depth, surface, velocity } = columns;
                    WaterSurface { size, cell, origin, bed, depth, surface, velocity, maps: None }
                }))
            }
        }
    }

    /// A vertical cut along x at a z, m, or through the middle of the domain; `None` for a height field.
    pub fn section(&self, z: Option<f64>) -> Result<Option<WaterSection>, Error> {
        self.section_later(z)?.map(Later::wait).transpose()
    }

    /// The same, to be worked out while the simulation goes on; does not wait for the executor.
    pub fn section_later(&self, z: Option<f64>) -> Result<Option<Later<WaterSection, Error>>, Error> {
        match &self.water {
            Water::Shallow(_) | Water::Tree(_) => Ok(None),
            Water::Tall(tall) => Ok(Some(tall.section_later(z)?)),
        }
    }

    /// The surface of the water as triangles in world coordinates: closed around three-dimensional water, open and without cracks over a quadtree;
    /// `None` for a uniform height field.
    pub fn surface_mesh(&mut self) -> Result<Option<SurfaceMesh>, Error> {
        self.surface_mesh_later()?.map(Later::wait).transpose()
    }

    /// The same, to be worked out while the simulation goes on. Of three-dimensional water it does not wait for the executor.
    pub fn surface_mesh_later(&mut self) -> Result<Option<Later<SurfaceMesh, Error>>, Error> {
        match &mut self.water {
            Water::Shallow(_) => Ok(None),
            Water::Tree(tree) => {
                let mesh = tree.surface_mesh()?;
                Ok(Some(Later::new(|| Ok(mesh))))
            }
            Water::Tall(tall) => Ok(Some(tall.surface_mesh_later()?)),
        }
    }

    /// The water on cubic cells: level set, velocity, pressure; `None` for a height field.
    pub fn water_volume(&self) -> Result<Option<WaterVolume>, Error> {
        match &self.water {
            Water::Shallow(_) | Water::Tree(_) => Ok(None),
            Water::Tall(tall) => Ok(Some(tall.volume()?)),
        }
    }

    /// The rigid bodies of the scene as they are now, in its order.
    pub fn bodies(&self) -> Vec<BodyState> {
        self.afloat().map(Afloat::states).unwrap_or_default()
    }

    /// Bodies that are stuck in each other, in the ground or in obstacles: contacts push them apart with force.
    pub fn overlaps(&self) -> Vec<Overlap> {
        self.afloat().map(Afloat::overlaps).unwrap_or_default()
    }

    pub(crate) fn afloat(&self) -> Option<&Afloat> {
        self.tall_scene().and_then(|tall| tall.bodies.as_ref())
    }

    /// Spray, mist and foam, read back; `None` if the scene has no whitewater.
    pub fn particles(&self) -> Result<Option<Particles>, Error> {
        match &self.water {
            Water::Shallow(_) | Water::Tree(_) => Ok(None),
            Water::Tall(tall) => tall.particles(),
        }
    }

    /// Where the obstacles of the scene are now, in their order.
    pub fn obstacle_poses(&self) -> Vec<Pose> {
        self.scene.obstacles.iter().map(|obstacle| pose(obstacle, self.time())).collect()
    }

    /// The solver of three-dimensional water, for what only it knows: level set, heights of columns.
    pub fn tall(&self) -> Option<&TallWater> {
        match &self.water {
            Water::Shallow(_) | Water::Tree(_) => None,
            Water::Tall(tall) => Some(&tall.water),
        }
    }

    /// The solver on a quadtree, for what only it knows: levels, strain of the budget.
    pub fn tree(&self) -> Option<&TreeWater> {
        match &self.water {
            Water::Tree(tree) => Some(&tree.water),
            Water::Shallow(_) | Water::Tall(_) => None,
        }
    }

    /// Tiles of a quadtree in use, coarsest first; `None` for other water.
    pub fn tree_levels(&mut self) -> Result<Option<Vec<TreeLevel>>, Error> {
        match &mut self.water {
            Water::Tree(tree) => Ok(Some(tree.levels()?)),
            Water::Shallow(_) | Water::Tall(_) => Ok(None),
        }
    }

    /// How ground that streams came about: from the file that an earlier run left beside the raster, or from all of the raster; `None` if none streams.
    pub fn ground_report(&self) -> Option<&PyramidReport> {
        match &self.water {
            Water::Tree(tree) => tree.ground_report(),
            Water::Shallow(_) | Water::Tall(_) => None,
        }
    }

    /// The volume as a whole number of units, and what a unit is, m³, which kernel advection on a quadtree accounts for to the last one; `None` for other water.
    pub fn counted_volume(&mut self) -> Result<Option<(u128, f64)>, Error> {
        match &mut self.water {
            Water::Tree(tree) => Ok(tree.water.counted_volume()?),
            Water::Shallow(_) | Water::Tall(_) => Ok(None),
        }
    }

    /// What came in and what went out since the start, in the units of [`counted_volume`](Self::counted_volume), which has changed by exactly their difference.
    pub fn counted_books(&mut self) -> Result<Option<[u128; 2]>, Error> {
        match &mut self.water {
            Water::Tree(tree) => Ok(tree.water.counted_books()?),
            Water::Shallow(_) | Water::Tall(_) => Ok(None),
        }
    }

    /// Puts somebody who looks at the water at a place `[x, z]`, m: on a quadtree cells farther away than `near` (m) may be larger from the next steps on.
    /// Other water is as fine everywhere. A path in the scene takes the observer back at the next step.
    pub fn observe(&mut self, place: [f64; 2], near: f64) -> Result<(), Error> {
        match &mut self.water {
            Water::Tree(tree) => tree.observe(place, near),
            Water::Shallow(_) | Water::Tall(_) => Ok(()),
        }
    }

    /// Three-dimensional water with its place in the world.
    pub(crate) fn tall_scene(&self) -> Option<&TallScene> {
        match &self.water {
            Water::Shallow(_) | Water::Tree(_) => None,
            Water::Tall(tall) => Some(tall),
        }
    }

    /// The same, to change it, and the scene that it is of.
    pub(crate) fn tall_scene_mut(&mut self) -> Option<(&mut TallScene, &mut Scene)> {
        match &mut self.water {
            Water::Shallow(_) | Water::Tree(_) => None,
            Water::Tall(tall) => Some((tall, &mut self.scene)),
        }
    }

    /// Switches timing per stage on or off.
    pub fn set_timed(&self, timed: bool) {
        self.executor().set_timed(timed);
    }

    /// Time per stage since the last call.
    pub fn take_timings(&self) -> Result<Timings, Error> {
        Ok(self.executor().take_timings()?)
    }

    /// Puts the simulation aside.
    pub fn save(&mut self) -> Result<Saved, Error> {
        let water = match &mut self.water {
            Water::Shallow(shallow) => SavedWater::Shallow(shallow.water.snapshot()?),
            Water::Tree(tree) => SavedWater::Tree(Box::new(tree.water.snapshot()?)),
            Water::Tall(tall) => SavedWater::Tall(Box::new(tall.save()?)),
        };
        Ok(Saved { digest: self.scene.digest, steps: self.steps(), water, probes: self.probes.memory() })
    }

    /// Takes up what was put aside. The scene must be the same.
    pub fn load(&mut self, saved: &Saved) -> Result<(), Error> {
        if saved.digest != self.scene.digest {
            return Err(Error::Saved("it was saved from another scene, or the scene was changed since".into()));
        }
        if !self.probes.restore(&saved.probes) {
            return Err(Error::Saved("it holds another number of probes".into()));
        }
        match (&mut self.water, &saved.water) {
            (Water::Shallow(shallow), SavedWater::Shallow(saved)) => shallow.water.restore(saved)?,
            (Water::Tree(tree), SavedWater::Tree(saved)) => tree.water.restore(saved)?,
            (Water::Tall(tall), SavedWater::Tall(saved)) => tall.load(saved)?,
            _ => return Err(Error::Saved("it was saved by another solver".into())),
        }
        self.steps_before = saved.steps;
        Ok(())
    }
}
