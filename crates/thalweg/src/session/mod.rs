//! The one loop that runs simulations: commands in, steps and frames out.

mod command;
mod grabbed_body;
mod pace;
mod schedule;
mod stroke;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use thalweg_compute::{Later, Shared};
use thalweg_scene::Scene;
use thalweg_tall::Tuning;

pub use command::Command;
pub use grabbed_body::GrabbedBody;

use crate::error::Error;
use crate::interaction::Interaction;
use crate::methods::tall::pour::{Pour, PourError};
use crate::simulation::{Saved, Simulation};
use crate::statistics::Statistics;
use pace::Pace;
use schedule::Schedule;
use stroke::Stroke;

/// Longest stream that ends by itself, s.
pub(crate) const LONGEST_POUR: f64 = 60.0;

/// What a call of [`Session::advance`] has brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A step was taken, up to [`Simulation::time`].
    Stepped {
        /// The number of the frame whose time has come with it, if one has.
        frame: Option<u64>,
    },
    /// No step is due. The next one is after this time of the clock; with `None` not before another command.
    Idle(Option<Duration>),
    /// The scene has come to its end.
    Finished,
    /// There was a [`Command::Interrupt`]. The next call goes on.
    Interrupted,
}

/// A session with its simulation put down, to go on from there: see [`Session::save`].
#[derive(Debug, Clone, PartialEq)]
pub struct SavedSession {
    /// The simulation.
    pub simulation: Saved,
    /// Volume of the water at the start, m³.
    pub initial_volume: f64,
}

/// A simulation that runs: its times of steps and frames, how fast time passes, and what users do to it.
///
/// It has no thread, no clock and no files of its own: its caller passes on [`Command`]s and calls [`Self::advance`]
/// with what a clock says. So the same loop drives a run from beginning to end, a window and a page.
///
/// ```
/// use std::time::Duration;
///
/// use thalweg::{Backend, Command, Event, Scene, Session, Simulation};
///
/// let simulation = Simulation::new(Scene::shipped("column-2d")?, Backend::Cpu)?;
/// let mut session = Session::live(simulation)?;
/// session.command(Command::Step)?;
/// assert_eq!(session.advance(Duration::ZERO)?, Event::Stepped { frame: None });
/// assert_eq!(session.advance(Duration::from_secs(1))?, Event::Idle(None), "it rests after one step");
/// session.command(Command::Resume)?;
/// session.command(Command::Speed(None))?;
/// while session.advance(Duration::ZERO)? != (Event::Stepped { frame: Some(1) }) {}
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    simulation: Simulation,
    /// The scene as it was opened: bodies may have come or gone since.
    scene: Scene,
    schedule: Schedule,
    pace: Pace,
    is_paused: bool,
    is_interrupted: bool,
    /// Steps that were asked for one by one.
    single_steps: u32,
    grabbed: Option<GrabbedBody>,
    /// A stream, and the simulated time at which it ends, s.
    stream: Option<(Pour, f64)>,
    stroke: Option<Stroke>,
    /// Settings that a restart keeps.
    tuning: Option<Tuning>,
    /// m³; `None` if it is that of `begin`.
    initial_volume: Option<f64>,
    /// The water at the start, or when it was taken up: the session waits for nothing.
    begin: Shared<Statistics, Error>,
}

impl Session {
    /// Speeds that can be asked for, simulated seconds per second of the clock.
    pub const SPEEDS: [f64; 2] = [0.01, 10_000.0];

    /// A session that somebody looks at: it has no end, and time passes as fast as the scene wants to be shown.
    ///
    /// # Errors
    /// If the water cannot be read.
    pub fn live(simulation: Simulation) -> Result<Self, Error> {
        let schedule = Schedule::endless(simulation.scene(), simulation.time());
        let speed = pace::speed_of(simulation.scene());
        Self::new(simulation, schedule, Pace::new(Some(speed)), None)
    }

    /// A run from the beginning of a scene, or from where it was saved, to its end or to the step that brings the last
    /// of so many frames; as fast as can be.
    ///
    /// # Errors
    /// If what was saved is not of this simulation, or the water cannot be read.
    pub fn run(mut simulation: Simulation, frames: Option<u64>, saved: Option<&SavedSession>) -> Result<Self, Error> {
        if let Some(saved) = saved {
            simulation.load(&saved.simulation)?;
        }
        let schedule = Schedule::of_run(simulation.scene(), frames, simulation.steps(), simulation.time());
        Self::new(simulation, schedule, Pace::new(None), saved.map(|saved| saved.initial_volume))
    }

