//! What to simulate on a tree: domain, ground, water, sides, sources, and where cells may be fine.

use std::sync::Arc;

pub use thalweg_model::{FineRegion, Measure, Observer, TreeScheme};

use crate::setup::{FarField, Limiter, Order, SIDES, Series, Side, Sides, Source};
use crate::tree::{CELLS, MAX_LEVELS, TILE};

/// The ground, tile by tile. A tile of level `l` has `TILE × TILE` cells of size `cell · 2^(levels − 1 − l)`.
///
/// The elevation of a cell is the mean of the four cells that it is made of on the next finer level, on all levels: a
/// lake stays at rest when cells merge. [`GroundPyramid`](crate::tree::GroundPyramid) keeps to it for any function or
/// raster.
pub trait Ground: Send + Sync {
    /// Elevations of tile `(x, z)` of a level, m; index `i + TILE * k`.
    fn tile(&self, level: u32, x: u32, z: u32) -> Box<[f64; CELLS]>;

    /// The same while the water runs; `None` where it cannot be told now, as of a file that is gone: then the tile that
    /// this one is a part of stays whole.
    fn tile_if_ready(&self, level: u32, x: u32, z: u32) -> Option<Box<[f64; CELLS]>> {
        Some(self.tile(level, x, z))
    }
}

/// The water at a place at the start.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InitialWater {
    /// Surface elevation, m; at or below the bed means dry.
    pub surface: f64,
    /// Velocity along x and z, m/s.
    pub velocity: [f64; 2],
}

/// Water at the start: at `(x, z)` in m from the low corner of the domain, over a bed of that elevation.
pub type InitialField<'a> = dyn Fn([f64; 2], f64) -> InitialWater + Sync + 'a;

/// A problem on a tree of tiles. Fields are public; start from [`TreeSetup::new`].
pub struct TreeSetup<'a> {
    /// Finest cells along x; a multiple of [`TILE`].
    pub nx: u32,
    /// Finest cells along z; a multiple of [`TILE`].
    pub nz: u32,
    /// Size of the finest cells, m.
    pub cell: f64,
    /// Levels: cells of the coarsest are `2^(levels − 1)` times as large as those of the finest.
    pub levels: u32,
    /// Gravity, m/s².
    pub gravity: f64,
    /// The ground.
    pub ground: Arc<dyn Ground>,
    /// The water at the start.
    pub initial: &'a InitialField<'a>,
    /// World coordinates `[x, z]` of the low corner, m: sides, sources, observer and regions are in the world.
    pub origin: [f64; 2],
    /// Elevation from which f32 counts, m: the still level of a sea, or the lowest ground.
    pub datum: f64,
    /// What happens at the sides; layers count finest cells. Those that make waves in three-dimensional water are
    /// walls.
    pub sides: Sides,
    /// West, east, south, north: what is here is there instead of what `sides` has.
    pub far_fields: [Option<FarField>; SIDES],
    /// Rain, m/s.
    pub rain: Option<Series>,
    /// Places where water is added or taken; cells there are always the finest.
    pub sources: Vec<Source>,
    /// Scheme and its parameters.
    pub options: TreeOptions,
    /// Where cells are fine.
    pub refinement: Refinement,
}

impl std::fmt::Debug for TreeSetup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TreeSetup")
            .field("nx", &self.nx)
            .field("nz", &self.nz)
            .field("cell", &self.cell)
            .field("levels", &self.levels)
            .finish_non_exhaustive()
    }
}

impl<'a> TreeSetup<'a> {
    /// A closed basin of `nx` by `nz` finest cells of `cell` metres.
    pub fn new(
        [nx, nz]: [u32; 2],
        cell: f64,
        levels: u32,
        ground: Arc<dyn Ground>,
        initial: &'a InitialField<'a>,
    ) -> Self {
        Self {
            nx,
            nz,
            cell,
            levels,
            gravity: 9.81,
            ground,
            initial,
            origin: [0.0; 2],
            datum: 0.0,
            sides: Sides::default(),
            far_fields: [const { None }; SIDES],
            rain: None,
            sources: Vec::new(),
            options: TreeOptions::default(),
            refinement: Refinement::default(),
        }
    }

