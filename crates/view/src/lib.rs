//! A window to watch and touch running water.
//!
//! A worker thread owns the [`Simulation`](thalweg::Simulation) and draws its pictures, on the processor or on a GPU;
//! the window only shows the newest one under its panels. Commands go one way over a channel, reports come back through
//! a slot that holds one: however slow the water is, the window stays quick, and nothing queues up.
//!
//! ```no_run
//! use thalweg_view::{SceneSource, ViewOptions, open};
//!
//! let figures = open(ViewOptions::new(SceneSource::named("dam-break")))?;
//! println!("{} m³ after {} s", figures.volume_m3, figures.time_s);
//! # Ok::<(), thalweg_view::ViewError>(())
//! ```
//!
//! Reading order: `command.rs` and `report.rs` (what goes over), `worker` (the water, by a `thalweg::Session`),
//! `app.rs` (what the user sees and does), `window.rs`. All but `window.rs` works without a display.

mod app;
mod bodies;
mod canvas;
mod capture;
mod command;
mod contact;
mod error;
mod figures;
mod keys;
mod obstacles;
mod options;
mod orbit;
mod panel;
mod report;
mod scale;
mod scene_source;
mod slot;
mod stage;
mod style;
#[cfg(test)]
mod tests;
mod window;
mod worker;

pub use error::ViewError;
pub use figures::FinalFigures;
pub use options::ViewOptions;
pub use scale::Scale;
pub use scene_source::SceneSource;
pub use window::open;
