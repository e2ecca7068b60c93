//! What can go wrong.

use thalweg_compute::ComputeError;
use thalweg_model::WhitewaterSettingError;

/// Why whitewater could not be made, moved or restored.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum WhitewaterError {
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] WhitewaterSettingError),
    /// What was saved does not fit.
    #[error(
        "the saved whitewater has {found} numbers for `{field}`, here there are {wanted}: it was saved with other settings"
    )]
    Snapshot {
        /// What it is about.
        field: &'static str,
        /// How many numbers were saved.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
}

/// Results of this crate.
pub type Result<T> = std::result::Result<T, WhitewaterError>;
