//! Settings of the solvers of three-dimensional water.

use thalweg_model::Ability;

use crate::body::Body;
use crate::context::Context;
use crate::format;
use crate::grid::{Grid, HUGE_CELLS};
use crate::obstacle::Obstacle;
use crate::report::At;
use crate::water::Solver;

/// Fewest cubic cells of a column that follows the surface, unless the scene says otherwise.
const FEWEST_REGULAR: u32 = 32;

/// Most cubic cells of a column.
const MOST_REGULAR: f64 = 4096.0;

/// More samples than this cannot be indexed: there are three faces to each.
const MOST_SAMPLES: u64 = 1 << 30;

/// Where velocities live and how tall cells meet the pressure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discretisation {
    /// Velocities on faces, pressures restricted to the lines of tall cells.
    #[default]
    Galerkin,
    /// Velocities at samples, as published: to compare with.
    Collocated,
}

/// Settings of the solvers of three-dimensional water.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tall {
    /// Cubic cells of a column; each has two more numbers for what is below them.
    pub regular_cells: u32,
    /// Cubic cells that lie below the surface at least.
    pub below: u32,
    /// Cubic cells that lie above the surface at least.
    pub above: u32,
    /// Most that the tall cells of neighbouring columns differ in height, cells.
    pub step: u32,
    /// Most cells that water crosses in a time step.
    pub max_cfl: f64,
    /// Whether every frame is one time step, whatever `max_cfl` says.
    pub single_step: bool,
    /// Whether drift of the volume is put right.
    pub hold_volume: bool,
    /// Time steps between reinitialisations of the level set.
    pub reinitialise_every: u32,
    /// Cells of the surface along an edge of a cell of the simulation, 1 or 2.
    pub surface: u32,
    /// Whether the level set is read by cubics near the surface.
    pub cubic_surface: bool,
    /// Whether sheets thinner than the grid can carry are thickened.
    pub thickening: bool,
    /// Where velocities live and how tall cells meet the pressure.
    pub discretisation: Discretisation,
    /// Residual at which the pressure solve ends, as a share of the largest right-hand side.
    pub pressure_tolerance: f64,
    /// Most iterations of the pressure solve.
    pub pressure_iterations: u32,
}

impl Tall {
    /// Numbers that every field holds: cubic cells and two for each column's tall cell.
    pub fn samples(&self, grid: &Grid) -> u64 {
        grid.cells() * (u64::from(self.regular_cells) + 2)
    }

    /// Numbers of the surface where it is finer than the other fields, else 0.
    pub fn fine_samples(&self, grid: &Grid) -> u64 {
        let along = |count: u32| if count > 1 { 2 } else { 1 };
        if self.surface > 1 { self.samples(grid) * 2 * along(grid.nx) * along(grid.nz) } else { 0 }
    }

    pub(crate) fn lower(
        file: &format::Water,
        solver: Solver,
        solids: (&[Obstacle], &[Body]),
        domain: (&Grid, bool),
        context: &mut Context<'_>,
    ) -> Self {
        let (grid, allow_huge) = domain;
        let at = At::root().key("water").key("tall");
        let settings = file.tall.clone().unwrap_or_default();
        let is_used = solver.has(Ability::ThreeDimensional);
        let regular_cells =
            settings.regular_cells.unwrap_or_else(|| match solver.has(Ability::TallCells) || !is_used {
                false => (cells_up(grid.height, grid) - 2.0).clamp(1.0, MOST_REGULAR) as u32,
                true => regular_cells(file, &settings, solids, grid),
            });
        let tall = Self {
            regular_cells,
            below: settings.below,
            above: settings.above,
            step: settings.step,
            max_cfl: settings.max_cfl,
            single_step: settings.single_step,
            hold_volume: settings.hold_volume,
            reinitialise_every: settings.reinitialise_every,
            surface: settings.surface,
            cubic_surface: settings.cubic_surface,
            thickening: settings.thickening,
            discretisation: match settings.discretisation {
                format::DiscretisationName::Galerkin => Discretisation::Galerkin,
                format::DiscretisationName::Collocated => Discretisation::Collocated,
            },
            pressure_tolerance: settings.pressure_tolerance,
            pressure_iterations: settings.pressure_iterations,
        };
        if solver.has(Ability::TallCells) && regular_cells < tall.below + tall.above {
            context.report.error_with(
                &at.key("regular_cells"),
                format!("{regular_cells} cells cannot hold `below` and `above`, {} and {}", tall.below, tall.above),
                format!("it must be at least {}", tall.below + tall.above),
            );
        }
        let samples = tall.samples(grid).max(tall.fine_samples(grid));
        if is_used && (samples > MOST_SAMPLES || samples > HUGE_CELLS && !allow_huge) {
            let hint = if samples > MOST_SAMPLES {
                format!("at most {MOST_SAMPLES} can be indexed; make `cell` larger or `size` smaller")
            } else {
                "make `cell` larger, or set `allow_huge = true` in [domain] if you mean it".to_owned()
            };
            let columns = format!("{} x {} columns of {} cells", grid.nx, grid.nz, regular_cells + 2);
            let columns = if tall.surface > 1 { format!("{columns} with a fine surface") } else { columns };
            let message = format!("{columns} make {:.3e} cells", samples as f64);
            context.report.error_with(&At::root().key("domain").key("cell"), message, hint);
        }
        tall
    }
}

