//! What to simulate, and the columns it begins with.

use thalweg_columns::grid::world_cell;
use thalweg_columns::{Heights, Shape};
use thalweg_pressure::Discretisation;
use thalweg_solids::Obstacle;

use crate::constants::FAR;
use crate::solver::stages::exchange::Reach;
use crate::solver::stages::remesh::{RemeshOptions, lowest_followed};
use crate::solver::stages::solids::Keel;
use crate::solver::surface::level_set::fine::{FineGrid, fine_heights};

/// How columns follow the surface, all in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// Regular cells that lie below the surface at least, `G_L`.
    pub below: u32,
    /// Regular cells that lie above it at least, `G_A`.
    pub above: u32,
    /// Most that the tall cells of neighbouring columns differ in height, `D`.
    pub step: u32,
    /// A tall cell stays as it is while it is at most this much lower than it could be.
    pub hysteresis: u32,
}

impl Default for Band {
    fn default() -> Self {
        Self { below: 8, above: 8, step: 4, hysteresis: 4 }
    }
}

impl From<Band> for RemeshOptions {
    fn from(band: Band) -> Self {
        let cells = |n: u32| i32::try_from(n).unwrap_or(i32::MAX / 4);
        Self {
            below: cells(band.below),
            above: cells(band.above),
            step: cells(band.step),
            hysteresis: cells(band.hysteresis),
            ..Self::default()
        }
    }
}

/// Tunable parts of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Gravity, m/s², downwards.
    pub gravity: f64,
    /// Columns with tall cells that follow the surface; `None` is a uniform grid: two cells and regular ones from the
    /// ground up.
    pub band: Option<Band>,
    /// Whether drift of the volume is put right.
    pub hold_volume: bool,
    /// Steps between reinitialisations of the level set.
    pub reinitialise_every: u64,
    /// Cells of air that velocities are extrapolated into.
    pub extrapolate: u32,
    /// Residual of the pressure solve as a share of the largest right-hand side.
    pub tolerance: f32,
    /// Most iterations of the pressure solve.
    pub iterations: usize,
    /// Most cells that water crosses in a step of [`TallWater::advance`](crate::TallWater::advance).
    pub max_cfl: f64,
    /// Whether [`TallWater::advance`](crate::TallWater::advance) takes all of its time in one step, as \[000\] does,
    /// whatever waves and flow ask for.
    pub single_step: bool,
    /// Whether the level set is read by cubics near the surface instead of linearly.
    pub cubic_surface: bool,
    /// Whether the surface is tracked on a lattice twice as fine as the simulation, along every axis with more than one
    /// column.
    pub fine_surface: bool,
    /// Whether sheets thinner than the grid can carry are thickened, \[000\] §3.9.2; not with a fine surface.
    pub thickening: bool,
    /// Where velocities live and how tall cells meet the pressure: on faces, or at samples as in the paper.
    pub discretisation: Discretisation,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            gravity: 9.81,
            band: Some(Band::default()),
            hold_volume: true,
            reinitialise_every: 1,
            extrapolate: 6,
            tolerance: 1e-4,
            iterations: 12,
            max_cfl: 4.0,
            single_step: false,
            cubic_surface: false,
            fine_surface: false,
            thickening: false,
            discretisation: Discretisation::Galerkin,
        }
    }
}

/// A body of water to simulate.
pub struct Setup<'a> {
    /// Columns, and regular cells of each.
    pub shape: Shape,
    /// Edge of a cubic cell, m.
    pub cell: f64,
    /// Height of the domain, m: water may not begin above it.
    pub height: f64,
    /// Ground at the centre of every column, m.
    pub terrain: &'a [f64],
    /// Signed distance to the surface in m at a point in m, negative in water.
    pub level_set: &'a (dyn Fn([f64; 3]) -> f64 + Sync),
    /// Solids; lengths in m from the corner of the domain, y up.
    pub obstacles: &'a [Obstacle],
    /// Velocity `[u_x, u_z]` of all water at the start, m/s.
    pub velocity: [f64; 2],
    /// How it is simulated.
    pub options: Options,
}

/// Heights and level set (in cells) to begin with.
pub(crate) struct Beginning {
    pub(crate) heights: Vec<Heights>,
    pub(crate) phi: Vec<f32>,
}

/// What one column must hold.
#[derive(Clone, Copy)]
struct Bounds {
    ground: i32,
    /// Highest first regular cell with enough of them below the surface.
    most: i32,
    /// Lowest with enough of them above it.
    least: i32,
}

