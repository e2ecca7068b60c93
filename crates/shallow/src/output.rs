//! What a run gives out: fields, samples, statistics, snapshots.

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

/// The state of one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Depth, m.
    pub depth: f64,
    /// Surface elevation, m.
    pub surface: f64,
    /// Velocity along x and z, m/s.
    pub velocity: [f64; 2],
    /// Bed elevation, m.
    pub bed: f64,
}

/// What the water did since the start, of every cell; index `i + nx * k`. NaN where the ground never was wet.
#[derive(Debug, Clone, PartialEq)]
pub struct Maps {
    /// Greatest depth, m.
    pub depth: Vec<f32>,
    /// Highest surface elevation, m.
    pub surface: Vec<f32>,
    /// Greatest speed, m/s.
    pub speed: Vec<f32>,
    /// Time at which the ground was wet for the first time, s; 0 where there was water at the start.
    pub arrival: Vec<f32>,
    /// Time at which the water stood highest, s.
    pub peak: Vec<f32>,
}

/// Sums over the domain.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Statistics {
    /// Simulated time, s.
    pub time: f64,
    /// Volume, m³.
    pub volume: f64,
    /// Kinetic energy, J.
    pub kinetic_energy: f64,
    /// Potential energy above still water at the datum, J.
    pub potential_energy: f64,
    /// Area under water, m².
    pub wet_area: f64,
    /// Fastest water, m/s.
    pub max_speed: f64,
    /// Volume that came in since the start, m³.
    pub added: f64,
    /// Volume that went out since the start, m³.
    pub removed: f64,
    /// Sub-steps since the start.
    pub substeps: u64,
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
    /// Volume in, volume out since the start, m³.
    pub books: [f64; 2],
    /// Sub-steps since the start.
    pub substeps: u64,
    /// Sub-steps per second of the last frame.
    pub substep_rate: f64,
}
