//! The simulation on a thread of its own, driven by commands, and what it shows.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use thalweg::{Error, Hold, Interaction, Pour, Simulation, Toy};
use thalweg_scene::Scene;
use tokio::sync::watch;

use crate::capture::{Detail, ground, hello, pour_radius, water};
use crate::frame::Figures;
use crate::protocol::{Command, Message, Status, ToyName};

/// Shortest time between two frames: no screen shows more.
const SHORTEST_FRAME: Duration = Duration::from_micros(16_000);

/// Longest wait without a look at commands.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// Time over which steps per second are counted.
const COUNTED: Duration = Duration::from_millis(500);

/// Longest stream, s.
const LONGEST_POUR: f64 = 60.0;

/// What the worker is told.
#[derive(Debug)]
pub(crate) enum Order {
    /// By a page.
    Command(Command),
    /// A page has come and needs the water.
    Come,
    /// A page has left.
    Left,
}

/// A scene without its water, as messages.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) hello: String,
    pub(crate) ground: Bytes,
}

/// Where pages look. Each holds the newest of its kind and nothing else, however slow a page is.
#[derive(Debug, Clone)]
pub(crate) struct Views {
    pub(crate) world: watch::Receiver<Arc<World>>,
    pub(crate) water: watch::Receiver<Bytes>,
    pub(crate) status: watch::Receiver<Status>,
}

/// The other ends of [`Views`].
pub(crate) struct Screens {
    world: watch::Sender<Arc<World>>,
    water: watch::Sender<Bytes>,
    status: watch::Sender<Status>,
}

pub(crate) fn screens() -> (Screens, Views) {
    let (world, world_view) = watch::channel(Arc::default());
    let (water, water_view) = watch::channel(Bytes::new());
    let (status, status_view) = watch::channel(Status::default());
    (Screens { world, water, status }, Views { world: world_view, water: water_view, status: status_view })
}

/// A simulation that is looked at.
pub(crate) struct Worker {
    simulation: Simulation,
    /// The scene as it was loaded: bodies may have come or gone since.
    scene: Scene,
    name: String,
    screens: Screens,
    orders: Receiver<Order>,
    generation: u32,
    status: Status,
    /// A stream, and the simulated time at which it ends, s.
    stream: Option<(Pour, f64)>,
    /// A body in the hand of a page.
    hold: Option<Hold>,
    /// Wall and simulated time from which the speed is counted.
    pace: (Instant, f64),
    /// Since when steps are counted, and how many.
    counted: (Instant, u32),
    rate: f32,
    step_ms: f32,
    /// When a frame was last shown, and whether the water has changed since.
    shown: Instant,
    is_stale: bool,
    /// Pages that look on.
    viewers: usize,
}

impl Worker {
    /// Shows the scene; the water comes with the first page.
    pub(crate) fn new(
        simulation: Simulation,
        name: &str,
        screens: Screens,
    ) -> Result<(Self, mpsc::Sender<Order>), Error> {
        let (sender, orders) = mpsc::channel();
        let now = Instant::now();
        let status = Status { speed: Some(1.0), ..Status::default() };
        let mut worker = Self {
            scene: simulation.scene().clone(),
            simulation,
            name: name.to_owned(),
            screens,
            orders,
            generation: 0,
            status,
            stream: None,
            hold: None,
            pace: (now, 0.0),
            counted: (now, 0),
            rate: 0.0,
            step_ms: 0.0,
            shown: now,
            is_stale: true,
            viewers: 0,
        };
        worker.show_world()?;
        Ok((worker, sender))
    }

    /// Runs until nobody can give orders any more.
    pub(crate) fn run(mut self) {
        loop {
            // Nobody looks on: the water waits.
            let rests = self.status.paused || self.viewers == 0;
            let wait = if rests { LONGEST_WAIT } else { self.ahead().min(LONGEST_WAIT) };
            match self.next_order(wait) {
                Ok(Some(order)) => self.obey(order),
                Ok(None) if rests || self.ahead() > Duration::ZERO => {}
                Ok(None) => self.step(),
                Err(Gone) => return,
            }
            self.show(false);
        }
    }

    fn next_order(&self, wait: Duration) -> Result<Option<Order>, Gone> {
        match self.orders.recv_timeout(wait) {
            Ok(order) => Ok(Some(order)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Gone),
        }
    }

