//! What can go wrong.

use thalweg_compute::ComputeError;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, WavesError>;

/// Why there are no waves.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum WavesError {
    /// A setting that makes no sea.
    #[error("`{name}` of waves is {value}: {wants}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        wants: &'static str,
    },
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
}