    fn new(
        mut simulation: Simulation,
        schedule: Schedule,
        pace: Pace,
        initial_volume: Option<f64>,
    ) -> Result<Self, Error> {
        let begin = simulation.statistics_later()?.shared();
        Ok(Self {
            scene: simulation.scene().clone(),
            simulation,
            schedule,
            pace,
            is_paused: false,
            is_interrupted: false,
            single_steps: 0,
            grabbed: None,
            stream: None,
            stroke: None,
            tuning: None,
            initial_volume,
            begin,
        })
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, to look at it. Whoever steps or loads it leaves the session's times behind.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// The water at the start, or when the session was taken up; waits for it.
    ///
    /// # Errors
    /// If the water could not be measured.
    pub fn begin(&self) -> Result<Statistics, Error> {
        self.begin.wait()
    }

    /// Volume of the water at the start, m³; waits for it.
    ///
    /// # Errors
    /// If the water could not be measured.
    pub fn initial_volume(&self) -> Result<f64, Error> {
        self.initial_volume.map_or_else(|| Ok(self.begin()?.volume), Ok)
    }

    /// When the run is at its end, s; infinite if it goes on for ever.
    pub fn end(&self) -> f64 {
        self.schedule.end()
    }

    /// Frames whose time has come.
    pub fn frame(&self) -> u64 {
        self.schedule.frame()
    }

    /// Whether the water rests.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Simulated seconds per second of the clock; `None` is as fast as can be.
    pub fn speed(&self) -> Option<f64> {
        self.pace.speed()
    }

    /// The body that is held.
    pub fn grabbed(&self) -> Option<&GrabbedBody> {
        self.grabbed.as_ref()
    }

    /// Saves the session; waits for it.
    ///
    /// # Errors
    /// As [`Simulation::save`].
    pub fn save(&mut self) -> Result<SavedSession, Error> {
        self.save_later()?.wait()
    }

    /// The same, to be waited for while the session goes on.
    ///
    /// # Errors
    /// As [`Simulation::save_later`].
    pub fn save_later(&mut self) -> Result<Later<SavedSession, Error>, Error> {
        let (simulation, initial_volume, begin) =
            (self.simulation.save_later()?, self.initial_volume, self.begin.clone());
        Ok(Later::new(move || {
            let initial_volume = match initial_volume {
                Some(volume) => volume,
                None => begin.wait()?.volume,
            };
            Ok(SavedSession { simulation: simulation.wait()?, initial_volume })
        }))
    }

    /// Does what a user asks for. After an error nothing has changed, and the water goes on.
    ///
    /// # Errors
    /// As [`Simulation::apply`]; [`PourError::Duration`] and [`Error::Speed`] for numbers out of their range; of a
    /// scene that cannot be opened.
    pub fn command(&mut self, command: Command) -> Result<(), Error> {
        match command {
            Command::Pause => self.is_paused = true,
            Command::Resume => {
                self.is_paused = false;
                self.pace.restart();
            }
            Command::Step => {
                self.is_paused = true;
                self.single_steps += 1;
            }
            Command::Interrupt => self.is_interrupted = true,
            Command::Restart => {
                let simulation = Simulation::on(Arc::clone(self.simulation.executor()), self.scene.clone())?;
                self.reopen(simulation)?;
            }
            Command::Open(scene) => {
                let simulation = Simulation::on(Arc::clone(self.simulation.executor()), *scene)?;
                self.open(simulation)?;
            }
            Command::Speed(speed) => {
                let [slowest, fastest] = Self::SPEEDS;
                if let Some(speed) = speed.filter(|speed| !(slowest..=fastest).contains(speed)) {
                    return Err(Error::Speed { speed, slowest, fastest });
                }
                self.pace = Pace::new(speed);
            }
            Command::Tune(tuning) => {
                self.simulation.tune(tuning)?;
                self.tuning = Some(tuning);
            }
            Command::Pour { stream, seconds } => self.pour(stream, seconds)?,
            Command::Push { to, radius } => match &mut self.stroke {
                Some(stroke) => stroke.go_on(to, radius),
                None => self.stroke = Some(Stroke::new(to, radius)),
            },
            Command::Grab { body, at } => {
                self.release()?;
                self.grabbed = Some(GrabbedBody::grab(&mut self.simulation, &body, at)?);
            }
            Command::Drag { to } => {
                // Who drags what somebody else has removed need not be told.
                if let Some(grabbed) = &mut self.grabbed {
                    grabbed.drag(&mut self.simulation, to)?;
                }
            }
            Command::Release => {
                self.stroke = None;
                self.stream = self.stream.filter(|(_, end)| end.is_finite());
                self.release()?;
            }
            Command::Drop { body, at, radius } => {
                let scene = self.simulation.scene();
                let radius = radius.unwrap_or_else(|| crate::BodyPreset::suitable_radius(scene));
                let body = body.above(scene, at, radius);
                self.change(Interaction::AddBody(Box::new(body)))?;
            }
            Command::Remove { body } => {
                if self.grabbed.as_ref().is_some_and(|grabbed| grabbed.body() == body) {
                    self.release()?;
                }
                self.change(Interaction::RemoveBody { name: body })?;
            }
            Command::Apply(interaction) => self.change(interaction)?,
        }
        Ok(())
    }

    /// Goes on with a simulation of another scene, as fast as that wants to be shown.
    ///
    /// # Errors
    /// If the water cannot be read; the simulation before then stays.
    pub fn open(&mut self, simulation: Simulation) -> Result<(), Error> {
        let speed = self.pace.speed().map(|_| pace::speed_of(simulation.scene()));
        self.replace(simulation)?;
        (self.pace, self.tuning) = (Pace::new(speed), None);
        Ok(())
    }

    /// Goes on with a new simulation of the same scene, which may have changed, with the settings as they are.
    ///
    /// # Errors
    /// If the water cannot be read or has other settings; the simulation before then stays.
    pub fn reopen(&mut self, mut simulation: Simulation) -> Result<(), Error> {
        if let Some(tuning) = self.tuning {
            simulation.tune(tuning)?;
        }
        self.replace(simulation)
    }

    fn replace(&mut self, mut simulation: Simulation) -> Result<(), Error> {
        self.begin = simulation.statistics_later()?.shared();
        self.initial_volume = None;
        self.scene = simulation.scene().clone();
        self.schedule = self.schedule.restarted(&self.scene, simulation.steps(), simulation.time());
        self.simulation = simulation;
        self.pace.restart();
        self.drop_interactions();
        Ok(())
    }

    /// Takes a step if one is due by the clock, which says `now` since any moment that does not change. After an error
    /// the water is paused, and what was held is held no longer; the caller decides whether to go on.
    ///
    /// # Errors
    /// As [`Simulation::step`].
    pub fn advance(&mut self, now: Duration) -> Result<Event, Error> {
        if std::mem::take(&mut self.is_interrupted) {
            return Ok(Event::Interrupted);
        }
        if self.schedule.is_finished(self.simulation.time()) {
            return Ok(Event::Finished);
        }
        let dt = self.pace.dt(self.scene.step);
        self.pace.pass(now, !self.is_paused);
        if self.single_steps > 0 {
            self.single_steps -= 1;
        } else if self.is_paused {
            return Ok(Event::Idle(None));
        } else {
            let wait = self.pace.wait(dt);
            if wait > Duration::ZERO {
                return Ok(Event::Idle(Some(wait)));
            }
            self.pace.take(dt);
        }
        match self.step(dt) {
            Ok(frame) => Ok(Event::Stepped { frame }),
            Err(error) => {
                (self.is_paused, self.single_steps) = (true, 0);
                // The error that is known is the one that counts.
                let _ = self.release();
                self.drop_interactions();
                Err(error)
            }
        }
    }

    /// One step of the schedule, with what users do meanwhile.
    fn step(&mut self, dt: f64) -> Result<Option<u64>, Error> {
        let time = self.simulation.time();
        self.schedule.change_step(dt, time);
        let dt = self.schedule.next() - time;
        self.stream = self.stream.filter(|(_, end)| time < *end);
        if let Some((stream, _)) = self.stream {
            self.simulation.pour(stream)?;
        }
        if let Some(stroke) = &mut self.stroke {
            // Nobody pushes faster than water that falls from the top of the domain.
            let scene = self.simulation.scene();
            let fastest = (2.0 * scene.gravity * scene.grid.height).sqrt();
            if let Some((at, velocity)) = stroke.push(dt, fastest) {
                self.simulation.push(at, stroke.radius, velocity)?;
            }
        }
        self.simulation.step(dt)?;
        Ok(self.schedule.stepped(self.simulation.time()))
    }

    fn pour(&mut self, stream: Pour, seconds: Option<f64>) -> Result<(), Error> {
        if let Some(seconds) = seconds.filter(|seconds| !(*seconds > 0.0 && *seconds <= LONGEST_POUR)) {
            return Err(PourError::Duration { seconds }.into());
        }
        // Now already, so that a stream that the water cannot have is refused at once.
        self.simulation.pour(stream)?;
        self.stream = Some((stream, seconds.map_or(f64::INFINITY, |seconds| self.simulation.time() + seconds)));
        Ok(())
    }

    fn release(&mut self) -> Result<(), Error> {
        self.grabbed.take().map_or(Ok(()), |grabbed| grabbed.release(&mut self.simulation))
    }

    /// Does something that may take as long as the beginning of a scene.
    fn change(&mut self, interaction: Interaction) -> Result<(), Error> {
        self.simulation.apply(interaction)?;
        self.pace.restart();
        Ok(())
    }

    fn drop_interactions(&mut self) {
        (self.grabbed, self.stream, self.stroke) = (None, None, None);
    }
}
