//! Multigrid as a preconditioner of the reduced system.

use thalweg_columns::Real;
use thalweg_pressure::{Csr, NONE};

use super::band::Band;
use super::basis::{Interpolation, Rows};
use super::galerkin::{Kind, Sums};
use super::grid::{FineGrid, FineSystem, ravel, strides, unravel};
use super::runs::Split;
use crate::sparse::Preconditioner;
use std::sync::Arc;

/// Unknowns below which a level is solved directly.
const DIRECT: usize = 160;

/// One V-cycle of symmetric Gauss–Seidel on a hierarchy of lattices.
///
/// The unknowns of a level are those of the level above whose cells lie on the lattice of spacing 2, 4, 8, …; the
/// others are interpolated multilinearly. Up to the spacing of the coarse blocks this coarsens the band alone, as in
/// composite-grid methods, and then the whole liquid. Coarse matrices are `TᵀAT`, so that the cycle is symmetric and
/// positive for every geometry. Unknowns out of reach of any lattice point (films in odd layers, which lie against air)
/// are left to the smoother.
#[derive(Debug, Clone)]
pub struct Multigrid<T> {
    levels: Vec<Level<T>>,
    direct: Cholesky<T>,
}

/// A level that has a coarser one below it.
#[derive(Debug, Clone)]
struct Level<T> {
    a: Arc<Split<T>>,
    /// Interpolation from the next level, and its transpose.
    t: Csr<T>,
    transposed: Csr<T>,
    residual: Vec<T>,
    coarse_r: Vec<T>,
    coarse_z: Vec<T>,
}

impl<T: Real> Multigrid<T> {
    /// The hierarchy of a reduced matrix. Blocks count as their lowest cells: right for interpolation between corners,
    /// and near enough to precondition the other couplings, which have the same unknowns.
    pub fn new(grid: &FineGrid, system: &FineSystem<T>, band: &Band, matrix: &Csr<T>) -> Self {
        let kinds = vec![Kind::Other; matrix.rows()];
        Self::with_finest(grid, system, band, matrix, &kinds, Arc::new(Split::new(matrix)))
    }

    /// As [`Self::new`], where the matrix is given in runs and the kinds of its rows are known.
    pub(super) fn with_finest(
        grid: &FineGrid,
        system: &FineSystem<T>,
        band: &Band,
        matrix: &Csr<T>,
        kinds: &[Kind],
        finest: Arc<Split<T>>,
    ) -> Self {
        let mut levels: Vec<Level<T>> = Vec::new();
        let mut above: Option<Csr<T>> = None;
        for Coarsening { t, transposed, coarse } in coarsenings(grid, system, band, matrix, kinds) {
            let a = above.take().map_or_else(|| Arc::clone(&finest), |a| Arc::new(Split::new(&a)));
            levels.push(Level::new(a, t, transposed));
            above = Some(coarse);
        }
        Self { levels, direct: Cholesky::new(above.as_ref().unwrap_or(matrix)) }
    }

    /// Unknowns of each level, finest first.
    pub fn unknowns(&self) -> Vec<usize> {
        self.levels.iter().map(|l| l.a.rows()).chain([self.direct.n]).collect()
    }
}

/// The way from one level to the next.
pub(super) struct Coarsening<T> {
    /// Interpolation from the next level, and its transpose.
    pub(super) t: Csr<T>,
    pub(super) transposed: Csr<T>,
    /// The matrix of the next level, `TᵀAT`.
    pub(super) coarse: Csr<T>,
}

/// All levels below a reduced matrix whose rows are of these kinds. The last is small enough to be solved directly.
pub(super) fn coarsenings<T: Real>(
    grid: &FineGrid,
    system: &FineSystem<T>,
    band: &Band,
    matrix: &Csr<T>,
    kinds: &[Kind],
) -> Vec<Coarsening<T>> {
    let mut lattice = Lattice::new(grid, system, band);
    let mut steps: Vec<Coarsening<T>> = Vec::new();
    let mut coarse_kinds: Option<Vec<Kind>> = None;
    let mut spacing = 2;
    let largest = grid.cells().into_iter().max().unwrap_or(1);
    while spacing < 2 * largest {
        let a = steps.last().map_or(matrix, |s| &s.coarse);
        let kinds = coarse_kinds.as_deref().unwrap_or(kinds);
        if a.rows() <= DIRECT {
            break;
        }
        let step = lattice.coarsen(spacing);
        spacing *= 2;
        if step.t.column_count == 0 {
            break;
        }
        if step.t.column_count == step.t.rows() {
            continue; // the band holds no cell between lattice points
        }
        let transposed = step.t.transpose();
        let (coarse, kinds) = lattice.assemble(a, kinds, &step, &transposed);
        steps.push(Coarsening { t: step.t, transposed, coarse });
        coarse_kinds = Some(kinds);
    }
    steps
}