    /// What makes no sense, before memory is taken.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let tile = TILE as u32;
        let most = 4096 * tile;
        if self.levels == 0 || self.levels as usize > MAX_LEVELS {
            return Err(format!("{} levels are outside 1 to {MAX_LEVELS}", self.levels));
        }
        for (axis, n) in [("x", self.nx), ("z", self.nz)] {
            if n == 0 || n % tile != 0 || n > most {
                return Err(format!(
                    "{n} finest cells along {axis}: a tree needs a multiple of {tile}, at most {most}; {} would do",
                    n.next_multiple_of(tile).clamp(tile, most)
                ));
            }
        }
        if !positive(self.cell) || !positive(self.gravity) || !self.datum.is_finite() {
            return Err("cell size and gravity must be positive and the datum finite".into());
        }
        let o = &self.options;
        if !(o.cfl > 0.0 && o.cfl <= 0.45) {
            return Err(format!("a Courant number of {} is outside 0 to 0.45", o.cfl));
        }
        if !(o.manning.is_finite() && o.manning >= 0.0) || o.thin_depth.is_some_and(|d| !positive(d)) {
            return Err("Manning's n must be at least 0 and the thin depth positive".into());
        }
        if !(o.still.is_finite() && o.still >= 0.0) {
            return Err("the speed of still water must be at least 0".into());
        }
        if let TreeScheme::KernelAdvection { viscosity, friction } = o.scheme {
            if [viscosity, friction].iter().any(|x| !(x.is_finite() && *x >= 0.0)) {
                return Err("viscosity and friction of kernel advection must be at least 0".into());
            }
            let is_known = |side: &Side| matches!(side, Side::Wall | Side::Outflow);
            if !self.sides.all().into_iter().all(is_known) || self.far_fields.iter().any(Option::is_some) {
                return Err("kernel advection knows walls and outflow alone: use finite volumes for other sides".into());
            }
        }
        let r = &self.refinement;
        let tolerances = [r.surface, r.speed];
        if tolerances.iter().any(|t| t.is_nan() || *t <= 0.0) {
            return Err("tolerances of the refinement must be positive".into());
        }
        if let Some(Observer { path, near }) = &r.observer
            && !(!path.is_empty() && path.as_flattened().iter().all(|x| x.is_finite()) && *near > 0.0)
        {
            return Err("an observer needs a place and a distance that is positive".into());
        }
        Ok(())
    }
}

/// Which scheme on the tree, and how fine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeOptions {
    /// What moves the water.
    pub scheme: TreeScheme,
    /// First or second order.
    pub order: Order,
    /// Courant number in the one-dimensional sense, 0 to 0.45.
    pub cfl: f64,
    /// Manning's n, s·m^(-1/3); 0 is frictionless.
    pub manning: f64,
    /// Depth below which velocities fade, m. `None`: a thousandth of a finest cell, at least 1 µm.
    pub thin_depth: Option<f64>,
    /// Water slower than this, m/s, among such water goes to sleep: it costs nothing until a neighbour wakes it.
    pub still: f64,
    /// Whether coarse cells take longer steps than fine ones.
    pub subcycling: bool,
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self {
            scheme: TreeScheme::FiniteVolumes,
            order: Order::Second { limiter: Limiter::Minmod },
            cfl: 0.45,
            manning: 0.0,
            thin_depth: None,
            still: 1e-4,
            subcycling: true,
        }
    }
}

/// Where cells are fine. A tile splits where one of these asks for it, and four merge where none of them would mind.
#[derive(Debug, Clone, PartialEq)]
pub struct Refinement {
    /// What is looked at in the water.
    pub measure: Measure,
    /// Largest bend or step of the surface, m.
    pub surface: f64,
    /// Largest bend or step of the velocity, m/s.
    pub speed: f64,
    /// Whether cells at the edge of the water are the finest, as long as the budget has them.
    pub fronts: bool,
    /// An observer: cells farther away may be larger. The tree follows its way.
    pub observer: Option<Observer>,
    /// Rectangles in which cells are at least so fine.
    pub regions: Vec<FineRegion>,
    /// Most cells; beyond it the tolerances grow.
    pub budget: usize,
    /// Ticks of the finest cells between two looks at the tree.
    pub interval: u32,
}

impl Default for Refinement {
    fn default() -> Self {
        Self {
            measure: Measure::default(),
            surface: 0.02,
            speed: 0.2,
            fronts: true,
            observer: None,
            regions: Vec::new(),
            budget: 1 << 20,
            interval: 8,
        }
    }
}
