//! The reduced matrix `PᵀAP`, row by row.

use thalweg_columns::Real;
use thalweg_pressure::{Csr, NONE};

use super::band::Band;
use super::basis::{Basis, Interpolation};
use super::grid::{FineGrid, FineSystem, unravel};

/// Rows of a matrix that are alike wherever they occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A row of its own.
    Other,
    /// The five- or seven-point stencil of open water in the band, or what becomes of it on coarser levels.
    Fine,
    /// The stencil of the coarse region, or what becomes of it.
    Coarse,
}

/// `PᵀAP`: see [`super::Reduced`], which holds it.
pub fn galerkin<T: Real>(grid: &FineGrid, system: &FineSystem<T>, band: &Band, basis: &Basis<T>) -> Csr<T> {
    galerkin_kinds(grid, system, band, basis).0
}

/// `PᵀAP` and the kinds of its rows. A row is one of three kinds: copied from `A` deep in the band, the same stencil
/// everywhere deep in the coarse region, or summed up at the seam. Only the last needs the triple product, so the cost
/// is that of reading the unknowns.
pub(super) fn galerkin_kinds<T: Real>(
    grid: &FineGrid,
    system: &FineSystem<T>,
    band: &Band,
    basis: &Basis<T>,
) -> (Csr<T>, Vec<Kind>) {
    let (a, p) = (&system.matrix, &basis.p);
    let transposed = p.transpose();
    // Cells that are an unknown by themselves and contribute to no other one.
    let own = |unknown: usize| p.row_start[unknown + 1] - p.row_start[unknown] == 1;
    let alone = |q: usize| transposed.row_start[q + 1] - transposed.row_start[q] == 1;
    let interior = band.interior(match basis.interpolation() {
        Interpolation::Corners => 1,
        Interpolation::Centres => 2,
    });
    let n = band.unknowns();
    let mut rows = Csr {
        row_start: Vec::with_capacity(n + 1),
        columns: Vec::with_capacity(10 * n),
        values: Vec::with_capacity(10 * n),
        column_count: n,
    };
    rows.row_start.push(0);
    let mut sums = Sums::new(n);
    let mut stencil: Option<Vec<(isize, T)>> = None;
    let mut kinds = vec![Kind::Other; n];
    let sides = 2 * grid.dimensions();
    let regular = |c: usize, seat: usize, value: T| value == if c == seat { T::of(sides as f64) } else { -T::one() };
    for (q, &seat) in band.seat.iter().enumerate() {
        let seat = seat as usize;
        let block = band.block_of(unravel(grid.cells(), system.cell_of_unknown[seat] as usize));
        if interior[block] {
            let stencil = stencil.get_or_insert_with(|| {
                let first = rows.columns.len();
                sums.seam_row(a, p, &transposed, q, &mut rows);
                let of = |at: usize| block_of_unknown(grid, system, band, rows.columns[at]) as isize - block as isize;
                let stencil = (first..rows.columns.len()).map(|at| (of(at), rows.values[at])).collect();
                rows.columns.truncate(first);
                rows.values.truncate(first);
                stencil
            });
            kinds[q] = Kind::Coarse;
            for &(offset, value) in stencil.iter() {
                rows.columns.push(band.of_block[block.wrapping_add_signed(offset)]);
                rows.values.push(value);
            }
        } else if alone(q) && a.row(seat).all(|(c, _)| own(c)) {
            let first = rows.columns.len();
            let mut all_regular = true;
            for (c, value) in a.row(seat) {
                all_regular &= regular(c, seat, value);
                rows.columns.push(p.columns[p.row_start[c] as usize]);
                rows.values.push(value);
            }
            if all_regular && rows.columns.len() - first == sides + 1 {
                kinds[q] = Kind::Fine;
            }
        } else {
            sums.seam_row(a, p, &transposed, q, &mut rows);
        }
        rows.row_start.push(rows.columns.len() as u32);
    }
    (rows, kinds)
}

/// The block in which a reduced unknown sits.
fn block_of_unknown<T>(grid: &FineGrid, system: &FineSystem<T>, band: &Band, q: u32) -> usize {
    let seat = band.seat[q as usize] as usize;
    band.block_of(unravel(grid.cells(), system.cell_of_unknown[seat] as usize))
}

