//! What a run makes of its water: pictures, a film, files for other programs, tables and checkpoints (feature
//! `outputs`).
//!
//! A run is a pipeline whose stages work side by side: the thread of the simulation reads the water at every frame,
//! workers make [`Product`]s of it, and one thread gives them to the caller's [`Store`] in the order of the run.
//! [`Run`] does all of it with a [`Session`](crate::Session); files and folders are the caller's.
//!
//! ```
//! use std::sync::Mutex;
//!
//! use thalweg::outputs::{Measurements, OutputError, Pictures, Product, Run};
//! use thalweg::{Backend, Scene, Session, Simulation};
//!
//! let mut simulation = Simulation::new(Scene::shipped("column-2d")?, Backend::Cpu)?;
//! let run = Run::new(Pictures::new(&mut simulation)?);
//! let mut session = Session::run(simulation, Some(2), None)?;
//! let (measurements, mut rows) = (Measurements::new(&session)?, 0);
//! let names = Mutex::new(Vec::new());
//! let store = |product: &Product| -> Result<(), OutputError> {
//!     if let Product::Picture { field, frame, .. } = product {
//!         names.lock().map_err(|_| OutputError::Stopped)?.push(format!("{field}-{frame}.png"));
//!     }
//!     Ok(())
//! };
//! let count = |_: &_| {
//!     rows += 1;
//!     Ok(())
//! };
//! let finished = run.go(&mut session, measurements, |_| Ok(store), count, || ());
//! finished.ended?;
//! assert_eq!(finished.measurements.step_ms().len(), rows);
//! assert!(names.lock().map_err(|_| OutputError::Stopped)?.len() >= 3, "the beginning and two frames");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
pub mod encode;
mod error;
mod exports;
mod film;
mod measurements;
mod pictures;
mod run;
mod sequence;
mod stage_times;
mod workers;

use std::sync::Arc;

use thalweg_compute::{Later, Shared};
use thalweg_io::Image;
use thalweg_io::checkpoint::Checkpoint;
use thalweg_io::video;

pub use checkpoint::SavedRun;
pub use error::OutputError;
pub use exports::{Export, ExportFile, ExportKind, Exports, Formats, is_export_name};
pub use film::{Film, Filmed, Playback, liveliest, three_digits};
pub use measurements::{Measurements, Reading, RowColumns, Rows, stage_of};
pub use pictures::Pictures;
pub use run::{Ended, Finished, Run};
pub use stage_times::{Stage, StageTimes};

use crate::error::Error;
use crate::simulation::{Simulation, WaterSurface};
use crate::statistics::Statistics;

type Outcome<T = ()> = Result<T, OutputError>;

/// The water at a frame.
#[derive(Debug)]
pub struct Moment {
    /// The number of the frame.
    pub frame: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Sums over the water.
    pub statistics: Statistics,
    /// The surface of a height field, read once for all that look at it.
    pub surface: Option<Shared<Arc<WaterSurface>, Error>>,
}

impl Moment {
    /// The surface, for a task.
    fn surface_later(&self, simulation: &mut Simulation) -> Outcome<Later<Arc<WaterSurface>, Error>> {
        Ok(match self.surface.clone() {
            Some(surface) => Later::new(move || surface.wait()),
            None => simulation.water_surface_later()?.map(Arc::new),
        })
    }
}

/// Work for any thread, which ends with something to store.
pub type Task = Box<dyn FnOnce(&StageTimes) -> Result<Vec<Product>, OutputError> + Send>;

/// Something that a run has made.
#[derive(Debug)]
#[non_exhaustive]
pub enum Product {
    /// A picture.
    Picture {
        /// Name of the field that it shows.
        field: &'static str,
        /// The number of the frame.
        frame: u64,
        /// The bytes of a PNG file.
        png: Vec<u8>,
        /// The picture itself, if it belongs to the film.
        image: Option<Image>,
    },
    /// Files for other programs.
    Export(Export),
    /// A checkpoint. All that was made before it is stored.
    Checkpoint(Checkpoint),
    /// Of an [`Output`] of the caller's.
    Other(Vec<u8>),
}

/// Where the products of a run go, in its order. What fails stops the run.
pub trait Store: Send {
    /// Stores a product.
    ///
    /// # Errors
    /// [`OutputError::Store`] with the caller's reason.
    fn put(&mut self, product: &Product) -> Result<(), OutputError>;
}

impl<F: FnMut(&Product) -> Result<(), OutputError> + Send> Store for F {
    fn put(&mut self, product: &Product) -> Result<(), OutputError> {
        self(product)
    }
}

/// Something else that a run makes of its frames.
pub trait Output {
    /// Reads the water at a frame; the rest is a task. `None`: not of this frame.
    ///
    /// # Errors
    /// If the water cannot be read.
    fn read(&mut self, simulation: &mut Simulation, moment: &Moment) -> Result<Option<Task>, OutputError>;
}

/// Watches how far a run is, from any thread.
pub trait Observer: Sync {
    /// A step was taken.
    fn stepped(&self, _now: &Statistics) {}

    /// Something was given to the workers.
    fn begun(&self) {}

    /// It has been stored.
    fn stored(&self) {}

    /// A picture is on its way into the film.
    fn filmed(&self) {}

    /// The film is being encoded; its progress says how far.
    fn encoding(&self, _progress: Arc<video::Progress>) {}

    /// Called again and again while all that is left to do is encoding.
    fn waiting(&self) {}
}

/// Nobody watches.
impl Observer for () {}
