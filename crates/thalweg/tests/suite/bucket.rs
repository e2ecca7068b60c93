//! A method of somebody else's: a bucket that catches rain. It is a member of the world: it runs, is measured, drawn, saved,
//! resumed and exported as our own methods are, and nothing else knows of it.

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thalweg::compute::{Executor, Later};
use thalweg::ledger::{Account, Quantity, quantum_on};
use thalweg::model::{Abilities, Ability, Snapshot};
use thalweg::{
    Answer, Backend, Error, Interaction, Ledger, Method, Painter, Pour, Probe, Question, Scene, Simulation, Statistics,
    WaterSurface, look,
};
use thalweg_io::heights::{HeightField, HeightFormat, Map};

const CAN: Abilities = Abilities { solver: "bucket", list: &[Ability::Rain] };

/// A flat bottom that rain falls on: every cell has the same depth.
struct Bucket {
    executor: Arc<Executor>,
    size: [usize; 2],
    cell: f64,
    time: f64,
    ledger: Ledger,
    frames: u64,
}

/// What is saved.
#[derive(Serialize, Deserialize)]
struct Numbers {
    ledger: Vec<u32>,
}

impl Bucket {
    fn new(scene: &Scene) -> Self {
        let (grid, executor) = (&scene.grid, Arc::new(Backend::Cpu.open(None).unwrap()));
        let size = [grid.nx as usize, grid.nz as usize];
        let ledger = Ledger::of_mass(quantum_on(48.0), &[Account::Water, Account::Rain]);
        Self { executor, size, cell: grid.cell, time: 0.0, ledger, frames: 0 }
    }

    fn area(&self) -> f64 {
        (self.size[0] * self.size[1]) as f64 * self.cell * self.cell
    }

    fn volume(&self) -> f64 {
        self.ledger.amount(Quantity::Mass, Account::Water).unwrap()
    }

    /// m.
    fn depth(&self) -> f64 {
        self.volume() / self.area()
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
        self.time
    }
    fn frames(&self) -> u64 {
        self.frames
    }
    fn stages(&self) -> &'static [&'static str] {
        &["rain"]
    }
    fn advance(&mut self, scene: &Scene, dt: f64) -> Result<(), Error> {
        let rate = scene.rain.as_ref().map_or(0.0, |rain| rain.at(self.time));
        self.ledger.exchange(Account::Rain, [[rate * dt * self.area(), 0.0]])?;
        self.time += dt;
        self.frames += 1;
        Ok(())
    }
    fn statistics_later(&mut self) -> Result<Later<Statistics, Error>, Error> {
        Ok(Later::known(Statistics {
            time: self.time,
            volume: self.volume(),
            kinetic_energy: 0.0,
            potential_energy: None,
            wet_area: Some(self.area()),
            max_speed: 0.0,
            speed_limit: None,
            added: self.ledger.added(),
            removed: self.ledger.removed(),
            substeps: self.frames,
            crowded_columns: 0,
            whitewater: Default::default(),
        }))
    }
    fn ledger_later(&mut self) -> Result<Later<Ledger, Error>, Error> {
        Ok(Later::known(self.ledger.clone()))
    }
    fn surface_later(&mut self, scene: &Scene) -> Result<Later<WaterSurface, Error>, Error> {
        let (size, cell, origin) = (self.size, self.cell, scene.grid.origin);
        let all = |value: f32| vec![value; size[0] * size[1]];
        let (depth, surface) = (all(self.depth() as f32), all(self.depth() as f32));
        let velocity = [all(0.0), all(0.0)];
        let water = WaterSurface { size, cell, origin, bed: all(0.0), depth, surface, velocity, maps: None };
        Ok(Later::known(water))
    }
    fn snapshot_later(&mut self) -> Result<Later<Snapshot, Error>, Error> {
        Ok(Later::known(Snapshot::new(self.kind(), self.time, &Numbers { ledger: self.ledger.to_words() })?))
    }
    fn restore(&mut self, saved: &Snapshot) -> Result<(), Error> {
        self.ledger.restore(&saved.numbers::<Numbers>()?.ledger)?;
        (self.time, self.frames) = (saved.time, 0);
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
    let ledger = simulation.ledger().unwrap();
    let rained = ledger.turnover(Quantity::Mass, Account::Rain).unwrap();
    assert_eq!((ledger.added(), rained.received, ledger.imbalance(Quantity::Mass)), (statistics.added, 0, 0));
    assert_eq!(simulation.world().members().map(|member| member.kind()).collect::<Vec<_>>(), ["bucket"]);
    let row = simulation.read_probes().unwrap();
    assert_eq!(simulation.probe_columns(), ["gauge", "caught", "reach"]);
    let wanted = [depth, depth * 24.0, 18.0];
    assert!(row.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6), "{row:?}, not {wanted:?}");
    assert_ne!(painter.draw(&mut simulation, &look).unwrap(), dry, "it is drawn as the height field that it is");

    // It is exported as a height map, and its checkpoint is a file like any other.
    let water = simulation.water_surface().unwrap();
    let map = HeightField { water: &water, dry_depth: 1e-6, time: simulation.time() };
    let file = map.encode(HeightFormat::Asc, &[Map::Depth]).unwrap();
    let text = String::from_utf8(file.bytes).unwrap();
    let rows: Vec<&str> = text.lines().skip_while(|line| line.starts_with(char::is_alphabetic)).collect();
    let cells: Vec<f64> = rows.iter().flat_map(|row| row.split_whitespace()).map(|x| x.parse().unwrap()).collect();
    assert!(cells.len() == 16 * 12 && cells.iter().all(|found| (found - depth).abs() < 1e-6), "{text}");

    let saved = simulation.save().unwrap();
    simulation.step(1.0).unwrap();
    let mut resumed = rain();
    resumed.load(&saved).unwrap();
    resumed.step(1.0).unwrap();
    assert_eq!((resumed.time(), resumed.steps()), (6.0, 6));
    assert_eq!(resumed.read_probes().unwrap(), simulation.read_probes().unwrap());
    assert!(simulation.method::<Bucket>().is_some_and(|bucket| bucket.depth() > depth));

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
