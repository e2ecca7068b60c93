//! What can go wrong in a simulation.

use std::sync::Arc;

use thalweg_bodies::WorldError;
use thalweg_compute::ComputeError;
use thalweg_ledger::LedgerError;
use thalweg_model::{Refusal, SnapshotError};
use thalweg_scene::SceneError;
use thalweg_scene::number::exact;
use thalweg_shallow::ShallowError;
use thalweg_tall::TallError;
use thalweg_waves::WavesError;
use thalweg_whitewater::WhitewaterError;

use crate::interaction::InteractionError;
use crate::methods::tall::pour::PourError;

/// Errors of [`Simulation`](crate::Simulation). [`Error::is_input`] tells a user's mistake from a failed run.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The solver refused or failed.
    #[error(transparent)]
    Shallow(#[from] ShallowError),
    /// The solver of three-dimensional water refused or failed.
    #[error(transparent)]
    Tall(#[from] TallError),
    /// Rigid bodies cannot be made, or not go on.
    #[error(transparent)]
    Bodies(#[from] WorldError),
    /// Spray, mist and foam were refused or failed.
    #[error(transparent)]
    Whitewater(#[from] WhitewaterError),
    /// The sea of the scene is none.
    #[error(transparent)]
    Waves(#[from] WavesError),
    /// A mesh has more surface than its distances may take memory for.
    #[error(
        "{of} has too much surface for cells of {} m: distances to it would be more than {most}. {}",
        exact(*cell), of.advice()
    )]
    Mesh {
        /// Whose it is.
        of: MeshOf,
        /// How many distances it may have.
        most: usize,
        /// Edge of a cell, m.
        cell: f64,
    },
    /// A time to go on by is not positive, or not finite.
    #[error("{} s is no time to go on by: it must be more than 0", exact(*dt))]
    TimeStep {
        /// What was asked for, s.
        dt: f64,
    },
    /// Time cannot pass that slowly or quickly.
    #[error(
        "{} simulated seconds per second are no speed: it must be between {} and {}",
        exact(*speed), exact(*slowest), exact(*fastest)
    )]
    Speed {
        /// What was asked for.
        speed: f64,
        /// The least.
        slowest: f64,
        /// The most.
        fastest: f64,
    },
    /// Water cannot be poured in like that.
    #[error(transparent)]
    Pour(#[from] PourError),
    /// Bodies cannot be touched like that.
    #[error(transparent)]
    Interaction(#[from] InteractionError),
    /// The method cannot do that.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A solver that this library cannot build.
    #[error("this library has no solver `{name}`: give a method of your own to `Simulation::with_method`")]
    UnknownSolver {
        /// Its name.
        name: &'static str,
    },
    /// A method of the caller's failed.
    #[error(transparent)]
    Method(Arc<dyn std::error::Error + Send + Sync>),
    /// Ledgers cannot be added up, or an account cannot hold its amount.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
    /// A painter was given a simulation that is not its own.
    #[error("this painter was made for another simulation: make one per simulation")]
    OtherSimulation,
    /// Saved data belongs to another scene, or is incomplete.
    #[error("{0}")]
    Saved(String),
}

/// Whose mesh is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeshOf {
    /// An obstacle, by its number from 0.
    Obstacle(usize),
    /// A body, by its name.
    Body(String),
}

impl std::fmt::Display for MeshOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Obstacle(number) => write!(f, "the mesh of obstacle {}", number + 1),
            Self::Body(name) => write!(f, "the mesh of body `{name}`"),
        }
    }
}

impl MeshOf {
    /// What can be done about its size.
    fn advice(&self) -> &'static str {
        match self {
            Self::Obstacle(_) => {
                "Make `cell` in [domain] larger or the mesh smaller; one that moves is looked at wherever its motion can bring it \
                 into the domain: a shorter way, or no `spin`, makes that less"
            }
            Self::Body(_) => {
                "Make `cell` in [domain] larger or the mesh smaller, or let it be an obstacle: a body that may go anywhere is \
                 looked at as a whole, an obstacle where the domain is"
            }
        }
    }
}

impl From<SnapshotError> for Error {
    fn from(error: SnapshotError) -> Self {
        Self::Saved(error.to_string())
    }
}

impl Error {
    /// Whether the input is at fault, not the run.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Scene(_) | Self::Saved(_) | Self::TimeStep { .. } | Self::Pour(_) | Self::Refused(_) => true,
            Self::Interaction(_) | Self::Speed { .. } | Self::Mesh { .. } | Self::UnknownSolver { .. } => true,
            Self::Waves(error) => matches!(error, WavesError::Setting { .. }),
            Self::Shallow(error) => matches!(error, ShallowError::Invalid { .. }),
            Self::Tall(error) => {
                use TallError as E;
                matches!(
                    error,
                    E::Obstacle(_) | E::Collocated { .. } | E::Setting { .. } | E::Source { .. } | E::Snapshot { .. }
                )
            }
            Self::Bodies(error) => !matches!(error, WorldError::Lost { .. } | WorldError::NotFinite { .. }),
            Self::Whitewater(error) => !matches!(error, WhitewaterError::Compute(_)),
            Self::Compute(_) | Self::Ledger(_) | Self::OtherSimulation | Self::Method(_) => false,
        }
    }
}
