//! The session on a thread of its own, driven by what pages ask for, and what it shows them.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use thalweg::{Error, Event, Pour, Session, Simulation};
use thalweg_scene::Scene;
use tokio::sync::watch;

use crate::capture::{Detail, ground, hello, water};
use crate::frame::Figures;
use crate::protocol::{Command, Message, Status};

/// Shortest time between two frames: no screen shows more.
const SHORTEST_FRAME: Duration = Duration::from_micros(16_000);

/// Longest wait without a look at what pages ask for.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// Time over which steps per second are counted.
const COUNTED: Duration = Duration::from_millis(500);

/// What the worker is sent.
#[derive(Debug)]
pub(crate) enum Request {
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

/// A session that pages look at.
pub(crate) struct Worker {
    session: Session,
    name: String,
    screens: Screens,
    requests: Receiver<Request>,
    generation: u32,
    /// Why the last command or step failed; empty if it did not.
    trouble: String,
    /// The clock of the session begins here.
    began: Instant,
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
    ) -> Result<(Self, mpsc::Sender<Request>), Error> {
        let (sender, requests) = mpsc::channel();
        let now = Instant::now();
        let mut session = Session::live(simulation)?;
        session.command(thalweg::Command::Speed(Some(1.0)))?;
        let mut worker = Self {
            session,
            name: name.to_owned(),
            screens,
            requests,
            generation: 0,
            trouble: String::new(),
            began: now,
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

    /// Runs until nobody can ask for anything any more.
    pub(crate) fn run(mut self) {
        let mut wait = Duration::ZERO;
        loop {
            match self.requests.recv_timeout(wait.min(LONGEST_WAIT)) {
                Ok(request) => self.answer(request),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            // Nobody looks on: the water waits.
            wait = if self.viewers == 0 { LONGEST_WAIT } else { self.advance() };
            self.show(false);
            self.report();
        }
    }

    /// Takes a step if one is due; how long to wait for the next one.
    fn advance(&mut self) -> Duration {
        let begin = Instant::now();
        match self.session.advance(begin.duration_since(self.began)) {
            Ok(Event::Stepped { .. }) => {}
            Ok(Event::Idle(Some(wait))) => return wait,
            Ok(_) => return LONGEST_WAIT,
            Err(error) => {
                self.failed(&error);
                return LONGEST_WAIT;
            }
        }
        self.is_stale = true;
        self.step_ms = begin.elapsed().as_secs_f32() * 1e3;
        self.counted.1 += 1;
        let since = self.counted.0.elapsed();
        if since >= COUNTED {
            self.rate = self.counted.1 as f32 / since.as_secs_f32();
            self.counted = (Instant::now(), 0);
        }
        // A single step is to be seen, however soon it follows another.
        self.show(self.session.is_paused());
        Duration::ZERO
    }

    fn answer(&mut self, request: Request) {
        match request {
            Request::Come => {
                self.viewers += 1;
                self.counted = (Instant::now(), 0);
                self.show(true);
            }
            Request::Left => {
                self.viewers -= 1;
                // Nobody knows whose body it was: better none than one that is held for ever.
                if let Err(error) = self.session.command(thalweg::Command::Release) {
                    self.trouble = error.to_string();
                }
            }
            Request::Command(Command::Next) => {}
            Request::Command(command) => {
                self.trouble = self.obey(command).err().map(|error| error.to_string()).unwrap_or_default();
            }
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), Error> {
        use thalweg::Command as Asked;
        let (mut is_new, mut builds) = (false, false);
        let asked = match command {
            Command::Next => return Ok(()),
            Command::Pause => Asked::Pause,
            Command::Resume => Asked::Resume,
            Command::Step => Asked::Step,
            Command::Speed { factor } => Asked::Speed(factor),
            Command::Restart => {
                is_new = true;
                Asked::Restart
            }
            Command::Scene { name } => {
                let scene = Scene::shipped(&name)?;
                let speed = self.session.speed();
                self.session.command(Asked::Open(Box::new(scene)))?;
                self.name = name;
                is_new = true;
                Asked::Speed(speed)
            }
            Command::Pour { at, radius, seconds } => {
                let scene = self.session.simulation().scene();
                let radius = radius.unwrap_or_else(|| Pour::suitable_radius(scene));
                Asked::Pour { stream: Pour::onto(scene, at, radius), seconds: Some(seconds) }
            }
            Command::Grab { body, at } => Asked::Grab { body, at },
            Command::Drag { to } => Asked::Drag { to },
            Command::Release => Asked::Release,
            Command::Drop { shape, at, radius } => {
                builds = true;
                Asked::Drop { body: shape.preset(), at, radius }
            }
            Command::Remove { body } => {
                builds = true;
                Asked::Remove { body }
            }
        };
        self.session.command(asked)?;
        if is_new {
            (self.rate, self.step_ms) = (0.0, 0.0);
        }
        if is_new || builds {
            self.is_stale = true;
            self.counted = (Instant::now(), 0);
            self.show_world()?;
            self.show(true);
        }
        Ok(())
    }

    fn failed(&mut self, error: &Error) {
        self.trouble = format!("{error} (Restart begins the scene again)");
    }

    /// Sends pages how the session stands, if that has changed.
    fn report(&self) {
        let (paused, speed) = (self.session.is_paused(), self.session.speed());
        let status = Status { paused, speed, trouble: self.trouble.clone() };
        self.screens.status.send_if_modified(|shown| {
            let is_other = *shown != status;
            *shown = status;
            is_other
        });
    }

    fn show_world(&mut self) -> Result<(), Error> {
        self.generation += 1;
        let simulation = self.session.simulation_mut();
        let hello = hello(simulation, &self.name, self.generation)?;
        let hello = Message::Hello(Box::new(hello));
        // Strings and finite numbers: there is nothing that JSON could not say.
        let hello = serde_json::to_string(&hello).unwrap_or_else(|error| panic!("a hello is JSON: {error}"));
        let ground = ground(simulation, Detail::LIVE)?.encode().into();
        self.screens.world.send_replace(Arc::new(World { hello, ground }));
        self.report();
        Ok(())
    }

    /// Shows the water if it has changed, somebody looks, and it is time for it or `at_once`.
    fn show(&mut self, at_once: bool) {
        let is_time = at_once || self.shown.elapsed() >= SHORTEST_FRAME;
        if !self.is_stale || !is_time || self.viewers == 0 {
            return;
        }
        self.shown = Instant::now();
        self.is_stale = false;
        let figures =
            Figures { generation: self.generation, step_ms: self.step_ms, rate: self.rate, ..Figures::default() };
        match water(self.session.simulation_mut(), Detail::LIVE, figures) {
            Ok(frame) => {
                self.screens.water.send_replace(frame.encode().into());
            }
            Err(error) => {
                // The command cannot fail.
                let _ = self.session.command(thalweg::Command::Pause);
                self.failed(&error);
            }
        }
    }
}
