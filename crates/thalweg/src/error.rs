//! What can go wrong in a simulation.

use thalweg_compute::ComputeError;
use thalweg_scene::SceneError;
use thalweg_shallow::ShallowError;

/// Errors of [`Simulation`](crate::Simulation). [`Error::is_input`] tells a user's mistake from a failed run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The solver refused or failed.
    #[error(transparent)]
    Shallow(#[from] ShallowError),
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
    /// Saved data belongs to another scene, or is incomplete.
    #[error("{0}")]
    Saved(String),
}

impl Error {
    /// Whether the input is at fault, not the run.
    pub fn is_input(&self) -> bool {
        matches!(self, Self::Scene(_) | Self::Saved(_) | Self::Shallow(ShallowError::Invalid { .. }))
    }
}