impl<T: Real> Preconditioner<T> for Multigrid<T> {
    fn precondition(&mut self, r: &[T], z: &mut [T]) {
        cycle(&mut self.levels, &self.direct, r, z);
    }
}

fn cycle<T: Real>(levels: &mut [Level<T>], direct: &Cholesky<T>, r: &[T], z: &mut [T]) {
    let Some((level, below)) = levels.split_first_mut() else {
        direct.solve(r, z);
        return;
    };
    level.descend(r, z);
    cycle(below, direct, &level.coarse_r, &mut level.coarse_z);
    level.ascend(r, z);
}

impl<T: Real> Level<T> {
    fn new(a: Arc<Split<T>>, t: Csr<T>, transposed: Csr<T>) -> Self {
        let zeros = |n: usize| vec![T::zero(); n];
        let (n, coarse) = (a.rows(), t.column_count);
        Self { a, t, transposed, residual: zeros(n), coarse_r: zeros(coarse), coarse_z: zeros(coarse) }
    }

    /// A forward sweep from zero, `(D + L) z = r`, whose residual is `−U z`; restricted.
    fn descend(&mut self, r: &[T], z: &mut [T]) {
        self.a.lower.solve_lower(&self.a.inverse, r, z);
        self.residual.fill(T::zero());
        self.a.upper.subtract_product(z, &mut self.residual);
        self.transposed.multiply(&self.residual, &mut self.coarse_r);
    }

    /// The correction from below and a backward sweep, `(D + U) z = r − L z`.
    fn ascend(&mut self, r: &[T], z: &mut [T]) {
        for (i, z) in z.iter_mut().enumerate() {
            *z += self.t.row(i).map(|(c, w)| w * self.coarse_z[c]).sum();
        }
        self.residual.copy_from_slice(r);
        self.a.lower.subtract_product(z, &mut self.residual);
        z.copy_from_slice(&self.residual);
        self.a.upper.solve_upper(&self.a.inverse, z);
    }
}

/// The way to the next lattice.
struct Step<T> {
    /// Interpolation from the next lattice.
    t: Csr<T>,
    /// Rows of `t` with the full multilinear weights of lattice points.
    full: Vec<bool>,
    /// Row of `t` of each unknown of the next lattice.
    kept: Vec<u32>,
}

/// The unknowns that are left on the lattice of the present level.
struct Lattice<'a, T> {
    grid: &'a FineGrid,
    system: &'a FineSystem<T>,
    band: &'a Band,
    corners: Rows<'a, T>,
    /// Reduced unknowns of the present level.
    present: Vec<u32>,
    /// Number of each reduced unknown on the present level; [`NONE`] where it is gone.
    number: Vec<u32>,
}

impl<'a, T: Real> Lattice<'a, T> {
    fn new(grid: &'a FineGrid, system: &'a FineSystem<T>, band: &'a Band) -> Self {
        let all = || (0..band.unknowns() as u32).collect();
        let corners = Rows::new(grid, system, band, Interpolation::Corners);
        Self { grid, system, band, corners, present: all(), number: all() }
    }

    /// The cell of a reduced unknown.
    fn cell(&self, q: u32) -> usize {
        self.system.cell_of_unknown[self.band.seat[q as usize] as usize] as usize
    }

    /// The number of the unknown of a cell on the present lattice.
    fn number_of_cell(&self, cell: usize) -> Option<u32> {
        let unknown = self.system.unknown_of_cell[cell];
        let q = if unknown == NONE { NONE } else { self.band.of_fine[unknown as usize] };
        (q != NONE).then(|| self.number[q as usize]).filter(|n| *n != NONE)
    }

