//! What can go wrong.

use thalweg_compute::ComputeError;
use thalweg_ledger::LedgerError;
use thalweg_solids::ObstacleError;

/// Why particles could not be made, moved or restored.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ParticlesError {
    /// The setup makes no sense.
    #[error("{what}")]
    Invalid {
        /// What to change.
        what: String,
    },
    /// A number is no longer finite. A bug of ours, never of the scene.
    #[error("a particle became non-finite before {time} s; the last frame before that is good")]
    NotFinite {
        /// End of the frame, s.
        time: f64,
    },
    /// A solid is not valid.
    #[error(transparent)]
    Solid(#[from] ObstacleError),
    /// What was saved does not fit.
    #[error("the saved particles have {found} numbers for `{field}`, here there are {wanted}")]
    Snapshot {
        /// What it is about.
        field: &'static str,
        /// How many numbers were saved.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// An account cannot hold what it gets.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
}

/// Results of this crate.
pub type Result<T, E = ParticlesError> = std::result::Result<T, E>;

pub(crate) fn invalid<T>(what: impl Into<String>) -> Result<T> {
    Err(ParticlesError::Invalid { what: what.into() })
}