impl Setup<'_> {
    /// The level set at the centre of a cell, cells.
    fn phi(&self, column: usize, y: i32) -> f32 {
        let at = |n: i32| (f64::from(n) + 0.5) * self.cell;
        let (i, k) = ((column % self.shape.nx) as i32, (column / self.shape.nx) as i32);
        ((self.level_set)([at(i), at(y), at(k)]) / self.cell).clamp(-FAR, FAR) as f32
    }

    /// `ceiling` and `keel` are the highest first regular cells that obstacles ask for, per column; `reach` what
    /// sources ask for.
    pub(crate) fn begin(&self, ceiling: &[i32], keel: &[Keel], reach: &[Reach]) -> Beginning {
        let columns = self.shape.columns();
        let grounds: Vec<i32> = self.terrain.iter().map(|z| (z / self.cell).floor() as i32).collect();
        let tops: Vec<i32> = match self.options.band {
            None => grounds.iter().map(|h| h + 2).collect(),
            Some(band) => self.tops(band, &grounds, (ceiling, keel, reach)),
        };
        let heights: Vec<Heights> = (0..columns).map(|c| [grounds[c], tops[c]]).collect();
        let n = self.shape.samples();
        let phi = (0..columns * n).map(|at| self.phi(at / n, world_cell(heights[at / n], at % n))).collect();
        Beginning { heights, phi }
    }

    /// The level set of the fine lattice on columns, fine cells.
    pub(crate) fn begin_fine(&self, heights: &[Heights]) -> Vec<f32> {
        let grid = FineGrid::new(self.shape);
        let (n, nx, edge) = (grid.shape().samples(), grid.shape().nx, 0.5 * self.cell);
        let value = |at: usize| {
            let column = at / n;
            let y = world_cell(fine_heights(heights[grid.coarse_column(column)]), at % n);
            // Along an axis with one column a fine cell is as wide as a cell.
            let across = |place: usize, ratio: usize| (place as f64 + 0.5) * self.cell / ratio as f64;
            let [x, z] = [across(column % nx, grid.ratio[0]), across(column / nx, grid.ratio[1])];
            ((self.level_set)([x, (f64::from(y) + 0.5) * edge, z]) / edge).clamp(-FAR, FAR) as f32
        };
        (0..grid.shape().len()).map(value).collect()
    }

    /// First regular cells by the rules of remeshing, from the level set itself.
    fn tops(&self, band: Band, grounds: &[i32], (ceiling, keel, reach): (&[i32], &[Keel], &[Reach])) -> Vec<i32> {
        let Shape { nx, nz, regular } = self.shape;
        let end = (self.height / self.cell).ceil() as i32;
        let bounds: Vec<Bounds> = grounds
            .iter()
            .enumerate()
            .map(|(column, ground)| {
                let sides = thalweg_columns::grid::neighbours(self.shape, column);
                let border = |y: i32| {
                    let wet = self.phi(column, y) < 0.0;
                    let differs = |other: usize| y >= grounds[other] && (self.phi(other, y) < 0.0) != wet;
                    (self.phi(column, y + 1) < 0.0) != wet || sides.iter().flatten().any(|other| differs(*other))
                };
                let lowest = (*ground..end).find(|y| border(*y)).unwrap_or(*ground);
                let highest = (*ground..end).rev().find(|y| self.phi(column, *y) < 0.0);
                let under_air = highest.map_or(*ground + 2, |y| y + 1 + band.above as i32 - regular as i32);
                let least = under_air.max(ground + 2).max(reach[column][0] - regular as i32);
                let most = if highest.is_some() { lowest + 1 - band.below as i32 } else { ground + 2 };
                let followed = keel[column][1].max(lowest_followed(under_air, band.hysteresis as i32));
                let most = most.min(ceiling[column]).min(followed).min(reach[column][1]);
                Bounds { ground: *ground, most: most.max(least), least }
            })
            .collect();
        let mut tops: Vec<i32> = bounds.iter().map(|b| b.most).collect();
        // Neighbours differ by at most `step`: lower ones pull higher ones down, as far as their air allows.
        for _ in 0..nx.max(nz) {
            let before = tops.clone();
            for (column, top) in tops.iter_mut().enumerate() {
                let around = thalweg_columns::grid::neighbours(self.shape, column).into_iter().flatten();
                let lowest = around.map(|other| before[other]).min().unwrap_or(i32::MAX);
                let b = bounds[column];
                *top = (*top).min(lowest.saturating_add(band.step as i32)).max(b.least).max(b.ground + 2);
            }
            if tops == before {
                break;
            }
        }
        tops
    }
}
