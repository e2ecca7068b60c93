//! The thread that owns the water.

mod advance;
mod show;
mod touch;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use thalweg::compute::Executor;
use thalweg::render::Look;
use thalweg::{Backend, Error, Session};

use crate::capture::{Film, Recorder};
use crate::command::Command;
use crate::contact::Contact;
use crate::figures::FinalFigures;
use crate::options::ViewOptions;
use crate::report::Report;
use crate::scale::Scale;
use crate::scene_source::{Overrides, SceneSource};
use crate::slot::Slot;
use crate::stage::{Prepared, Stage};

/// Shortest time between two pictures.
const SHORTEST_FRAME: Duration = Duration::from_millis(16);
/// A camera that has rested this long moves no more.
const REST: Duration = Duration::from_millis(200);
/// Longest wait for a command.
const IDLE: Duration = Duration::from_millis(500);

/// Tells the window that there is something in the slot.
pub(crate) type Wake = Box<dyn Fn() + Send>;

/// The thread that owns the water.
pub(crate) struct Worker {
    commands: Receiver<Command>,
    slot: Arc<Slot<Report>>,
    wake: Wake,
    backend: (Backend, Option<usize>),
    out: PathBuf,
    executor: Option<Arc<Executor>>,
    stage: Option<Stage>,
    generation: u64,
    report: Report,
    /// How the window looks at it; the size is the window's.
    look: Option<(Look, Scale)>,
    /// Where the mouse pours or pushes.
    contact: Option<Contact>,
    recorder: Option<Recorder>,
    /// Recordings that become videos.
    films: Vec<Film>,
    screenshots: Vec<String>,
    /// Whether the water or the look changed since the last picture.
    is_stale: bool,
    /// Whether the last picture has all of its pixels and rays.
    is_fine: bool,
    looked: Instant,
    drawn: Instant,
    measured: Instant,
    /// The clock of sessions begins here.
    began: Instant,
    /// Time until the next step is due; `None`: not before a command.
    wait: Option<Duration>,
    /// What took how long of late: pictures, steps and simulated seconds since `counted`.
    counted: (Instant, u32, u32, f64),
    steps_timed: u64,
    ms_per_pixel: Option<f64>,
    pictures: u64,
}

impl Worker {
    pub(crate) fn new(options: &ViewOptions, commands: Receiver<Command>, slot: Arc<Slot<Report>>, wake: Wake) -> Self {
        let now = Instant::now();
        Self {
            commands,
            slot,
            wake,
            backend: (options.backend, options.threads),
            out: options.out.clone(),
            executor: None,
            stage: None,
            generation: 0,
            report: Report { playing: true, speed: 1.0, ..Default::default() },
            look: None,
            contact: None,
            recorder: None,
            films: Vec::new(),
            screenshots: Vec::new(),
            is_stale: true,
            is_fine: false,
            looked: now,
            drawn: now,
            measured: now,
            began: now,
            wait: None,
            counted: (now, 0, 0, 0.0),
            steps_timed: 0,
            ms_per_pixel: None,
            pictures: 0,
        }
    }

    /// Runs until the window is gone.
    pub(crate) fn run(mut self, scene: &SceneSource) -> FinalFigures {
        self.open(scene, Overrides::default());
        while let Ok(first) = self.next_command() {
            let mut next = first;
            while let Some(command) = next {
                self.obey(command);
                next = self.commands.try_recv().ok();
            }
            self.advance();
            self.show();
            self.report_films(false);
        }
        self.end_recording();
        self.report_films(true);
        self.last_figures()
    }

