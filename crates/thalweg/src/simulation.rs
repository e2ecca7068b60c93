//! A scene in motion.

use std::sync::Arc;

use thalweg_bodies::{BodyState, Overlap};
#[cfg(feature = "render")]
use thalweg_compute::Buffer;
use thalweg_compute::{Executor, Later, Timings};
use thalweg_ledger::Ledger;
pub use thalweg_model::WaterSurface;
use thalweg_model::{Abilities, Ability, Snapshot};
#[cfg(feature = "render")]
use thalweg_render::WaterView;
use thalweg_scene::{Obstacle, Scene};
use thalweg_tall::{SurfaceMesh, Tuning};

use crate::backend::Backend;
use crate::error::Error;
use crate::interaction::{Interaction, Picked};
use crate::method::{Method, Report};
use crate::methods::of_scene;
use crate::methods::tall::pour::Pour;
use crate::methods::tall::whitewater::Particles;
use crate::methods::tall::{WaterSection, WaterVolume};
use crate::probes::{Answer, Probe, Probes};
use crate::solids::{Pose, pose};
use crate::statistics::Statistics;
use crate::world::World;

/// A running simulation: a scene, the world of its water, and its gauges.
///
/// What ends in `_later` begins to read the water as it is, and what is left to do is done by whoever waits for it; the
/// simulation may go on before. The same without it waits at once. On a GPU a height field is read when its last step
/// is complete, which is waited for; three-dimensional water waits for nothing.
pub struct Simulation {
    scene: Scene,
    world: World,
    probes: Probes,
    /// Steps before the last load.
    steps_before: u64,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("scene", &self.scene.name)
            .field("time", &self.time())
            .finish_non_exhaustive()
    }
}