    /// How long the water has to wait for the clock.
    fn ahead(&self) -> Duration {
        let Some(speed) = self.status.speed else { return Duration::ZERO };
        let due = (self.simulation.time() - self.pace.1) / speed;
        Duration::try_from_secs_f64(due).unwrap_or_default().saturating_sub(self.pace.0.elapsed())
    }

    fn obey(&mut self, order: Order) {
        let was = self.status.clone();
        self.status.trouble.clear();
        match order {
            Order::Come => {
                self.status.trouble = was.trouble.clone();
                self.viewers += 1;
                if self.viewers == 1 {
                    self.begin_pace();
                }
                self.show(true);
            }
            Order::Left => {
                self.status.trouble = was.trouble.clone();
                self.viewers -= 1;
                // Nobody knows whose hand it was: better none than one that holds for ever.
                self.let_go();
            }
            Order::Command(Command::Next) => self.status.trouble = was.trouble.clone(),
            Order::Command(Command::Pause) => self.status.paused = true,
            Order::Command(Command::Resume) => {
                self.status.paused = false;
                self.begin_pace();
            }
            Order::Command(Command::Step) => {
                self.status.paused = true;
                self.step();
                self.show(true);
            }
            Order::Command(Command::Speed { factor }) => {
                if factor.is_some_and(|factor| !(factor.is_finite() && factor > 0.0)) {
                    self.status.trouble = "the speed must be more than 0".into();
                } else {
                    self.status.speed = factor;
                    self.begin_pace();
                }
            }
            Order::Command(Command::Restart) => self.begin(self.scene.clone()),
            Order::Command(Command::Scene { name }) => match Scene::shipped(&name) {
                Ok(scene) => {
                    self.name = name;
                    self.begin(scene);
                }
                Err(error) => self.status.trouble = error.to_string(),
            },
            Order::Command(Command::Pour { at, radius, seconds }) => self.pour(at, radius, seconds),
            Order::Command(Command::Grab { body, at }) => {
                self.let_go();
                match Hold::take(&mut self.simulation, &body, at) {
                    Ok(hold) => self.hold = Some(hold),
                    Err(error) => self.status.trouble = error.to_string(),
                }
            }
            Order::Command(Command::Drag { to }) => self.drag(to),
            Order::Command(Command::Release) => self.let_go(),
            Order::Command(Command::Drop { toy, at, radius }) => {
                let toy = match toy {
                    ToyName::Box => Toy::Box,
                    ToyName::Ball => Toy::Ball,
                };
                let scene = self.simulation.scene();
                let body = toy.above(scene, at, radius.unwrap_or_else(|| Toy::radius(scene)));
                self.change_bodies(Interaction::AddBody(Box::new(body)));
            }
            Order::Command(Command::Remove { body }) => {
                if self.hold.as_ref().is_some_and(|hold| hold.body() == body) {
                    self.let_go();
                }
                self.change_bodies(Interaction::RemoveBody { name: body });
            }
        }
        self.tell(was);
    }

    fn tell(&self, was: Status) {
        if was != self.status {
            self.screens.status.send_replace(self.status.clone());
        }
    }

    fn begin_pace(&mut self) {
        self.pace = (Instant::now(), self.simulation.time());
        self.counted = (Instant::now(), 0);
    }

    fn begin(&mut self, scene: Scene) {
        let executor = self.simulation.executor().clone();
        match Simulation::on(executor, scene) {
            Ok(simulation) => {
                self.scene = simulation.scene().clone();
                self.simulation = simulation;
                (self.stream, self.hold) = (None, None);
                self.is_stale = true;
                (self.rate, self.step_ms) = (0.0, 0.0);
                if let Err(error) = self.show_world() {
                    self.fail(&error);
                }
                self.show(true);
                self.begin_pace();
            }
            Err(error) => self.status.trouble = error.to_string(),
        }
    }

    fn drag(&mut self, to: [f64; 3]) {
        // A page that drags what another took away hears nothing new.
        let Some(hold) = &mut self.hold else { return };
        if let Err(error) = hold.drag(&mut self.simulation, to) {
            self.status.trouble = error.to_string();
        }
    }