/// Work row for sums by column.
pub(super) struct Sums<T> {
    values: Vec<T>,
    seen: Vec<u32>,
}

impl<T: Real> Sums<T> {
    pub(super) fn new(columns: usize) -> Self {
        Self { values: vec![T::zero(); columns], seen: vec![NONE; columns] }
    }

    /// Row `q` of the triple product: `Σ_c P_cq Σ_d A_cd P_d·`.
    pub(super) fn seam_row(&mut self, a: &Csr<T>, p: &Csr<T>, transposed: &Csr<T>, q: usize, rows: &mut Csr<T>) {
        let first = rows.columns.len();
        for (c, weight) in transposed.row(q) {
            for (d, value) in a.row(c) {
                for (column, other) in p.row(d) {
                    let term = weight * value * other;
                    if self.seen[column] == q as u32 {
                        self.values[column] += term;
                    } else {
                        self.seen[column] = q as u32;
                        self.values[column] = term;
                        rows.columns.push(column as u32);
                    }
                }
            }
        }
        rows.columns[first..].sort_unstable();
        for at in first..rows.columns.len() {
            rows.values.push(self.values[rows.columns[at] as usize]);
        }
    }
}

/// Losasso's matrix: one value per block or cell, each fine face weighted by its area over the distance of the two
/// centres, `1/f` between blocks and `2/(f+1)` between a block and a cell (Losasso, Gibou & Fedkiw 2004, in symmetric
/// form). First order at the seam.
pub fn losasso<T: Real>(grid: &FineGrid, system: &FineSystem<T>, band: &Band) -> Csr<T> {
    let cells = grid.cells();
    let f = band.shape().factor as f64;
    let home = Homes::new(grid, system, band);
    let mut entries: Vec<Vec<(u32, T)>> = vec![Vec::new(); band.unknowns()];
    for (unknown, &cell) in system.cell_of_unknown.iter().enumerate() {
        let q = home.of_unknown[unknown];
        let coarse = home.coarse[q as usize];
        for side in grid.sides(unravel(cells, cell as usize)) {
            let open = grid.open()[side.axis][side.face];
            let Some(beyond) = side.beyond.filter(|_| open > 0.0) else { continue };
            let other = system.unknown_of_cell[beyond];
            let row = &mut entries[q as usize];
            if other == NONE {
                // Block to surface: the cell's own distance and that from the block's centre to the cell.
                let distance = grid.theta(cell as usize, beyond) + if coarse { 0.5 * (f - 1.0) } else { 0.0 };
                row.push((q, T::of(open / distance)));
                continue;
            }
            let other = home.of_unknown[other as usize];
            if other == q {
                continue;
            }
            let distance = match (coarse, home.coarse[other as usize]) {
                (true, true) => f,
                (false, false) => 1.0,
                _ => 0.5 * (f + 1.0),
            };
            row.push((q, T::of(open / distance)));
            row.push((other, T::of(-open / distance)));
        }
    }
    Csr::from_rows(band.unknowns(), entries.into_iter())
}

/// The reduced unknown in which each fine one lies.
#[derive(Debug, Clone)]
pub(super) struct Homes {
    pub(super) of_unknown: Vec<u32>,
    pub(super) coarse: Vec<bool>,
}

impl Homes {
    pub(super) fn new<T: Real>(grid: &FineGrid, system: &FineSystem<T>, band: &Band) -> Self {
        let cells = grid.cells();
        let mut coarse = vec![false; band.unknowns()];
        let of_unknown = (0..system.unknowns())
            .map(|unknown| {
                let block = band.block_of(unravel(cells, system.cell_of_unknown[unknown] as usize));
                if band.is_coarse(block) {
                    coarse[band.of_block[block] as usize] = true;
                    band.of_block[block]
                } else {
                    band.of_fine[unknown]
                }
            })
            .collect();
        Self { of_unknown, coarse }
    }

    /// Sum of a fine right-hand side over each block.
    pub(super) fn sums<T: Real>(&self, b: &[T]) -> Vec<T> {
        let mut sums = vec![T::zero(); self.coarse.len()];
        for (home, b) in self.of_unknown.iter().zip(b) {
            sums[*home as usize] += *b;
        }
        sums
    }
}