/// A saved simulation. Loaded into a simulation of the same scene it goes on with the same bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// Digest of the scene.
    pub digest: u64,
    /// Steps taken.
    pub steps: u64,
    /// The water.
    pub water: Snapshot,
    /// What gauges remember.
    pub probes: Vec<f64>,
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
        let water = of_scene(executor, &scene, progress)?;
        Ok(Self::with_method(scene, water))
    }

    /// A simulation of a scene by a method of the caller's, which stands for what the scene says of its solver.
    pub fn with_method(scene: Scene, water: Box<dyn Method>) -> Self {
        let probes = Probes::new(&scene);
        Self { scene, world: World::of(water), probes, steps_before: 0 }
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The executor.
    pub fn executor(&self) -> &Arc<Executor> {
        self.world.water().executor()
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.world.time()
    }

    /// Steps so far, those before a load included and failed ones not.
    pub fn steps(&self) -> u64 {
        self.steps_before + self.world.frames()
    }

    /// Goes on by `dt` seconds, in as many sub-steps as stability asks for. On a GPU it returns before the
    /// work is done; whatever reads the water waits for it, and a failed step shows there or in the next one.
    pub fn step(&mut self, dt: f64) -> Result<(), Error> {
        self.world.step(&self.scene, dt)
    }

    /// Pours water in during the next step, and only in that: call it before every step for as long as it shall flow. At a place
    /// in the air the water appears when enough is owed to fill the stream's cylinder. What comes is in the ledger
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
        self.apply(Interaction::Pour(pour))
    }

    /// Takes the water in a ball along: `centre` in world coordinates and `radius` in m, `velocity` in m/s. Water in the middle gets that velocity,
    /// water at the rim keeps its own. Three-dimensional water only.
    pub fn push(&mut self, centre: [f64; 3], radius: f64, velocity: [f64; 3]) -> Result<(), Error> {
        self.apply(Interaction::Push { centre, radius, velocity })
    }

    /// Puts other obstacles into the water, which goes on as it is: water inside a new one counts as gone out ([`Statistics::removed`]), where one
    /// was there is air. Probes of forces go by the number of an obstacle, so that new ones belong at the end. What was saved before cannot be
    /// loaded any more. Takes as long as the beginning of the scene; after an error nothing has changed. Three-dimensional water only.
    pub fn set_obstacles(&mut self, obstacles: Vec<Obstacle>) -> Result<(), Error> {
        self.apply(Interaction::SetObstacles(obstacles))
    }

    /// Settings that can change while the water runs; `None` for shallow water.
    pub fn tuning(&self) -> Option<Tuning> {
        self.world.water().tuning()
    }

    /// Changes them from the next step on. A value out of its range changes nothing.
    pub fn tune(&mut self, tuning: Tuning) -> Result<(), Error> {
        self.apply(Interaction::Tune(tuning))
    }

    /// The methods that move the water, and what concerns all of them.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Where the water went since the start, by account.
    ///
    /// ```
    /// use thalweg::ledger::{Account, Quantity};
    /// use thalweg::{Backend, Scene, Simulation};
    ///
    /// let text = "scene = { name = 'rain', duration = 1 }\ndomain = { size = [8, 1, 8], cell = 1 }\nrain.rate = 100";
    /// let mut simulation = Simulation::new(Scene::from_str(text, "rain.toml", ".")?, Backend::Cpu)?;
    /// simulation.step(0.1)?;
    /// let ledger = simulation.ledger()?;
    /// assert!(ledger.turnover(Quantity::Mass, Account::Rain).is_some_and(|rain| rain.given > 0));
    /// assert_eq!(ledger.imbalance(Quantity::Mass), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ledger(&mut self) -> Result<Ledger, Error> {
        self.ledger_later()?.wait()
    }

    /// The same, to be waited for while the simulation goes on.
    pub fn ledger_later(&mut self) -> Result<Later<Ledger, Error>, Error> {
        self.world.ledger_later()
    }

    /// Volume, energy, speed and what came in and went out.
    pub fn statistics(&mut self) -> Result<Statistics, Error> {
        self.statistics_later()?.wait()
    }

    /// The same, to be waited for while the simulation goes on.
    ///
    /// ```
    /// use thalweg::{Backend, Scene, Simulation};
    ///
    /// let mut simulation = Simulation::new(Scene::shipped("column-2d")?, Backend::Cpu)?;
    /// let before = simulation.statistics_later()?;
    /// simulation.step(0.025)?;
    /// assert_eq!(before.wait()?.time, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn statistics_later(&mut self) -> Result<Later<Statistics, Error>, Error> {
        self.world.water_mut().statistics_later()
    }

    /// Names of the gauges' columns.
    pub fn probe_columns(&self) -> Vec<String> {
        self.probes.columns()
    }

    /// The gauges' values, one per column.
    pub fn read_probes(&mut self) -> Result<Vec<f64>, Error> {
        let answers = self.answers_later()?.wait()?;
        Ok(self.take_answers(&answers))
    }

    /// What the water says to all that the gauges ask, to be waited for while the simulation goes on, and then to be
    /// [taken](Self::take_answers) in the order in which it was asked for.
    pub fn answers_later(&mut self) -> Result<Later<Vec<Answer>, Error>, Error> {
        if self.probes.is_empty() {
            return Ok(Later::known(Vec::new()));
        }
        let (questions, is_new) = self.probes.questions();
        let answers = self.world.water_mut().answers_later(&self.scene, &questions, is_new);
        answers.inspect_err(|_| self.probes.ask_anew())
    }

    /// What the gauges make of answers: their values, one per column. They remember what they have seen.
    pub fn take_answers(&mut self, answers: &[Answer]) -> Vec<f64> {
        self.probes.read(answers)
    }

    /// The water as a height field.
    pub fn water_surface(&mut self) -> Result<WaterSurface, Error> {
        self.water_surface_later()?.wait()
    }

    /// The same, to be worked out while the simulation goes on.
    pub fn water_surface_later(&mut self) -> Result<Later<WaterSurface, Error>, Error> {
        self.world.water_mut().surface_later(&self.scene)
    }

    /// The water as a renderer reads it; see [`Method::view`].
    #[cfg(feature = "render")]
    pub(crate) fn view(
        &mut self,
        floor: f64,
        drift: Option<&Buffer<[f32; 2]>>,
    ) -> Result<Option<WaterView<'_>>, Error> {
        self.world.water_mut().view(&self.scene, floor, drift)
    }

    /// A vertical cut along x at a z, m, or through the middle of the domain; `None` for a height field.
    pub fn section(&self, z: Option<f64>) -> Result<Option<WaterSection>, Error> {
        self.section_later(z)?.map(Later::wait).transpose()
    }

    /// The same, to be worked out while the simulation goes on.
    pub fn section_later(&self, z: Option<f64>) -> Result<Option<Later<WaterSection, Error>>, Error> {
        self.world.water().section_later(z)
    }

    /// The surface of the water as triangles in world coordinates: closed around three-dimensional water, open and without cracks over a quadtree;
    /// `None` for a uniform height field.
    pub fn surface_mesh(&mut self) -> Result<Option<SurfaceMesh>, Error> {
        self.surface_mesh_later()?.map(Later::wait).transpose()
    }

    /// The same, to be worked out while the simulation goes on.
    pub fn surface_mesh_later(&mut self) -> Result<Option<Later<SurfaceMesh, Error>>, Error> {
        self.world.water_mut().mesh_later()
    }

    /// The water on cubic cells: level set, velocity, pressure; `None` for a height field.
    pub fn water_volume(&self) -> Result<Option<WaterVolume>, Error> {
        self.water_volume_later()?.map(Later::wait).transpose()
    }

    /// The same, to be worked out while the simulation goes on.
    pub fn water_volume_later(&self) -> Result<Option<Later<WaterVolume, Error>>, Error> {
        self.world.water().volume_later()
    }

    /// The rigid bodies of the scene as they are now, in its order.
    pub fn bodies(&self) -> Vec<BodyState> {
        self.world.water().bodies()
    }

    /// Bodies that are stuck in each other, in the ground or in obstacles: contacts push them apart with force.
    pub fn overlaps(&self) -> Vec<Overlap> {
        self.world.water().overlaps()
    }

    /// Spray, mist and foam, read back; `None` if the scene has no whitewater.
    pub fn particles(&self) -> Result<Option<Particles>, Error> {
        self.particles_later()?.map(Later::wait).transpose()
    }

    /// The same, to be put together while the simulation goes on.
    pub fn particles_later(&self) -> Result<Option<Later<Particles, Error>>, Error> {
        self.world.water().particles_later()
    }

    /// Where the obstacles of the scene are now, in their order.
    pub fn obstacle_poses(&self) -> Vec<Pose> {
        self.scene.obstacles.iter().map(|obstacle| pose(obstacle, self.time())).collect()
    }

    /// What its water can do.
    pub fn abilities(&self) -> &Abilities {
        self.world.water().abilities()
    }

    /// Name of what its method saves.
    pub fn kind(&self) -> &'static str {
        self.world.water().kind()
    }

    /// The method that moves the water, if it is of a type: for what only that method offers, such as
    /// [`TallScene::water`](crate::methods::TallScene::water).
    pub fn method<M: Method + 'static>(&self) -> Option<&M> {
        self.world.water().as_any().downcast_ref()
    }

    /// The same, to change it.
    pub fn method_mut<M: Method + 'static>(&mut self) -> Option<&mut M> {
        self.world.water_mut().as_any_mut().downcast_mut()
    }

    /// The stages of a step, by the names under which their times are taken.
    pub fn stages(&self) -> &'static [&'static str] {
        self.world.water().stages()
    }

    /// What there is to say of the water's state beside [`statistics`](Self::statistics): a name and any JSON.
    pub fn report(&mut self) -> Result<Option<Report>, Error> {
        self.report_later()?.map(Later::wait).transpose()
    }

    /// The same, to be waited for while the simulation goes on.
    pub fn report_later(&mut self) -> Result<Option<Later<Report, Error>>, Error> {
        self.world.water_mut().report_later()
    }

    /// What happened while it was made that its user should know, a sentence each.
    pub fn remarks(&self) -> Vec<String> {
        self.world.water().remarks()
    }

    /// Adds a gauge of the caller's behind those of the scene; its columns are named by `name`.
    pub fn add_probe(&mut self, name: impl Into<String>, probe: Box<dyn Probe>) {
        self.probes.add(name.into(), probe);
    }

    /// Does something to water or bodies between two steps. After an error nothing has changed.
    ///
    /// ```
    /// use thalweg::{Backend, Interaction, Scene, Simulation};
    /// use thalweg_scene::{Body, PartShape, Solid};
    ///
    /// let mut simulation = Simulation::new(Scene::shipped("column-2d")?, Backend::Cpu)?;
    /// let shape = PartShape::Solid(Solid::Sphere { center: [0.0; 3], radius: 0.1 });
    /// let ball = Body::new("ball", shape, [2.0, 0.8, 0.01]);
    /// simulation.apply(Interaction::AddBody(Box::new(ball)))?;
    /// simulation.step(0.025)?;
    /// assert!(simulation.bodies()[0].velocity[1] < 0.0, "it falls");
    /// simulation.apply(Interaction::Throw { body: "ball".into(), velocity: [1.0, 1.0, 0.0] })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, interaction: Interaction) -> Result<(), Error> {
        self.world.water_mut().interact(&mut self.scene, interaction)
    }

    /// The first body that a ray meets: `origin` in world coordinates, m, and `direction` of any length. Ground and obstacles hide what is behind
    /// them; water and the sides of the domain do not.
    pub fn pick(&self, origin: [f64; 3], direction: [f64; 3]) -> Option<Picked> {
        self.world.water().pick(origin, direction)
    }

    /// Puts somebody who looks at the water at a place `[x, z]`, m: on a quadtree cells farther away than `near` (m) may be larger from the next steps on.
    /// Other water is as fine everywhere. A path in the scene takes the observer back at the next step.
    pub fn observe(&mut self, place: [f64; 2], near: f64) -> Result<(), Error> {
        match self.abilities().has(Ability::AdaptiveCells) {
            true => self.apply(Interaction::Observe { place, near }),
            false => Ok(()),
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

    /// The same, waited for when somebody asks.
    pub fn timings_later(&self) -> Later<Timings, Error> {
        self.executor().timings_later().errors_into()
    }

    /// Saves the simulation.
    pub fn save(&mut self) -> Result<Saved, Error> {
        self.save_later()?.wait()
    }

    /// The same, to be waited for while the simulation goes on. Gauges remember what they have been
    /// [told](Self::take_answers) so far.
    pub fn save_later(&mut self) -> Result<Later<Saved, Error>, Error> {
        let water = self.world.water_mut().snapshot_later()?;
        let (digest, steps, probes) = (self.scene.digest, self.steps(), self.probes.memory());
        Ok(water.map(move |water| Saved { digest, steps, water, probes }))
    }

    /// Takes up what was saved. The scene must be the same.
    pub fn load(&mut self, saved: &Saved) -> Result<(), Error> {
        if saved.digest != self.scene.digest {
            return Err(Error::Saved("it was saved from another scene, or the scene was changed since".into()));
        }
        if saved.water.kind != self.world.water().kind() {
            return Err(Error::Saved("it was saved by another solver".into()));
        }
        if !self.probes.restore(&saved.probes) {
            return Err(Error::Saved("it holds another number of probes".into()));
        }
        self.world.water_mut().restore(&saved.water)?;
        self.steps_before = saved.steps;
        Ok(())
    }
}
