//! A method of somebody else's: a bucket that catches rain. It runs, is measured, drawn, saved and taken up again as our own methods are, and nothing
//! else knows of it.

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thalweg::compute::{Executor, Later};
use thalweg::model::{Abilities, Ability, Snapshot};
use thalweg::{
    Answer, Backend, Error, Interaction, Method, Painter, Pour, Probe, Question, Scene, Simulation, Statistics,
    WaterSurface, look,
};

const CAN: Abilities = Abilities { solver: "bucket", list: &[Ability::Rain] };

/// A flat bottom that rain falls on: every cell has the same depth.
struct Bucket {
    executor: Arc<Executor>,
    size: [usize; 2],
    cell: f64,
    state: State,
    frames: u64,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct State {
    time: f64,
    /// m.
    depth: f64,
}

impl Bucket {
    fn new(scene: &Scene) -> Self {
        let (grid, executor) = (&scene.grid, Arc::new(Backend::Cpu.open(None).unwrap()));
        let size = [grid.nx as usize, grid.nz as usize];
        Self { executor, size, cell: grid.cell, state: State::default(), frames: 0 }
    }

    fn area(&self) -> f64 {
        (self.size[0] * self.size[1]) as f64 * self.cell * self.cell
    }
}

impl Method for Bucket {
    fn kind(&self) -> &'static str {
        "bucket"
    }
    fn abilities(&self) -> &Abilities {
        &CAN
    }
    fn executor(&self) -> &Arc<Executor> {
        &self.executor
    }
    fn time(&self) -> f64 {
        self.state.time
    }
    fn frames(&self) -> u64 {
        self.frames
    }
    fn stages(&self) -> &'static [&'static str] {
        &["rain"]
    }
    fn advance(&mut self, scene: &Scene, dt: f64) -> Result<(), Error> {
        let rate = scene.rain.as_ref().map_or(0.0, |rain| rain.at(self.state.time));
        self.state = State { time: self.state.time + dt, depth: self.state.depth + rate * dt };
        self.frames += 1;
        Ok(())
    }
    fn statistics(&mut self) -> Result<Statistics, Error> {
        let volume = self.state.depth * self.area();
        Ok(Statistics {
            time: self.state.time,
            volume,
            kinetic_energy: 0.0,
            potential_energy: None,
            wet_area: Some(self.area()),
            max_speed: 0.0,
            speed_limit: None,
            added: volume,
            removed: 0.0,
            substeps: self.frames,
            crowded_columns: 0,
            whitewater: Default::default(),
        })
    }
    fn surface_later(&mut self, scene: &Scene) -> Result<Later<WaterSurface, Error>, Error> {
        let (size, cell, origin) = (self.size, self.cell, scene.grid.origin);
        let all = |value: f32| vec![value; size[0] * size[1]];
        let (depth, surface) = (all(self.state.depth as f32), all(self.state.depth as f32));
        let velocity = [all(0.0), all(0.0)];
        let water = WaterSurface { size, cell, origin, bed: all(0.0), depth, surface, velocity, maps: None };
        Ok(Later::new(move || Ok(water)))
    }
    fn snapshot(&mut self) -> Result<Snapshot, Error> {
        Ok(Snapshot::new(self.kind(), self.state.time, &self.state)?)
    }
    fn restore(&mut self, saved: &Snapshot) -> Result<(), Error> {
        self.state = saved.numbers()?;
        self.frames = 0;
        Ok(())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

const SCENE: &str = r#"
    scene = { name = "Rain", duration = 10, step = 1 }
    domain = { size = [8, 4, 6], cell = 0.5, origin = [10, 20] }
    rain = { rate = 3600 }
    [[probe]]
    name = "gauge"
    kind = "surface"
    at = [13.2, 22.1]
    [[probe]]
    name = "caught"
    kind = "volume"
    min = [10, 20]
    max = [14, 26]
    [[probe]]
    name = "reach"
    kind = "front"
    axis = "x"
    depth = 0.001
    [render]
    size = [96, 64]
"#;

fn rain() -> Simulation {
    let scene = Scene::from_str(SCENE, "rain.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let bucket = Box::new(Bucket::new(&scene));
    Simulation::with_method(scene, bucket)
}

#[test]
fn a_bucket_is_a_method_like_any_other() {
    let mut simulation = rain();
    let (mut painter, look) = (Painter::new(&mut simulation).unwrap(), look(&mut simulation).unwrap());
    let dry = painter.draw(&mut simulation, &look).unwrap();
    for _ in 0..5 {
        simulation.step(1.0).unwrap();
    }
    // A metre an hour is 1 mm in 3.6 s: the rate is in mm/h.
    let depth = 5.0 * 3600.0 / 3.6e6;
    let statistics = simulation.statistics().unwrap();
    assert!((statistics.volume - depth * 48.0).abs() < 1e-9 && statistics.added == statistics.volume, "{statistics:?}");
    let row = simulation.read_probes().unwrap();
    assert_eq!(simulation.probe_columns(), ["gauge", "caught", "reach"]);
    let wanted = [depth, depth * 24.0, 18.0];
    assert!(row.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6), "{row:?}, not {wanted:?}");
    assert_ne!(painter.draw(&mut simulation, &look).unwrap(), dry, "it is drawn as the height field that it is");

    let saved = simulation.save().unwrap();
    simulation.step(1.0).unwrap();
    let mut resumed = rain();
    resumed.load(&saved).unwrap();
    resumed.step(1.0).unwrap();
    assert_eq!((resumed.time(), resumed.steps()), (6.0, 6));
    assert_eq!(resumed.read_probes().unwrap(), simulation.read_probes().unwrap());
    assert!(simulation.method::<Bucket>().is_some_and(|bucket| bucket.state.depth > depth));

    let pour = Pour { centre: [12.0, 1.0, 22.0], radius: 0.2, velocity: [0.0, -1.0, 0.0] };
    let refused = simulation.apply(Interaction::Pour(pour)).unwrap_err();
    assert!(refused.to_string().contains("`bucket` cannot be poured into"), "{refused}");
    let mut lake = Simulation::new(Scene::shipped("lake").unwrap(), Backend::Cpu).unwrap();
    assert!(lake.load(&saved).is_err(), "another scene's");
}

/// The mean depth along a line: a kind of gauge that nobody had thought of.
struct MeanDepth([[f64; 2]; 2]);

impl Probe for MeanDepth {
    fn questions(&self) -> Vec<Question> {
        let [from, to] = self.0;
        let point = |n: u32| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * (f64::from(n) + 0.5) / 10.0);
        vec![Question::Places((0..10).map(point).collect())]
    }
    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        let [Answer::Places(samples)] = answers else { return vec![f64::NAN] };
        vec![samples.iter().map(|sample| sample.depth).sum::<f64>() / samples.len() as f64]
    }
}

#[test]
fn a_new_kind_of_gauge_reads_every_water() {
    for solver in ["shallow", "quadtree", "tall-cells"] {
        let text = format!(
            "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [32, 4, 32], cell = 1 }}\n             water = {{ solver = '{solver}', level = 2 }}"
        );
        let scene = Scene::from_str(&text, "a.toml", ".").unwrap();
        let mut simulation = Simulation::new(scene, Backend::Cpu).unwrap();
        simulation.read_probes().unwrap();
        simulation.add_probe("mean", Box::new(MeanDepth([[2.0, 3.0], [20.0, 30.0]])));
        assert_eq!(simulation.probe_columns(), ["mean"]);
        let row = simulation.read_probes().unwrap();
        assert!((row[0] - 2.0).abs() < 1e-5, "{solver}: {row:?}");
        simulation.step(0.1).unwrap();
        assert!((simulation.read_probes().unwrap()[0] - 2.0).abs() < 1e-3);
    }
}
