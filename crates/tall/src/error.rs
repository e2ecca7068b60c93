//! What can go wrong.

use thalweg_compute::ComputeError;
use thalweg_ledger::LedgerError;
use thalweg_pressure::device::DeviceError;
use thalweg_solids::ObstacleError;

/// Why water could not be made or moved.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum TallError {
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
    /// The pressure solve could not be set up.
    #[error(transparent)]
    Pressure(#[from] DeviceError),
    /// The ledger cannot be read: an amount of water was not finite, or too large.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A solid is none.
    #[error(transparent)]
    Obstacle(#[from] ObstacleError),
    /// A source cannot be held.
    #[error("source {} cannot be simulated: {what}", number + 1)]
    Source {
        /// Which one, from 0.
        number: usize,
        /// Why.
        what: String,
    },
    /// A side cannot make its waves.
    #[error("the {} side cannot make its waves: {what}", ["west", "east", "south", "north"][*side & 3])]
    Side {
        /// Which one: 0 west, 1 east, 2 south, 3 north.
        side: usize,
        /// Why.
        what: String,
    },
    /// Water cannot be poured in like that.
    #[error("water cannot be poured in: {what}")]
    Pour {
        /// Why.
        what: String,
    },
    /// A setting cannot be changed like that.
    #[error("`{setting}` must be {range}")]
    Setting {
        /// Which one.
        setting: &'static str,
        /// What it may be.
        range: String,
    },
    /// The collocated discretisation lacks something.
    #[error("collocated velocities cannot be simulated with {what}: use the Galerkin discretisation")]
    Collocated {
        /// What the water has.
        what: &'static str,
    },
    /// Bodies were not placed before a step.
    #[error("bodies must be placed before the first step: call `place_bodies`")]
    BodiesNotPlaced,
    /// Another number of bodies than the obstacles name.
    #[error("{found} bodies were placed, the obstacles name {wanted}")]
    Bodies {
        /// How many were placed.
        found: usize,
        /// How many there are.
        wanted: usize,
    },
    /// More solids than words of owners can name.
    #[error("{count} solids with bodies among them, at most 65535 are possible: make large parts of small ones")]
    TooManySolids {
        /// How many there are.
        count: usize,
    },
    /// A body has a place or velocity that is no number.
    #[error(
        "a body has a place, velocity or mass that is not finite after {time} s: use shorter steps or a heavier body"
    )]
    BodyNotFinite {
        /// Simulated time, s.
        time: f64,
    },
    /// A scene has a shape of solids that this version does not know.
    #[error("an obstacle has a shape that the solver does not know")]
    UnknownShape,
    /// A snapshot is of other columns.
    #[error("the snapshot has {found} numbers for `{field}`, these columns have {wanted}")]
    Snapshot {
        /// What it is about.
        field: &'static str,
        /// How many numbers the snapshot has.
        found: usize,
        /// How many it should have.
        wanted: usize,
    },
    /// The water has left the numbers.
    #[error("{count} values are not finite after {time:.3} s: use a smaller time step or max_cfl")]
    NotFinite {
        /// How many.
        count: u32,
        /// When it was seen, s.
        time: f64,
    },
}

/// Results of this crate.
pub type Result<T> = std::result::Result<T, TallError>;
