//! The thread that owns the water.

mod march;
mod show;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use thalweg::compute::Executor;
use thalweg::render::Look;
use thalweg::tall::Tuning;
use thalweg::{Backend, Error, Hold};

use crate::capture::{Film, Recorder};
use crate::command::{Command, Tool, Touch};
use crate::figures::FinalFigures;
use crate::hand::Hand;
use crate::options::ViewOptions;
use crate::pace::Pace;
use crate::report::Report;
use crate::scale::Scale;
use crate::scene_source::{Overrides, SceneSource};
use crate::slot::Slot;
use crate::stage::{POINT_AT_WATER, Stage};

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
    pace: Pace,
    report: Report,
    /// How the window looks at it; the size is the window's.
    look: Option<(Look, Scale)>,
    hand: Option<Hand>,
    /// A body in the mouse's hand.
    hold: Option<Hold>,
    /// Settings that a new start keeps.
    tuning: Option<Tuning>,
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
    ticked: Instant,
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
            pace: Pace::new(1.0, 1.0 / 30.0),
            report: Report { playing: true, speed: 1.0, ..Default::default() },
            look: None,
            hand: None,
            hold: None,
            tuning: None,
            recorder: None,
            films: Vec::new(),
            screenshots: Vec::new(),
            is_stale: true,
            is_fine: false,
            looked: now,
            drawn: now,
            measured: now,
            ticked: now,
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
            self.march();
            self.show();
            self.tell_films(false);
        }
        self.end_recording();
        self.tell_films(true);
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
        if self.report.playing {
            wait = wait.min(Duration::from_secs_f64(self.pace.wait()));
        }
        if self.look.is_some() && self.is_stale {
            wait = wait.min(SHORTEST_FRAME.saturating_sub(self.drawn.elapsed()));
        } else if !self.is_fine && !self.report.playing {
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
            Command::Play(playing) => {
                self.report.playing = playing;
                self.ticked = Instant::now();
                self.tell();
            }
            Command::Step => {
                self.report.playing = false;
                self.step(self.pace.dt());
                self.tell();
            }
            Command::Restart => {
                if let Some(stage) = &self.stage {
                    let (source, overrides) = (stage.world.source.clone(), stage.world.overrides);
                    self.open(&source, overrides);
                }
            }
            Command::Speed(speed) => {
                self.pace.set_speed(speed);
                self.tell();
            }
            Command::Open(source, overrides) => self.open(&source, overrides),
            Command::Tune(tuning) => self.tune(tuning),
            Command::Touch(touch) => self.touch(touch.as_ref()),
            Command::Place(touch) => self.build(|stage| stage.place(&touch)),
            Command::Remove(touch) => self.build(|stage| stage.remove(&touch)),
            Command::Drop(touch) => self.build(|stage| stage.drop_body(&touch)),
            Command::Screenshot => self.screenshot(),
            Command::Record(on) => self.record(on),
            Command::Dismiss => {
                self.report.trouble = None;
                self.tell();
            }
        }
    }

    /// Begins a scene; if that fails the one before stays.
    fn open(&mut self, source: &SceneSource, overrides: Overrides) {
        self.report.busy = Some(format!("preparing {}", source.name()));
        self.tell();
        let same = self.stage.as_ref().is_some_and(|stage| stage.world.source == *source);
        match self.begin(source, overrides) {
            Ok(stage) => {
                let scene = stage.simulation.scene();
                let (pace, speed) = (Pace::new(scene.duration, scene.step), self.pace.speed);
                self.pace = pace;
                if same {
                    self.pace.set_speed(speed);
                } else {
                    self.tuning = None;
                }
                self.generation += 1;
                self.report.world = Some(Arc::clone(&stage.world));
                self.report.trouble = None;
                self.stage = Some(stage);
                self.end_recording();
                (self.hand, self.hold, self.look) = (None, None, None);
                (self.is_stale, self.is_fine, self.steps_timed) = (true, false, 0);
                self.ticked = Instant::now();
                if let Some(tuning) = self.tuning {
                    self.tune(tuning);
                }
                self.measure();
            }
            Err(error) => self.report.trouble = Some(format!("{error}\nThe scene before stays, if there was one.")),
        }
        self.report.busy = None;
        self.tell();
    }

    fn begin(&mut self, source: &SceneSource, overrides: Overrides) -> Result<Stage, Error> {
        let executor = match &self.executor {
            Some(executor) => Arc::clone(executor),
            None => Arc::new(self.backend.0.open(self.backend.1)?),
        };
        self.executor = Some(Arc::clone(&executor));
        Stage::new(&executor, source, overrides, self.generation + 1)
    }

    fn tune(&mut self, tuning: Tuning) {
        let Some(stage) = &mut self.stage else { return };
        match stage.simulation.tune(tuning) {
            Ok(()) => self.tuning = Some(tuning),
            Err(error) => self.report.trouble = Some(error.to_string()),
        }
        self.tell();
    }

    fn touch(&mut self, touch: Option<&Touch>) {
        let grabs = touch.is_some_and(|touch| touch.tool == Tool::Grab);
        if let Some(touch) = touch.filter(|_| grabs) {
            self.hand = None;
            return self.grab(touch);
        }
        self.let_go();
        let (Some(touch), Some(stage)) = (touch, &self.stage) else {
            self.hand = None;
            return;
        };
        if let Some(hand) = self.hand.as_mut().filter(|hand| hand.tool == touch.tool) {
            stage.drag(hand, touch);
            return;
        }
        match stage.point_at(touch.place) {
            Ok(Some(point)) => self.hand = Some(Hand::new(touch, point)),
            Ok(None) if self.report.notice.0 == POINT_AT_WATER => {} // told already
            Ok(None) => {
                self.notice(POINT_AT_WATER.into());
                self.tell();
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Takes the body under the mouse, or drags the one that it holds.
    fn grab(&mut self, touch: &Touch) {
        let Some(stage) = &mut self.stage else { return };
        let done = match &mut self.hold {
            Some(hold) => stage.drag_body(hold, touch.place).map(|()| None),
            None => stage.take_body(touch.place).map(|taken| match taken {
                Ok(hold) => {
                    let notice = format!("{} is held", hold.body());
                    self.hold = Some(hold);
                    Some(notice)
                }
                Err(notice) => Some(notice),
            }),
        };
        match done {
            Ok(Some(notice)) if notice != self.report.notice.0 => self.notice(notice),
            Ok(_) => return, // told already
            Err(error) => {
                self.hold = None;
                self.report.trouble = Some(error.to_string());
            }
        }
        self.tell();
    }

    /// Lets go of what is held, and throws it if the mouse moves.
    fn let_go(&mut self) {
        let (Some(hold), Some(stage)) = (self.hold.take(), &mut self.stage) else { return };
        let notice = format!("{} is let go", hold.body());
        match hold.let_go(&mut stage.simulation) {
            Ok(()) => self.notice(notice),
            Err(error) => self.report.trouble = Some(error.to_string()),
        }
        self.tell();
    }

    /// Does something to the obstacles or to the bodies.
    fn build(&mut self, change: impl FnOnce(&mut Stage) -> Result<String, Error>) {
        self.let_go();
        let Some(stage) = &mut self.stage else { return };
        match change(stage) {
            Ok(notice) => self.notice(notice),
            Err(error) => self.report.trouble = Some(error.to_string()),
        }
        (self.is_stale, self.ticked) = (true, Instant::now());
        self.measure();
        self.tell();
    }

    fn notice(&mut self, text: String) {
        self.report.notice = (text, self.report.notice.1 + 1);
    }

    /// The water stops, the window stays.
    fn fail(&mut self, error: &Error) {
        self.report.playing = false;
        self.end_recording();
        (self.hand, self.hold) = (None, None);
        self.report.trouble = Some(format!("{error}\nThe water is paused. Restart (R) begins the scene again."));
        self.tell();
    }

    /// Puts the newest state into the slot.
    fn tell(&mut self) {
        self.report.speed = self.pace.speed;
        self.report.tuning = self.stage.as_ref().and_then(|stage| stage.simulation.tuning());
        self.report.recorded = self.recorder.as_ref().map(|recorder| recorder.frames);
        if self.slot.put(self.report.clone()) {
            (self.wake)();
        }
    }
}