    /// Goes on to the lattice of `spacing` and returns the interpolation from there.
    fn coarsen(&mut self, spacing: usize) -> Step<T> {
        let cells = self.grid.cells();
        let axes = self.grid.dimensions();
        let stride = strides(cells);
        self.number.fill(NONE);
        let before = std::mem::take(&mut self.present);
        let mut kept = Vec::with_capacity((before.len() >> axes) + 1);
        for (row, &q) in before.iter().enumerate() {
            let at = unravel(cells, self.cell(q));
            if at[..axes].iter().all(|x| x & (spacing - 1) == 0) {
                self.number[q as usize] = kept.len() as u32;
                kept.push(row as u32);
                self.present.push(q);
            }
        }
        let n = before.len();
        let mut t = Csr {
            row_start: Vec::with_capacity(n + 1),
            columns: Vec::with_capacity(4 * n),
            values: Vec::with_capacity(4 * n),
            column_count: kept.len(),
        };
        t.row_start.push(0);
        let mut full = vec![true; n];
        let mut row = Vec::new();
        // For each set of axes along which a cell lies between lattice points: the lattice points around it.
        let corners: Vec<Vec<isize>> = (0..1_usize << axes)
            .map(|between| {
                let upper = (0..1_usize << axes).filter(|upper| upper & !between == 0);
                let along = |set: usize| (0..axes).filter(|a| set >> a & 1 == 1).map(|a| stride[a]).sum::<usize>();
                let half = spacing as isize / 2;
                upper.map(|upper| half * (2 * along(upper) as isize - along(between) as isize)).collect()
            })
            .collect();
        for (&q, full) in before.iter().zip(&mut full) {
            let cell = self.cell(q);
            if self.number[q as usize] != NONE {
                t.columns.push(self.number[q as usize]);
                t.values.push(T::one());
            } else {
                let at = unravel(cells, cell);
                let between: usize = (0..axes).map(|a| usize::from(at[a] & (spacing - 1) != 0) << a).sum();
                let inside = (0..axes).all(|a| at[a] + spacing / 2 < cells[a]);
                let around = &corners[between];
                let first = t.columns.len();
                if inside {
                    t.columns.extend(around.iter().map_while(|d| self.number_of_cell(cell.wrapping_add_signed(*d))));
                }
                if t.columns.len() - first == around.len() {
                    t.values.resize(t.columns.len(), T::of(1.0 / around.len() as f64));
                } else {
                    *full = false;
                    t.columns.truncate(first);
                    self.interpolate(at, spacing, axes, &mut row);
                    for &(column, weight) in &row {
                        t.columns.push(column);
                        t.values.push(T::of(weight));
                    }
                }
            }
            t.row_start.push(t.columns.len() as u32);
        }
        Step { t, full, kept }
    }

    /// The coarse matrix `TᵀAT` and the kinds of its rows. As in [`super::galerkin()`], rows that are alike are
    /// summed up once: those whose hat lies on rows of one kind with full interpolation all around.
    fn assemble(&self, a: &Csr<T>, kinds: &[Kind], step: &Step<T>, transposed: &Csr<T>) -> (Csr<T>, Vec<Kind>) {
        let t = &step.t;
        let axes = self.grid.dimensions();
        let surrounded = |r: usize| kinds[r] != Kind::Other && a.row(r).all(|(c, _)| step.full[c]);
        let surrounded: Vec<bool> = (0..a.rows()).map(surrounded).collect();
        let single = |r: usize| t.row_start[r + 1] - t.row_start[r] == 1 && step.full[r];
        let n = t.column_count;
        let mut rows = Csr {
            row_start: Vec::with_capacity(n + 1),
            columns: Vec::with_capacity(3_usize.pow(axes as u32) * n),
            values: Vec::with_capacity(3_usize.pow(axes as u32) * n),
            column_count: n,
        };
        rows.row_start.push(0);
        let mut coarse_kinds = vec![Kind::Other; n];
        let mut sums = Sums::new(n);
        let hat = 3_usize.pow(axes as u32);
        let mut stencils: [Option<Vec<(isize, T)>>; 2] = [None, None];
        for (x, coarse_kind) in coarse_kinds.iter_mut().enumerate() {
            let own = step.kept[x] as usize;
            let kind = kinds[own];
            let support = transposed.row_start[x + 1] - transposed.row_start[x];
            if support == 1 && kind == Kind::Coarse && a.row(own).all(|(c, _)| single(c)) {
                // Blocks whose spacing the lattice has not reached yet.
                for (c, value) in a.row(own) {
                    rows.columns.push(t.columns[t.row_start[c] as usize]);
                    rows.values.push(value);
                }
                *coarse_kind = kind;
            } else if support as usize == hat
                && kind != Kind::Other
                && transposed.row(x).all(|(r, _)| surrounded[r] && kinds[r] == kind)
            {
                let cell = self.cell(self.present[x]);
                let stencil = stencils[usize::from(kind == Kind::Coarse)].get_or_insert_with(|| {
                    let first = rows.columns.len();
                    sums.seam_row(a, t, transposed, x, &mut rows);
                    let of = |at: usize| self.cell(self.present[rows.columns[at] as usize]) as isize - cell as isize;
                    let stencil = (first..rows.columns.len()).map(|at| (of(at), rows.values[at])).collect();
                    rows.columns.truncate(first);
                    rows.values.truncate(first);
                    stencil
                });
                for &(offset, value) in stencil.iter() {
                    // Full interpolation all around means that every one of these points is there.
                    let column = self.number_of_cell(cell.wrapping_add_signed(offset));
                    rows.columns.extend(column);
                    rows.values.extend(column.map(|_| value));
                }
                *coarse_kind = kind;
            } else {
                sums.seam_row(a, t, transposed, x, &mut rows);
            }
            rows.row_start.push(rows.columns.len() as u32);
        }
        (rows, coarse_kinds)
    }

