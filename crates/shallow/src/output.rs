//! What a run gives out: fields, samples, statistics, snapshots.

pub use thalweg_model::{Maps, Sample, Statistics};

/// The state of every cell; index `i + nx * k`.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    /// Depth, m.
    pub depth: Vec<f32>,
    /// Surface elevation, m; the bed's where it is dry.
    pub surface: Vec<f32>,
    /// Velocity along x, m/s.
    pub u: Vec<f32>,
    /// Velocity along z, m/s.
    pub w: Vec<f32>,
}

/// All that a run needs to go on with the same bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// Simulated time, s.
    pub time: f64,
    /// Surface variable and discharges, three planes.
    pub state: Vec<f32>,
    /// Face velocities of [`Scheme::Cmf10`](crate::Scheme::Cmf10), m/s; empty for other schemes.
    pub faces: Vec<f32>,
    /// The levels that sides hold, and what absorbing sides remember; empty if no side holds a level.
    pub sides: Vec<f32>,
    /// Maps over time as the solver keeps them; empty without [`Setup::maps`](crate::Setup::maps).
    pub maps: Vec<f32>,
    /// Fastest signal, m/s.
    pub speed: f32,
    /// Words of the ledger.
    pub ledger: Vec<u32>,
    /// Sub-steps since the start.
    pub substeps: u64,
    /// Sub-steps per second of the last frame.
    pub substep_rate: f64,
}
