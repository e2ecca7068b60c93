//! The two methods of Prakash & Chaudhuri (Narrow Band Pressure Computation for Eulerian Fluid Simulation), for
//! comparison.
//!
//! Both solve the whole liquid on a coarse grid, then the band on the fine grid, and combine. What the text leaves open
//! is decided here as follows. A coarse cell is liquid (solid) if at least half of its children are, its level set is
//! their mean, its velocity the mean over the fine faces of each face. The band takes the prolonged coarse pressure as
//! Dirichlet values on its rim, and the fine grid's own conditions elsewhere; blocks that are not wholly liquid belong
//! to it. Coarse pressure is copied or interpolated between the centres of the blocks; air counts as zero there and
//! solids do not count. Jacobi sweeps are undamped.

use super::band::{Band, BandShape, Surface, children};
use super::grid::{FaceField, FineGrid, FineSystem, Projected, ravel, unravel};
use super::smooth::jacobi;
use crate::sparse::{IncompleteCholesky, SevenPoint, SevenPointCholesky, pcg};
use thalweg_columns::Real;
use thalweg_pressure::{Csr, NONE, Report, Stop};

/// How a coarse pressure becomes a fine one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prolongation {
    /// Each cell takes the value of its block: the text's "copy".
    Copied,
    /// Multilinear between the centres of blocks.
    #[default]
    Interpolated,
}

/// Coarse grid, band and the two solutions on them.
#[derive(Debug, Clone)]
pub struct TwoGrids<T> {
    band: Band,
    coarse: FineGrid,
    coarse_system: FineSystem<T>,
    coarse_u: FaceField,
    coarse_p: Vec<T>,
    /// Fine pressure: of the band, and prolonged elsewhere.
    pub p: Vec<T>,
    /// Unknowns of both solves.
    pub unknowns: usize,
    /// The solve on the coarse grid.
    pub coarse_report: Report,
    /// The solve in the band.
    pub band_report: Report,
}

impl<T: Real> TwoGrids<T> {
    /// Steps 2 and 3 of both algorithms: the solve on the coarse grid, then that in the band. `b` is the fine
    /// right-hand side, `p` the start.
    #[allow(clippy::too_many_arguments)] // the state of a projection, and two choices
    pub fn solve(
        grid: &FineGrid,
        system: &FineSystem<T>,
        u: &FaceField,
        how: Projected,
        b: &[T],
        p: &[T],
        shape: (usize, usize),
        prolongation: Prolongation,
        stop: Stop,
    ) -> Self {
        let (factor, width) = shape;
        let band = Band::new(grid, system, BandShape { factor, width, surface: Surface::Coarse });
        let coarse = coarse_grid(grid, system, &band);
        let coarse_u = coarse_velocity(grid, &coarse, u, &band);
        let coarse_system = coarse.system::<T>();
        let coarse_b = coarse.rhs(&coarse_system, &coarse_u, how);
        let mut coarse_p = means(grid, system, &coarse, &coarse_system, &band, p);
        let coarse_report = match coarse.seven_point(&coarse_system) {
            Some(a) => pcg(&a, &mut SevenPointCholesky::new(&a, 0.0), &coarse_b, &mut coarse_p, stop),
            None => {
                let a = &coarse_system.matrix;
                pcg(a, &mut IncompleteCholesky::new(a, 0.0), &coarse_b, &mut coarse_p, stop)
            }
        };
        let mut fine = p.to_vec();
        let prolong = Prolong { grid, band: &band, coarse: &coarse, system: &coarse_system, p: &coarse_p };
        for (value, &cell) in fine.iter_mut().zip(&system.cell_of_unknown) {
            let at = unravel(grid.cells(), cell as usize);
            if band.is_coarse(band.block_of(at)) {
                *value = prolong.value(at, prolongation);
            }
        }
        let (band_report, band_unknowns) = solve_band(grid, system, &band, b, &mut fine, stop);
        let unknowns = coarse_system.unknowns() + band_unknowns;
        Self { band, coarse, coarse_system, coarse_u, coarse_p, p: fine, unknowns, coarse_report, band_report }
    }

    /// Upgrade by pressure smoothing (Algorithm 2): `sweeps` of Jacobi on the whole fine grid, 1 to 3 in the text. The
    /// velocity is then updated from [`Self::p`].
    pub fn smooth(&mut self, system: &FineSystem<T>, b: &[T], sweeps: usize) {
        let all: Vec<u32> = (0..system.unknowns() as u32).collect();
        jacobi(system, b, &mut self.p, &all, sweeps, 1.0);
    }