    /// Multilinear weights of the lattice points around a cell, columns ascending. Air counts as a point of pressure 0;
    /// solids and the world outside do not count.
    fn interpolate(&self, at: [usize; 3], spacing: usize, axes: usize, row: &mut Vec<(u32, f64)>) {
        row.clear();
        let cells = self.grid.cells();
        let between = [0, 1, 2].map(|a| a < axes && !at[a].is_multiple_of(spacing));
        let weight = 0.5_f64.powi(between.iter().filter(|b| **b).count() as i32);
        let mut counted = 0.0;
        let mut own = Vec::new();
        for corner in 0..1_usize << axes {
            let upper = [0, 1, 2].map(|a| corner >> a & 1 == 1);
            if (0..3).any(|a| upper[a] && !between[a]) {
                continue;
            }
            let point = [0, 1, 2].map(|a| {
                let low = if between[a] { at[a] - at[a] % spacing } else { at[a] };
                low + if upper[a] { spacing } else { 0 }
            });
            if (0..3).any(|a| point[a] >= cells[a]) {
                continue;
            }
            let cell = ravel(cells, point);
            let unknown = self.system.unknown_of_cell[cell];
            if unknown == NONE {
                counted += if self.grid.is_solid(cell) { 0.0 } else { weight };
                continue;
            }
            counted += weight;
            let q = self.band.of_fine[unknown as usize];
            if q != NONE {
                row.push((self.number[q as usize], weight));
            } else {
                // Inside a coarse block: what the block's own corners say, which are on the lattice as spacing ≤ f.
                self.corners.interpolated(point, &mut own);
                row.extend(own.iter().map(|(q, w)| (self.number[*q as usize], weight * w)));
            }
        }
        row.sort_unstable_by_key(|e| e.0);
        row.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
        if counted > 0.0 {
            row.iter_mut().for_each(|e| e.1 /= counted);
        }
    }
}

/// Dense factor `L Lᵀ` of the coarsest matrix.
#[derive(Debug, Clone)]
pub(super) struct Cholesky<T> {
    n: usize,
    /// Rows of `L`, each `n` long; the diagonal is inverted.
    l: Vec<T>,
}

impl<T: Real> Cholesky<T> {
    pub(super) fn new(a: &Csr<T>) -> Self {
        let n = a.rows();
        let mut l = vec![T::zero(); n * n];
        for i in 0..n {
            for (j, v) in a.row(i) {
                l[i * n + j] = v;
            }
        }
        for i in 0..n {
            for j in 0..=i {
                let (row_i, row_j) = (&l[i * n..i * n + j], &l[j * n..j * n + j]);
                let known: T = row_i.iter().zip(row_j).map(|(a, b)| *a * *b).sum();
                let value = l[i * n + j] - known;
                l[i * n + j] = if i > j {
                    value * l[j * n + j]
                } else if value > T::epsilon() * l[i * n + i] {
                    value.sqrt().recip()
                } else {
                    T::zero() // singular up to rounding: the unknown is left out
                };
            }
        }
        Self { n, l }
    }

    pub(super) fn solve(&self, r: &[T], z: &mut [T]) {
        let n = self.n;
        for i in 0..n {
            let known: T = self.l[i * n..i * n + i].iter().zip(&*z).map(|(l, z)| *l * *z).sum();
            z[i] = (r[i] - known) * self.l[i * n + i];
        }
        for i in (0..n).rev() {
            let known: T = (i + 1..n).map(|j| self.l[j * n + i] * z[j]).sum();
            z[i] = (z[i] - known) * self.l[i * n + i];
        }
    }
}
