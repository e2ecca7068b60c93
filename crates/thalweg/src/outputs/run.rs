//! A session from its beginning to its end, with its outputs.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thalweg_compute::Shared;
use thalweg_model::Ability;

use super::checkpoint::SavedRun;
use super::exports::{Exports, Formats};
use super::film::{Camera, Film, Filmed, Making};
use super::measurements::{Measurements, Reading, Rows};
use super::pictures::{self, Pictures};
use super::stage_times::{Stage, StageTimes};
use super::workers::Workers;
use super::{Moment, Observer, Outcome, Output, OutputError, Product, Store, Task};
use crate::error::Error;
use crate::session::{Command, Event, Session};
use crate::simulation::{Simulation, WaterSurface};
use crate::statistics::Statistics;

/// How long to wait before looking again whether the film is ready.
const SHORT: Duration = Duration::from_millis(10);

/// What a run makes, and how.
pub struct Run<'a> {
    /// Pictures.
    pub pictures: Pictures,
    /// Files for other programs.
    pub exports: Exports,
    /// What else is made of frames.
    pub others: Vec<Box<dyn Output + 'a>>,
    /// The film of the first field that is drawn.
    pub film: Option<Film>,
    /// Threads of the workers, and of the encoders.
    pub threads: NonZero<usize>,
    /// Wall time between two checkpoints.
    pub checkpoint_every: Duration,
    /// Whether the frame of the beginning was made by an earlier run.
    pub resumes: bool,
    /// The run ends after the step in which this becomes true.
    pub stop: Arc<AtomicBool>,
    /// Who watches.
    pub observer: &'a dyn Observer,
}

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All is simulated.
    Complete,
    /// It was stopped, and has left a checkpoint.
    Interrupted,
}

/// What is left of a run.
#[derive(Debug)]
pub struct Finished<R> {
    /// How it ended. What was stored before an error stays.
    pub ended: Result<Ended, OutputError>,
    /// The film; `None` if none was asked for or there are too few pictures.
    pub film: Result<Option<Filmed>, OutputError>,
    /// What was measured.
    pub measurements: Measurements,
    /// How long the stages were busy.
    pub times: StageTimes,
    /// What the caller did meanwhile.
    pub meanwhile: R,
}

impl<'a> Run<'a> {
    /// A run that makes these pictures, no film and no exports, with a checkpoint at its end; on all cores.
    pub fn new(pictures: Pictures) -> Self {
        Self {
            pictures,
            exports: Exports::new(Formats::default()),
            others: Vec::new(),
            film: None,
            threads: std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
            checkpoint_every: Duration::MAX,
            resumes: false,
            stop: Arc::default(),
            observer: &(),
        }
    }

    /// Simulates, draws, stores and encodes side by side; returns when all of it has come to its end. `open` begins the
    /// store, `table` takes the row of every step, and `meanwhile` is called when all is stored and the last pictures
    /// may still be encoded.
    pub fn go<S: Store, R>(
        self,
        session: &mut Session,
        mut measurements: Measurements,
        open: impl FnOnce(&mut Session) -> Result<S, OutputError>,
        mut table: impl FnMut(&Rows) -> Result<(), OutputError>,
        meanwhile: impl FnOnce() -> R,
    ) -> Finished<R> {
        let Self { pictures, exports, others, film, threads, checkpoint_every, resumes, stop, observer } = self;
        let times = StageTimes::default();
        let making = film.map(|film| Making::new(film, threads, observer));
        let (ended, film, meanwhile) = std::thread::scope(|scope| {
            let (camera, encoder) = match &making {
                Some(making) => {
                    let (camera, received) = making.begin();
                    (Some(camera), Some(scope.spawn(move || making.make(received))))
                }
                None => (None, None),
            };
            let ended = (|| {
                let mut writer = Writer { store: open(session)?, camera, times: &times, observer };
                let workers = Workers::new(scope, threads, move |made| writer.take(made));
                let mut outputs = Outputs { pictures, exports, others, workers, times: &times, observer };
                let drive = Drive { stop: &stop, checkpoint_every, resumes };
                let ended = drive.run(session, &mut measurements, &mut outputs, &mut table);
                let stored = outputs.workers.finish();
                match ended {
                    // The workers know what has stopped them.
                    Err(OutputError::Stopped) => stored.and(Err(OutputError::Stopped)),
                    Err(error) => Err(error),
                    Ok(ended) => stored.map(|()| ended),
                }
            })();
            let meanwhile = meanwhile();
            let film = match encoder {
                Some(encoder) => {
                    while !encoder.is_finished() {
                        observer.waiting();
                        std::thread::sleep(SHORT);
                    }
                    encoder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                }
                None => Ok(None),
            };
            (ended, film, meanwhile)
        });
        Finished { ended, film, measurements, times, meanwhile }
    }
}

/// How the session goes through its time.
struct Drive<'a> {
    stop: &'a AtomicBool,
    checkpoint_every: Duration,
    resumes: bool,
}

