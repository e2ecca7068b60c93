//! Why shallow water could not be set up or stepped.

use thalweg_compute::ComputeError;
use thalweg_ledger::LedgerError;

/// Errors of the shallow-water solver.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ShallowError {
    /// The setup makes no sense.
    #[error("{what}")]
    Invalid {
        /// What to change.
        what: String,
    },
    /// The state is no longer finite. A bug of ours, never of the scene.
    #[error("the water became non-finite between {from} s and {to} s; the last frame before that is good")]
    NotFinite {
        /// Start of the frame, s.
        from: f64,
        /// End of the frame, s.
        to: f64,
    },
    /// The water moves so fast that a frame would need too many sub-steps.
    #[error(
        "at {time} s signals run at {speed} m/s and a frame of {frame} s would need more than {limit} sub-steps: \
         use larger cells or shorter frames, or look for a driver with a wrong unit"
    )]
    Collapsed {
        /// Start of the frame, s.
        time: f64,
        /// Fastest signal, m/s.
        speed: f32,
        /// Length of the frame, s.
        frame: f64,
        /// Sub-steps allowed.
        limit: u32,
    },
    /// An amount of water was not finite, or too large for its account, or a saved ledger does not fit.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
}

/// Shorthand for results of this crate.
pub type Result<T, E = ShallowError> = std::result::Result<T, E>;

pub(crate) fn invalid<T>(what: impl Into<String>) -> Result<T> {
    Err(ShallowError::Invalid { what: what.into() })
}