fn cells_up(height: f64, grid: &Grid) -> f64 {
    // A height that is a multiple of the cell, but for rounding, is that multiple.
    (height / grid.cell - 1e-6).ceil()
}

/// Cells that bodies may ask of all columns together at the start; the solver gives more when it must.
const MOST_FOR_BODIES: u64 = 1 << 24;

/// How far below something that moves columns have cubic cells for the flow around it: half its width, along x or z; what
/// fills the domain from wall to wall has no width there. The flow reaches farther, and thalweg-tall gives it what else
/// columns have (`FLOW` in its `solids`).
fn flow([low, high]: [[f64; 3]; 2], grid: &Grid) -> f64 {
    let ends = grid.high();
    let half = |axis: usize, at: usize| {
        let fills = low[axis] < grid.origin[at] + grid.cell && high[axis] > ends[at] - grid.cell;
        if fills { f64::INFINITY } else { 0.5 * (high[axis] - low[axis]) }
    };
    let least = half(0, 0).min(half(2, 1));
    if least.is_finite() { least } else { 0.0 }
}

/// Enough for the water at the start: from its lowest surface, the foot of an obstacle or the keel of a body, to its highest.
fn regular_cells(
    file: &format::Water,
    settings: &format::Tall,
    (obstacles, bodies): (&[Obstacle], &[Body]),
    grid: &Grid,
) -> u32 {
    let level = file.level.unwrap_or(f64::NEG_INFINITY);
    let highest = file.boxes.iter().map(|water| water.max[1]).fold(level, f64::max);
    // Where there is a level, all below it is water.
    let foot = |y: f64| if y > level { y } else { level };
    let boxes = file.boxes.iter().map(|water| foot(water.min[1]));
    let surfaces = boxes.chain(file.level);
    let foot = |solid: &Obstacle| solid.lowest - if solid.motion.is_some() { flow(solid.bounds(), grid) } else { 0.0 };
    let lowest = surfaces.chain(obstacles.iter().map(foot)).fold(f64::INFINITY, f64::min);
    let margins = f64::from(settings.below + settings.above);
    // Never more than the whole domain with the air over it.
    let most = cells_up(grid.height, grid) + f64::from(settings.above);
    let fewest = f64::from(FEWEST_REGULAR).max(margins);
    let down_to = |lowest: f64| {
        let range = if highest > lowest { cells_up(highest - lowest, grid) } else { 0.0 };
        (range.min(most) + margins).min(most).clamp(fewest, MOST_REGULAR.max(fewest)) as u32
    };
    // Bodies float no deeper than they are high, if they float.
    let keel = |body: &Body| {
        let bounds @ [low, high] = body.bounds();
        low[1].min(highest - (high[1] - low[1])) - flow(bounds, grid)
    };
    let with_bodies = down_to(bodies.iter().map(keel).fold(lowest, f64::min));
    let fits = grid.cells() * (u64::from(with_bodies) + 2) <= MOST_FOR_BODIES;
    if fits { with_bodies } else { down_to(lowest) }
}