    /// Upgrade by velocity interpolation (Algorithm 1): each grid updates its own faces. Fine faces inside a coarse
    /// block lie between the block's two faces; those on the seam take the mean of both grids.
    pub fn velocity(&self, grid: &FineGrid, system: &FineSystem<T>, u: &mut FaceField, how: Projected) {
        let mut coarse_u = self.coarse_u.clone();
        self.coarse.update(&self.coarse_system, &self.coarse_p, &mut coarse_u, how);
        grid.update(system, &self.p, u, how);
        let (cells, step) = (grid.cells(), self.band.step());
        for axis in 0..grid.dimensions() {
            let (size, coarse_size) = (grid.face_cells(axis), self.coarse.face_cells(axis));
            for (face, value) in u[axis].iter_mut().enumerate() {
                if grid.open()[axis][face] <= 0.0 {
                    continue;
                }
                let above = unravel(size, face);
                let mut below = above;
                below[axis] -= 1;
                let in_coarse = [below, above].map(|at| self.band.is_coarse(self.band.block_of(at)));
                if in_coarse == [false, false] {
                    continue;
                }
                let mut block = [0, 1, 2].map(|a| above[a] / step[a]);
                let place = (above[axis] % step[axis]) as f64 / step[axis] as f64;
                let lower = coarse_u[axis][ravel(coarse_size, block)];
                block[axis] += usize::from(place > 0.0);
                let from_coarse = lower + place * (coarse_u[axis][ravel(coarse_size, block)] - lower);
                // A face towards air belongs to the coarse grid as well: the text coarsens at the surface.
                let seam = in_coarse != [true, true]
                    && [below, above].iter().all(|at| system.unknown_of_cell[ravel(cells, *at)] != NONE);
                *value = if seam { 0.5 * (*value + from_coarse) } else { from_coarse };
            }
        }
    }
}

/// The whole domain with blocks for cells.
fn coarse_grid<T: Real>(grid: &FineGrid, system: &FineSystem<T>, band: &Band) -> FineGrid {
    let (cells, step, blocks) = (grid.cells(), band.step(), band.blocks());
    let spacing = grid.spacing() * band.shape().factor as f64;
    let mut coarse = FineGrid::new(blocks, spacing);
    let all = step.iter().product::<usize>();
    let inside = |block: [usize; 3]| {
        let low = [0, 1, 2].map(|a| block[a] * step[a]);
        let some = [0, 1, 2].map(|a| step[a].min(cells[a] - low[a]));
        children(low, some).map(move |at| ravel(cells, at))
    };
    coarse.add_solids(|block| inside(block).filter(|c| !grid.is_solid(*c)).count() * 2 < all);
    for b in 0..coarse.phi.len() {
        let at = unravel(blocks, b);
        let free = || inside(at).filter(|c| !grid.is_solid(*c));
        let liquid = free().filter(|c| system.unknown_of_cell[*c] != NONE).count();
        let mean = free().map(|c| grid.phi[c]).sum::<f64>() / free().count().max(1) as f64;
        // The count decides which side a cell is on; a mean on the other side means that the surface is at hand.
        let least = 1e-3 * spacing;
        coarse.phi[b] = if liquid * 2 >= all { mean.min(-least) } else { mean.max(least) };
    }
    for axis in 0..grid.dimensions() {
        let size = coarse.face_cells(axis);
        for face in 0..coarse.open()[axis].len() {
            let at = unravel(size, face);
            if coarse.open()[axis][face] > 0.0 {
                let parts: Vec<f64> = fine_faces(grid, band, axis, at).map(|f| grid.open()[axis][f]).collect();
                coarse.set_open(axis, at, parts.iter().sum::<f64>() / parts.len().max(1) as f64);
            }
        }
    }
    coarse
}

/// The fine faces of a coarse one.
fn fine_faces(grid: &FineGrid, band: &Band, axis: usize, at: [usize; 3]) -> impl Iterator<Item = usize> {
    let size = grid.face_cells(axis);
    let step = band.step();
    let low = [0, 1, 2].map(|a| (at[a] * step[a]).min(size[a] - 1));
    let some = [0, 1, 2].map(|a| if a == axis { 1 } else { step[a].min(size[a] - low[a]) });
    children(low, some).map(move |at| ravel(size, at))
}

/// Mean of the fine velocity over each coarse face, weighted by what is open.
fn coarse_velocity(grid: &FineGrid, coarse: &FineGrid, u: &FaceField, band: &Band) -> FaceField {
    let mut result = coarse.face_field();
    for axis in 0..grid.dimensions() {
        let size = coarse.face_cells(axis);
        for (face, value) in result[axis].iter_mut().enumerate() {
            let (mut sum, mut open) = (0.0, 0.0);
            for fine in fine_faces(grid, band, axis, unravel(size, face)) {
                sum += grid.open()[axis][fine] * u[axis][fine];
                open += grid.open()[axis][fine];
            }
            *value = if open > 0.0 { sum / open } else { 0.0 };
        }
    }
    result
}