    /// Waits for a command until something else is due; an error when there will be none any more.
    fn next_command(&self) -> Result<Option<Command>, RecvTimeoutError> {
        match self.commands.recv_timeout(self.patience()) {
            Ok(command) => Ok(Some(command)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(gone) => Err(gone),
        }
    }

    fn patience(&self) -> Duration {
        let mut wait = IDLE;
        if self.stage.is_none() {
            return wait;
        }
        if let Some(due) = self.wait {
            wait = wait.min(due);
        }
        if self.look.is_some() && self.is_stale {
            wait = wait.min(SHORTEST_FRAME.saturating_sub(self.drawn.elapsed()));
        } else if !self.is_fine && !self.plays() {
            wait = wait.min(REST.saturating_sub(self.looked.elapsed()));
        }
        wait
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Look { generation, look, scale } if generation == self.generation => {
                self.look = Some((*look, scale));
                self.looked = Instant::now();
                self.is_stale = true;
            }
            Command::Look { .. } => {} // of the scene before
            Command::Play(true) => self.ask(thalweg::Command::Resume),
            Command::Play(false) => self.ask(thalweg::Command::Pause),
            Command::Step => self.ask(thalweg::Command::Step),
            Command::Restart => {
                // Read again: a file may have been changed.
                if let Some(stage) = &self.stage {
                    let (source, overrides) = (stage.world.source.clone(), stage.world.overrides);
                    self.open(&source, overrides);
                }
            }
            Command::Speed(speed) if speed.is_finite() => {
                let [slowest, fastest] = Session::SPEEDS;
                self.ask(thalweg::Command::Speed(Some(speed.clamp(slowest, fastest))));
            }
            Command::Speed(_) => {}
            Command::Open(source, overrides) => self.open(&source, overrides),
            Command::Tune(tuning) => self.ask(thalweg::Command::Tune(tuning)),
            Command::Touch(touch) => self.touch(touch.as_ref()),
            Command::Place(touch) => self.build(|stage| stage.place(&touch)),
            Command::Remove(touch) => self.build(|stage| stage.remove(&touch)),
            Command::Drop(touch) => self.build(|stage| stage.drop_body(&touch)),
            Command::Screenshot => self.screenshot(),
            Command::Record(on) => self.record(on),
            Command::Dismiss => {
                self.report.trouble = None;
                self.publish();
            }
        }
    }

    /// Begins a scene; if that fails the one before stays.
    fn open(&mut self, source: &SceneSource, overrides: Overrides) {
        self.report.busy = Some(format!("preparing {}", source.name()));
        self.publish();
        match self.begin(source, overrides) {
            Ok(()) => {
                self.generation += 1;
                self.report.world = self.stage.as_ref().map(|stage| Arc::clone(&stage.world));
                self.report.trouble = None;
                self.end_recording();
                (self.contact, self.look) = (None, None);
                (self.is_stale, self.is_fine, self.steps_timed) = (true, false, 0);
                self.measure();
            }
            Err(error) => self.report.trouble = Some(format!("{error}\nThe scene before stays, if there was one.")),
        }
        self.report.busy = None;
        self.publish();
    }

    fn begin(&mut self, source: &SceneSource, overrides: Overrides) -> Result<(), Error> {
        let executor = match &self.executor {
            Some(executor) => Arc::clone(executor),
            None => Arc::new(self.backend.0.open(self.backend.1)?),
        };
        self.executor = Some(Arc::clone(&executor));
        let prepared = Prepared::new(&executor, source, overrides, self.generation + 1)?;
        match &mut self.stage {
            Some(stage) => stage.change(prepared),
            None => {
                self.stage = Some(Stage::new(prepared)?);
                Ok(())
            }
        }
    }

    /// Passes on what the user asks for.
    fn ask(&mut self, command: thalweg::Command) {
        let Some(stage) = &mut self.stage else { return };
        if let Err(error) = stage.session.command(command) {
            self.report.trouble = Some(error.to_string());
        }
        self.publish();
    }

    /// Whether the water moves, or will once there is some.
    fn plays(&self) -> bool {
        self.stage.as_ref().is_none_or(|stage| !stage.session.is_paused())
    }

    fn notice(&mut self, text: String) {
        self.report.notice = (text, self.report.notice.1 + 1);
    }

    /// The water stops, the window stays.
    fn fail(&mut self, error: &Error) {
        self.end_recording();
        self.contact = None;
        if let Some(stage) = &mut self.stage {
            stage.rest();
        }
        self.report.trouble = Some(format!("{error}\nThe water is paused. Restart (R) begins the scene again."));
        self.publish();
    }

    /// Puts the newest state into the slot.
    fn publish(&mut self) {
        self.report.playing = self.plays();
        if let Some(stage) = &self.stage {
            self.report.speed = stage.session.speed().unwrap_or(self.report.speed);
            self.report.tuning = stage.session.simulation().tuning();
        }
        self.report.recorded = self.recorder.as_ref().map(|recorder| recorder.frames);
        if self.slot.put(self.report.clone()) {
            (self.wake)();
        }
    }
}
