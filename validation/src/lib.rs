//! Physics cases against analysis and experiment: what Thalweg's water gets right, and by how much.
//!
//! A [`Case`] sets up a flow whose answer is known (an exact solution, a law or a laboratory record), runs it on
//! the executor it is given and returns [`Metric`]s with limits, charts and remarks. A limit is about a third
//! above what the solver measures, or a required figure; nothing is tuned to a single curve.
//!
//! ```
//! use std::sync::Arc;
//! use thalweg_compute::Executor;
//!
//! let exec = Arc::new(Executor::cpu()?);
//! let case = thalweg_validation::cases().into_iter().find(|c| c.name == "double-rarefaction").ok_or("no such case")?;
//! let outcome = case.run(&exec)?;
//! assert!(outcome.pass(), "{:?}", outcome.failures());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Reading order: this page, `rig.rs` (how cases run and measure), `tank.rs` and `shapes.rs` (the same for
//! three-dimensional water and for its surface alone), `floating.rs` (the same for rigid bodies), `comparison.rs` and
//! `height_field.rs` (a tree compared with a uniform grid), then any file of `cases/`. Reference data lie in `data/`,
//! each with its source in its header, and are part of the binary.

mod cases;
mod comparison;
mod data;
mod floating;
mod height_field;
mod outcome;
mod rig;
mod shapes;
mod tank;

use std::sync::Arc;

use thalweg_compute::Executor;

pub use outcome::{Limit, Metric, Outcome};

/// Why a case could not be run. A case that runs and misses a limit is no error.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ValidationError {
    /// The solver refused the setup or gave up.
    #[error(transparent)]
    Shallow(#[from] thalweg_shallow::ShallowError),
    /// So did the solver of three-dimensional water.
    #[error(transparent)]
    Tall(#[from] thalweg_tall::TallError),
    /// A whole scene did not run.
    #[error(transparent)]
    Simulation(Arc<thalweg::Error>),
    /// A reference table is damaged.
    #[error("reference table {table}: {what}")]
    Data {
        /// Name of the table.
        table: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// What should be measured did not happen in the run.
    #[error("nothing to measure: {what}")]
    Missing {
        /// What was looked for.
        what: String,
    },
}

/// Shorthand for results of this crate.
pub type Result<T, E = ValidationError> = std::result::Result<T, E>;

/// A flow with a known answer.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Short name, as typed after `thalweg validate`.
    pub name: &'static str,
    /// What is simulated and measured, in one sentence.
    pub about: &'static str,
    /// Where the answer comes from.
    pub source: &'static str,
    run: fn(&Arc<Executor>) -> Result<Outcome>,
}

impl Case {
    /// Runs the case.
    pub fn run(&self, exec: &Arc<Executor>) -> Result<Outcome> {
        (self.run)(exec)
    }
}

/// Every case, in the order in which they are best read.
pub fn cases() -> Vec<Case> {
    cases::all()
}

/// Long forms of those cases that have one, under the same names: what takes minutes.
pub fn long_cases() -> Vec<Case> {
    cases::long()
}