/// Mean of the start over the liquid children of each coarse cell.
fn means<T: Real>(
    grid: &FineGrid,
    system: &FineSystem<T>,
    coarse: &FineGrid,
    coarse_system: &FineSystem<T>,
    band: &Band,
    p: &[T],
) -> Vec<T> {
    let mut sums = vec![(T::zero(), 0.0); coarse.phi.len()];
    for (value, &cell) in p.iter().zip(&system.cell_of_unknown) {
        let sum = &mut sums[band.block_of(unravel(grid.cells(), cell as usize))];
        sum.0 += *value;
        sum.1 += 1.0;
    }
    let mean = |cell: &u32| sums[*cell as usize].0 / T::of(f64::max(sums[*cell as usize].1, 1.0));
    coarse_system.cell_of_unknown.iter().map(mean).collect()
}

/// Coarse pressure at fine cells.
struct Prolong<'a, T> {
    grid: &'a FineGrid,
    band: &'a Band,
    coarse: &'a FineGrid,
    system: &'a FineSystem<T>,
    p: &'a [T],
}

impl<T: Real> Prolong<'_, T> {
    fn value(&self, at: [usize; 3], prolongation: Prolongation) -> T {
        let (blocks, step) = (self.band.blocks(), self.band.step());
        let axes = self.grid.dimensions();
        let own = self.system.unknown_of_cell[self.band.block_of(at)];
        if prolongation == Prolongation::Copied {
            return if own == NONE { T::zero() } else { self.p[own as usize] };
        }
        let (mut sum, mut counted) = (0.0, 0.0);
        for corner in 0..1_usize << axes {
            let mut weight = 1.0;
            let mut block = [0_usize; 3];
            let mut inside = true;
            for a in 0..axes {
                let place = (at[a] as f64 + 0.5) / step[a] as f64 - 0.5;
                let (low, upper) = (place.floor(), corner >> a & 1);
                weight *= if upper == 1 { place - low } else { 1.0 - (place - low) };
                let along = low as isize + upper as isize;
                inside &= along >= 0 && (along as usize) < blocks[a];
                block[a] = along.max(0) as usize;
            }
            let cell = ravel(blocks, block);
            if !inside || self.coarse.is_solid(cell) {
                continue;
            }
            counted += weight;
            let unknown = self.system.unknown_of_cell[cell];
            if unknown != NONE {
                sum += weight * self.p[unknown as usize].to_double();
            }
        }
        T::of(sum / counted.max(f64::MIN_POSITIVE))
    }
}

/// The fine system in the band, with the present values outside as Dirichlet values.
fn solve_band<T: Real>(
    grid: &FineGrid,
    system: &FineSystem<T>,
    band: &Band,
    b: &[T],
    p: &mut [T],
    stop: Stop,
) -> (Report, usize) {
    let a = &system.matrix;
    let mut number = vec![NONE; system.unknowns()];
    let mut members = Vec::new();
    for (unknown, &cell) in system.cell_of_unknown.iter().enumerate() {
        if !band.is_coarse(band.block_of(unravel(grid.cells(), cell as usize))) {
            number[unknown] = members.len() as u32;
            members.push(unknown);
        }
    }
    let mut rows = Csr { row_start: vec![0], columns: vec![], values: vec![], column_count: members.len() };
    let mut rhs = Vec::with_capacity(members.len());
    let mut unit = true;
    for &unknown in &members {
        let mut known = b[unknown];
        for (c, v) in a.row(unknown) {
            if number[c] == NONE {
                known -= v * p[c];
            } else {
                unit &= c == unknown || v == -T::one();
                rows.columns.push(number[c]);
                rows.values.push(v);
            }
        }
        rows.row_start.push(rows.columns.len() as u32);
        rhs.push(known);
    }
    let mut q: Vec<T> = members.iter().map(|u| p[*u]).collect();
    let report = if unit {
        let fast = band_seven_point(grid, system, &members, &number, &rows);
        pcg(&fast, &mut SevenPointCholesky::new(&fast, 0.0), &rhs, &mut q, stop)
    } else {
        pcg(&rows, &mut IncompleteCholesky::new(&rows, 0.0), &rhs, &mut q, stop)
    };
    for (&unknown, q) in members.iter().zip(&q) {
        p[unknown] = *q;
    }
    (report, members.len())
}

/// The band's matrix in the fast form, so that the comparison with the fine grid is fair.
fn band_seven_point<T: Real>(
    grid: &FineGrid,
    system: &FineSystem<T>,
    members: &[usize],
    number: &[u32],
    rows: &Csr<T>,
) -> SevenPoint<T> {
    let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| Vec::with_capacity(members.len()));
    for &unknown in members {
        let at = unravel(grid.cells(), system.cell_of_unknown[unknown] as usize);
        for side in grid.sides(at) {
            let open = grid.open()[side.axis][side.face] > 0.0;
            let beyond = side.beyond.filter(|_| open).map_or(NONE, |c| system.unknown_of_cell[c]);
            let list = 2 * side.axis + usize::from(side.sign > 0.0);
            neighbours[list].push(if beyond == NONE { NONE } else { number[beyond as usize] });
        }
    }
    SevenPoint::new(neighbours, rows.diagonal())
}