    fn let_go(&mut self) {
        let Some(hold) = self.hold.take() else { return };
        if let Err(error) = hold.let_go(&mut self.simulation) {
            self.status.trouble = error.to_string();
        }
    }

    /// Puts a body in or takes one out; pages then need a new hello.
    fn change_bodies(&mut self, change: Interaction) {
        if let Err(error) = self.simulation.apply(change) {
            self.status.trouble = error.to_string();
            return;
        }
        self.is_stale = true;
        if let Err(error) = self.show_world() {
            self.fail(&error);
        }
        self.show(true);
        self.begin_pace();
    }

    fn pour(&mut self, at: [f64; 3], radius: Option<f64>, seconds: f64) {
        if !(seconds > 0.0 && seconds <= LONGEST_POUR) {
            self.status.trouble = format!("a stream lasts more than 0 and at most {LONGEST_POUR} s");
            return;
        }
        let scene = self.simulation.scene();
        let radius = radius.unwrap_or_else(|| pour_radius(scene));
        // A quarter of what a cylinder of this size can carry (see `Pour`): one of few cells may hold half of it.
        let speed = 0.5 * radius * (scene.gravity / scene.grid.cell).sqrt();
        let pour = Pour { centre: [at[0], at[1] + 3.0 * radius, at[2]], radius, velocity: [0.0, -speed, 0.0] };
        match self.simulation.pour(pour) {
            Ok(()) => self.stream = Some((pour, self.simulation.time() + seconds)),
            Err(error) => self.status.trouble = error.to_string(),
        }
    }

    fn step(&mut self) {
        let begin = Instant::now();
        let dt = self.simulation.scene().step;
        let stream = self.stream.filter(|(_, end)| self.simulation.time() < *end);
        let poured = stream.map_or(Ok(()), |(pour, _)| self.simulation.pour(pour));
        if let Err(error) = poured.and_then(|()| self.simulation.step(dt)) {
            self.fail(&error);
            return;
        }
        self.stream = stream;
        self.step_ms = begin.elapsed().as_secs_f32() * 1e3;
        self.is_stale = true;
        self.counted.1 += 1;
        let since = self.counted.0.elapsed();
        if since >= COUNTED {
            self.rate = self.counted.1 as f32 / since.as_secs_f32();
            self.counted = (Instant::now(), 0);
        }
        // Water that cannot keep up shall not hurry later.
        let behind = self.pace.0.elapsed().as_secs_f64()
            - self.status.speed.map_or(0.0, |speed| (self.simulation.time() - self.pace.1) / speed);
        if behind > LONGEST_WAIT.as_secs_f64() {
            self.pace = (Instant::now(), self.simulation.time());
        }
    }

    fn fail(&mut self, error: &Error) {
        let was = self.status.clone();
        self.status.paused = true;
        self.status.trouble = format!("{error} (Restart begins the scene again)");
        self.tell(was);
    }

    fn show_world(&mut self) -> Result<(), Error> {
        self.generation += 1;
        let hello = hello(&mut self.simulation, &self.name, self.generation)?;
        let hello = Message::Hello(Box::new(hello));
        // Strings and finite numbers: there is nothing that JSON could not say.
        let hello = serde_json::to_string(&hello).unwrap_or_else(|error| panic!("a hello is JSON: {error}"));
        let ground = ground(&mut self.simulation, Detail::LIVE)?.encode().into();
        self.screens.world.send_replace(Arc::new(World { hello, ground }));
        self.screens.status.send_replace(self.status.clone());
        Ok(())
    }

    /// Shows the water if it has changed, somebody looks, and it is time for it or `at_once`.
    fn show(&mut self, at_once: bool) {
        let is_time = at_once || self.shown.elapsed() >= SHORTEST_FRAME;
        if !self.is_stale || !is_time || self.viewers == 0 {
            return;
        }
        self.shown = Instant::now();
        let figures =
            Figures { generation: self.generation, step_ms: self.step_ms, rate: self.rate, ..Figures::default() };
        match water(&mut self.simulation, Detail::LIVE, figures) {
            Ok(frame) => {
                self.is_stale = false;
                self.screens.water.send_replace(frame.encode().into());
            }
            Err(error) => {
                self.is_stale = false;
                self.fail(&error);
            }
        }
    }
}

/// Nobody can give orders any more.
struct Gone;
