//! The vocabulary of Thalweg: one type for each thing that scene files, solvers, exports, the viewer and the web page all talk about.
//!
//! Everything is in SI units and world coordinates (y up), and nothing here knows a solver, a file or a GPU.

mod ability;
mod motion;
pub mod number;
mod pose;
mod series;
mod snapshot;
pub mod table;
mod vector;
mod whitewater;

pub use ability::{Abilities, Ability, Refusal};
pub use motion::{Motion, Spin, Travel};
pub use pose::Pose;
pub use series::{Series, SeriesError, two_columns};
pub use snapshot::{Array, Snapshot, SnapshotError};
pub use table::TableError;
pub use whitewater::{MOST_PARTICLES, MOST_PER_TRIAL, WhitewaterSettingError, WhitewaterSettings};
