//! What can go wrong on the way from the water to a file.

use thalweg_io::checkpoint;

use crate::error::Error;

/// Why the outputs of a run cannot be made or stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] Error),
    /// Something cannot be encoded or written.
    #[error(transparent)]
    Encoding(#[from] thalweg_io::Error),
    /// A checkpoint cannot be written or read.
    #[error(transparent)]
    Checkpoint(#[from] checkpoint::Error),
    /// The water has nothing of the kind that was asked for.
    #[error("{0}")]
    Missing(&'static str),
    /// What a checkpoint holds beside the water is not what a run needs.
    #[error("{0}")]
    Contents(String),
    /// The caller's store failed.
    #[error(transparent)]
    Store(Box<dyn std::error::Error + Send + Sync>),
    /// The pipeline has stopped before; its end says why.
    #[error("the outputs of the run have stopped")]
    Stopped,
}

impl OutputError {
    /// Whether the input is at fault, not the run.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Simulation(error) => error.is_input(),
            Self::Missing(_) | Self::Contents(_) => true,
            Self::Encoding(_) | Self::Checkpoint(_) | Self::Store(_) | Self::Stopped => false,
        }
    }
}