impl Drive<'_> {
    fn run(
        &self,
        session: &mut Session,
        measurements: &mut Measurements,
        outputs: &mut Outputs<'_, '_>,
        table: &mut dyn FnMut(&Rows) -> Outcome,
    ) -> Outcome<Ended> {
        let began = Instant::now();
        let mut last_checkpoint = began;
        if !self.resumes {
            outputs.frame(session, session.frame(), measurements.last())?;
        }
        let mut table = Table { measurements, rows: table, reading: None };
        loop {
            let event = outputs.times.time(Stage::Simulate, || -> Outcome<_> {
                let begin = Instant::now();
                let event = session.advance(began.elapsed());
                // The row of the step before, which a GPU has finished while this one was recorded.
                table.end_row(session)?;
                let event = event?;
                if let Event::Stepped { .. } = event {
                    table.begin_row(session, begin)?;
                }
                Ok(event)
            })?;
            match event {
                Event::Stepped { frame } => {
                    if let Some(frame) = frame {
                        outputs.times.time(Stage::Simulate, || table.end_row(session))?;
                        outputs.frame(session, frame, table.measurements.last())?;
                    }
                    outputs.observer.stepped(&table.measurements.last());
                    if self.stop.load(Ordering::Relaxed) {
                        session.command(Command::Interrupt)?;
                    } else if last_checkpoint.elapsed() >= self.checkpoint_every {
                        table.end_row(session)?;
                        outputs.checkpoint(session)?;
                        last_checkpoint = Instant::now();
                    }
                }
                // Of a session that somebody has given a speed, or has paused.
                Event::Idle(wait) => std::thread::sleep(wait.unwrap_or(SHORT)),
                Event::Interrupted => {
                    outputs.checkpoint(session)?;
                    return Ok(Ended::Interrupted);
                }
                Event::Finished => {
                    outputs.checkpoint(session)?;
                    return Ok(Ended::Complete);
                }
            }
        }
    }
}

/// The rows of the tables, of which one may be on its way. A frame waits for its row: nothing is drawn of a step that
/// has failed. So does a checkpoint, which holds what gauges remember.
struct Table<'a> {
    measurements: &'a mut Measurements,
    rows: &'a mut dyn FnMut(&Rows) -> Outcome,
    reading: Option<Reading>,
}

impl Table<'_> {
    fn begin_row(&mut self, session: &mut Session, began: Instant) -> Outcome {
        self.reading = Some(self.measurements.read(session.simulation_mut(), began)?);
        Ok(())
    }

    /// Waits for the row that was begun.
    fn end_row(&mut self, session: &mut Session) -> Outcome {
        match self.reading.take() {
            Some(reading) => (self.rows)(&self.measurements.row(session.simulation_mut(), reading)?),
            None => Ok(()),
        }
    }
}

/// All that is made of frames, in front of the workers.
struct Outputs<'scope, 'a> {
    pictures: Pictures,
    exports: Exports,
    others: Vec<Box<dyn Output + 'a>>,
    workers: Workers<'scope, Vec<Product>>,
    times: &'scope StageTimes,
    observer: &'scope dyn Observer,
}

impl Outputs<'_, '_> {
    /// Reads the water as it is, and gives the rest of the work to the workers.
    fn frame(&mut self, session: &mut Session, frame: u64, statistics: Statistics) -> Outcome {
        let simulation = session.simulation_mut();
        let tasks = self.times.time(Stage::Draw, || -> Outcome<_> {
            let surface = surface(self, simulation)?;
            let moment = Moment { frame, time: simulation.time(), statistics, surface };
            let mut tasks = self.pictures.read(simulation, &moment)?;
            tasks.extend(self.exports.read(simulation, &moment)?);
            for other in &mut self.others {
                tasks.extend(other.read(simulation, &moment)?);
            }
            Ok(tasks)
        })?;
        tasks.into_iter().try_for_each(|task| self.add(task))
    }

    /// Makes a checkpoint, to be stored after all that was made before it.
    fn checkpoint(&mut self, session: &mut Session) -> Outcome {
        let scales = self.pictures.scales();
        let saved = self.times.time(Stage::Write, || SavedRun::later(session))?;
        self.add(Box::new(move |times| {
            let mut saved = times.time(Stage::Write, || saved.wait())?;
            saved.ranges = scales.run(|scales| pictures::ranges(scales.as_slice()))?;
            Ok(vec![Product::Checkpoint(times.time(Stage::Write, || saved.into_checkpoint())?)])
        }))
    }

    fn add(&self, task: Task) -> Outcome {
        self.observer.begun();
        let times = self.times;
        Ok(self.workers.add(Box::new(move || task(times)))?)
    }
}

/// The surface of a height field, if anything looks at it.
fn surface(
    outputs: &Outputs<'_, '_>,
    simulation: &mut Simulation,
) -> Result<Option<Shared<Arc<WaterSurface>, Error>>, Error> {
    let is_wanted = outputs.pictures.wants_surface() || outputs.exports.wants_surface() || !outputs.others.is_empty();
    let is_height_field = !simulation.abilities().has(Ability::ThreeDimensional);
    let is_read = is_wanted && is_height_field;
    Ok(if is_read { Some(simulation.water_surface_later()?.map(Arc::new).shared()) } else { None })
}

/// The end of the pipeline: everything that is made of the water is stored here, by one thread and in the order of the
/// run. A checkpoint therefore stands for products that are stored, and whatever ends a run leaves the products of a
/// shorter one.
struct Writer<'a, S> {
    store: S,
    camera: Option<Camera<'a>>,
    times: &'a StageTimes,
    observer: &'a dyn Observer,
}

impl<S: Store> Writer<'_, S> {
    fn take(&mut self, made: Vec<Product>) -> Outcome {
        self.times.time(Stage::Write, || made.into_iter().try_for_each(|product| self.write(product)))?;
        self.observer.stored();
        Ok(())
    }

    fn write(&mut self, product: Product) -> Outcome {
        self.store.put(&product)?;
        if let (Some(camera), Product::Picture { frame, image: Some(image), .. }) = (&self.camera, product) {
            camera.shoot(frame, image);
        }
        Ok(())
    }
}
