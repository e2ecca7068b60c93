//! What to simulate: grid, bed, water, edges, sources and the choice of scheme.

pub use thalweg_model::{Limiter, SourceShape};

/// Sides of the domain, in the order west (low x), east (high x), south (low z), north (high z).
pub const SIDES: usize = 4;

/// A quantity given over time, evaluated in seconds of simulated time.
pub type Driver = Box<dyn Fn(f64) -> f64 + Send + Sync>;

/// The state of one cell at the start, absolute elevations.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InitialCell {
    /// Bed elevation, m.
    pub bed: f64,
    /// Surface elevation, m; at or below the bed means dry.
    pub surface: f64,
    /// Velocity along x and z, m/s.
    pub velocity: [f64; 2],
}

/// A shallow-water problem. Fields are public; start from [`Setup::new`].
pub struct Setup<'a> {
    /// Cells along x.
    pub nx: u32,
    /// Cells along z; 1 makes the domain two-dimensional (x and y).
    pub nz: u32,
    /// Size of a cell, m.
    pub cell: f64,
    /// Gravity, m/s².
    pub gravity: f64,
    /// Bed and water of cell `(i, k)`.
    pub initial: &'a (dyn Fn(u32, u32) -> InitialCell + Sync),
    /// Where elevations are measured from in f32.
    pub datum: Datum,
    /// West, east, south, north.
    pub boundaries: [Boundary; SIDES],
    /// Rain, m/s.
    pub rain: Option<Driver>,
    /// Places where water is added or taken.
    pub sources: Vec<Source>,
    /// Depth from which ground counts as wetted, m, if maps over time are wanted ([`ShallowWater::maps`](crate::ShallowWater::maps)).
    pub maps: Option<f64>,
    /// Scheme and its parameters.
    pub options: Options,
}

impl std::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup")
            .field("nx", &self.nx)
            .field("nz", &self.nz)
            .field("cell", &self.cell)
            .finish_non_exhaustive()
    }
}

impl<'a> Setup<'a> {
    /// A closed basin of `nx` by `nz` cells of `cell` metres.
    pub fn new(nx: u32, nz: u32, cell: f64, initial: &'a (dyn Fn(u32, u32) -> InitialCell + Sync)) -> Self {
        Self {
            nx,
            nz,
            cell,
            gravity: 9.81,
            initial,
            datum: Datum::Auto,
            boundaries: [const { Boundary::Wall }; SIDES],
            rain: None,
            sources: Vec::new(),
            maps: None,
            options: Options::default(),
        }
    }
}

/// The elevation that counts as zero in f32. At sea it should be the still level, so that small waves keep
/// their digits on deep water; over land the lowest bed, so that thin films keep theirs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Datum {
    /// The mean surface if nine tenths of the cells below it are wet, the lowest bed otherwise.
    #[default]
    Auto,
    /// This elevation, m.
    At(f64),
}

/// What lies beyond a side.
pub enum Boundary {
    /// A wall without friction.
    Wall,
    /// Water leaves as if the domain went on with the same state.
    Outflow,
    /// A far field at a level (absolute elevation, m): waves leave, and enter if the level varies.
    FarField {
        /// Surface elevation over time, m.
        level: Driver,
        /// Still-water elevation from which entering waves rise, m.
        rest: f64,
        /// Width of the absorbing layer, cells.
        layer: u32,
        /// First and one past the last cell along the side; a wall elsewhere.
        span: std::ops::Range<u32>,
    },
    /// Water enters at a given rate.
    Discharge {
        /// Inflow over time through the whole span, m³/s.
        rate: Driver,
        /// First and one past the last cell along the side; a wall elsewhere.
        span: std::ops::Range<u32>,
    },
    /// The water beyond stands at a level: water leaves or enters as that asks for.
    Level {
        /// What the level follows from.
        stage: Stage,
        /// First and one past the last cell along the side; a wall elsewhere.
        span: std::ops::Range<u32>,
    },
}

/// What the level at a side follows from.
pub enum Stage {
    /// It is given.
    Given {
        /// Surface elevation over time, m.
        level: Driver,
        /// 0: the level is held strictly, which throws waves back. Otherwise a time, s: the level is held in the mean over it, and shorter waves leave.
        absorb: f64,
    },
    /// From the discharge that leaves through the whole span. Nothing enters.
    Rating {
        /// Points of elevation (m), which increases, and discharge (m³/s), which does not decrease; straight between them, and on beyond the ends.
        curve: Vec<[f64; 2]>,
    },
    /// That of uniform flow in a wide channel, q = h^(5/3) √S / n, in every cell by itself. Nothing enters.
    Normal {
        /// Fall of the channel beyond, m/m.
        slope: f64,
        /// Its Manning's n, s·m^(-1/3).
        manning: f64,
    },
}

/// Water added (or taken, if negative) in a set of cells.
pub struct Source {
    /// Where, m from the low corner of the domain. A cell belongs to it if its centre does; a shape that misses every
    /// centre takes the cell it lies in.
    pub shape: SourceShape,
    /// m³/s over time.
    pub rate: Driver,
}

/// Which scheme, and how fine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The discretisation.
    pub scheme: Scheme,
    /// Courant number in the one-dimensional sense, 0 to 0.45.
    pub cfl: f64,
    /// Manning's n, s·m^(-1/3); 0 is frictionless. Rivers: 0.025 to 0.15.
    pub manning: f64,
    /// Depth below which velocities fade, m. `None`: a thousandth of a cell, at least 1 µm.
    pub thin_depth: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { scheme: Scheme::default(), cfl: 0.45, manning: 0.0, thin_depth: None }
    }
}

/// The discretisation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scheme {
    /// Finite volumes with hydrostatic reconstruction and HLLC fluxes: well-balanced, positive, shocks.
    Hllc {
        /// First or second order.
        order: Order,
    },
    /// The staggered scheme of Chentanez & Müller-Fischer 2010, its depth limiter corrected. For gentle open
    /// water: long waves run right, bores and fronts on dry ground too slow.
    Cmf10,
}

impl Default for Scheme {
    fn default() -> Self {
        Self::Hllc { order: Order::Second { limiter: Limiter::Minmod } }
    }
}

/// Order of accuracy of [`Scheme::Hllc`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Piecewise constant: robust, diffusive, cheapest.
    First,
    /// Limited slopes and a half-step predictor (MUSCL-Hancock); first order beside dry cells.
    Second {
        /// How slopes are limited.
        limiter: Limiter,
    },
}
