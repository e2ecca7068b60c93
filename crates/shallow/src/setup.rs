//! What to simulate: grid, bed, water, sides, sources and the choice of scheme.

pub use thalweg_model::{Datum, Limiter, Series, Side, Sides, Source, SourceShape};

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
    /// World coordinates `[x, z]` of the low corner, m.
    pub origin: [f64; 2],
    /// Bed and water of cell `(i, k)`.
    pub initial: &'a (dyn Fn(u32, u32) -> InitialCell + Sync),
    /// Where elevations are measured from in f32. The solver's own choice is the mean surface if nine tenths of the
    /// cells below it are wet, the lowest bed otherwise.
    pub datum: Datum,
    /// What happens at the sides. Those that make waves in three-dimensional water are walls.
    pub sides: Sides,
    /// West, east, south, north: what is here is there instead of what `sides` has.
    pub far_fields: [Option<FarField>; SIDES],
    /// Rain, m/s.
    pub rain: Option<Series>,
    /// Places where water is added or taken. A cell belongs to a source if its centre does; a shape that misses every
    /// centre takes the cell it lies in.
    pub sources: Vec<Source>,
    /// Depth from which ground counts as wetted, m, if maps over time are wanted
    /// ([`ShallowWater::maps`](crate::ShallowWater::maps)).
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
            origin: [0.0; 2],
            initial,
            datum: Datum::Auto,
            sides: Sides::default(),
            far_fields: [const { None }; SIDES],
            rain: None,
            sources: Vec::new(),
            maps: None,
            options: Options::default(),
        }
    }
}

/// A far field along all of a side: waves leave, and enter where the level varies. It is for comparisons with exact
/// solutions, which are functions of time and flow while they rest; a [`Side`] of a scene has a series, and rests at
/// the level of the water at the start.
pub struct FarField {
    /// Surface elevation over time, m.
    pub level: Driver,
    /// Still-water elevation from which entering waves rise, m.
    pub rest: f64,
    /// Width of the absorbing layer, cells.
    pub layer: u32,
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
