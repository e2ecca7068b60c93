//! The pressures that a band can express: `p = P q`.

use thalweg_columns::Real;
use thalweg_pressure::{Csr, NONE};

use super::band::{Band, children};
use super::grid::{FineGrid, FineSystem, ravel, unravel};

/// Between which points the pressure of a coarse region is multilinear. Either way the unknowns are the same in number,
/// rows of `P` sum to 1, and linear pressures are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// Between the lowest cells of the blocks. A fine block hands in its own lowest cell, so the seam adds no entries,
    /// and the kinks of the basis lie in cells, not on faces: interior rows have 3^d entries. Its error alternates from
    /// cell to cell, which the Jacobi sweeps of [`super::Reduced::smooth`] remove: three are part of this choice.
    #[default]
    Corners,
    /// Between the centres of the blocks; a fine block hands in the mean of its liquid cells. For even factors the
    /// kinks lie on faces and interior rows have 3^d + 2d·3^(d−1) entries; seam rows have hundreds. At a factor of 2
    /// the error is nearly even, and its gradient about seven times smaller than with corners.
    Centres,
}

/// Interpolation from the unknowns of a band to all liquid cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis<T> {
    /// One row per fine unknown, one column per reduced one.
    pub p: Csr<T>,
    interpolation: Interpolation,
}

impl<T: Real> Basis<T> {
    /// The basis of a band.
    pub fn new(grid: &FineGrid, system: &FineSystem<T>, band: &Band, interpolation: Interpolation) -> Self {
        let axes = grid.dimensions();
        let n = system.unknowns();
        let mut p = Csr {
            row_start: Vec::with_capacity(n + 1),
            columns: Vec::with_capacity(n << axes),
            values: Vec::with_capacity(n << axes),
            column_count: band.unknowns(),
        };
        p.row_start.push(0);
        let rows = Rows::new(grid, system, band, interpolation);
        let mut row = Vec::new();
        for (unknown, &cell) in system.cell_of_unknown.iter().enumerate() {
            let own = band.of_fine[unknown];
            let at = unravel(grid.cells(), cell as usize);
            let coarse = band.is_coarse(band.block_of(at));
            if !coarse || (own != NONE && interpolation == Interpolation::Corners) {
                p.columns.push(own);
                p.values.push(T::one());
            } else {
                rows.interpolated(at, &mut row);
                p.columns.extend(row.iter().map(|e| e.0));
                p.values.extend(row.iter().map(|e| T::of(e.1)));
            }
            p.row_start.push(p.columns.len() as u32);
        }
        Self { p, interpolation }
    }

    /// Where the coarse unknowns sit.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// `p = P q`.
    pub fn prolong(&self, q: &[T], p: &mut [T]) {
        self.p.multiply(q, p);
    }

    /// `Pᵀ b`: what the reduced equations must balance.
    pub fn restrict(&self, b: &[T]) -> Vec<T> {
        let mut sums = vec![T::zero(); self.p.column_count];
        for (row, &b) in b.iter().enumerate() {
            for (column, weight) in self.p.row(row) {
                sums[column] += weight * b;
            }
        }
        sums
    }

    /// The reduced unknowns of a pressure, for a warm start: its value where each unknown sits, or its mean over the
    /// block.
    pub fn sample(&self, grid: &FineGrid, system: &FineSystem<T>, band: &Band, p: &[T]) -> Vec<T> {
        let mean = |seat: &u32| {
            let (count, unknowns) = self.places(grid, system, band, *seat);
            unknowns.map(|unknown| p[unknown as usize]).sum::<T>() / count
        };
        band.seat.iter().map(mean).collect()
    }

    /// [`Self::sample`] as a matrix: one row per reduced unknown, one column per fine one.
    pub(super) fn sampling(&self, grid: &FineGrid, system: &FineSystem<T>, band: &Band) -> Csr<T> {
        let row = |seat: &u32| {
            let (count, unknowns) = self.places(grid, system, band, *seat);
            unknowns.map(|unknown| (unknown, count.recip())).collect()
        };
        Csr::from_rows(system.unknowns(), band.seat.iter().map(row))
    }

    /// The fine unknowns for whose mean the reduced one at a seat stands, and how many they are.
    fn places<'a>(
        &self,
        grid: &FineGrid,
        system: &'a FineSystem<T>,
        band: &Band,
        seat: u32,
    ) -> (T, impl Iterator<Item = u32> + 'a) {
        let cells = grid.cells();
        let at = unravel(cells, system.cell_of_unknown[seat as usize] as usize);
        let whole = self.interpolation == Interpolation::Centres && band.is_coarse(band.block_of(at));
        let step = if whole { band.step() } else { [1; 3] };
        let unknowns = children(at, step).map(move |c| system.unknown_of_cell[ravel(cells, c)]);
        (T::of(step.iter().product::<usize>() as f64), unknowns)
    }
}

/// For each place in a block along one axis: the first of the two blocks (−1 or 0, relative) and the weight of the
/// second.
fn weights(factor: usize, interpolation: Interpolation) -> Vec<(isize, f64)> {
    (0..factor)
        .map(|place| match interpolation {
            Interpolation::Corners => (0, place as f64 / factor as f64),
            Interpolation::Centres => {
                let from_centre = (place as f64 + 0.5) / factor as f64 - 0.5;
                if from_centre < 0.0 { (-1, 1.0 + from_centre) } else { (0, from_centre) }
            }
        })
        .collect()
}

/// Makes rows of `P` for cells of coarse blocks.
pub(super) struct Rows<'a, T> {
    grid: &'a FineGrid,
    system: &'a FineSystem<T>,
    band: &'a Band,
    interpolation: Interpolation,
    weights: Vec<(isize, f64)>,
}

impl<'a, T: Real> Rows<'a, T> {
    pub(super) fn new(
        grid: &'a FineGrid,
        system: &'a FineSystem<T>,
        band: &'a Band,
        interpolation: Interpolation,
    ) -> Self {
        Self { grid, system, band, interpolation, weights: weights(band.shape().factor, interpolation) }
    }

    /// Columns ascending and weights. A block that has nothing to hand in (only where the band is thinner than a block)
    /// is left out and the others take its weight: the pressure goes on evenly, and rows still sum to 1.
    pub(super) fn interpolated(&self, at: [usize; 3], row: &mut Vec<(u32, f64)>) {
        row.clear();
        let axes = self.grid.dimensions();
        let (blocks, step) = (self.band.blocks(), self.band.step());
        let mut first = [0_isize; 3];
        let mut second = [0.0; 3];
        for a in 0..axes {
            let (start, weight) = self.weights[at[a] & (step[a] - 1)];
            (first[a], second[a]) = ((at[a] / step[a]) as isize + start, weight);
        }
        let mut total = 0.0;
        for corner in 0..1_usize << axes {
            let mut weight = 1.0;
            let mut block = [0; 3];
            let mut inside = true;
            for a in 0..axes {
                let upper = corner >> a & 1;
                weight *= if upper == 1 { second[a] } else { 1.0 - second[a] };
                let along = first[a] + upper as isize;
                inside &= along >= 0 && (along as usize) < blocks[a];
                block[a] = along.max(0) as usize;
            }
            if weight <= 0.0 || !inside {
                continue;
            }
            let coarse = self.band.of_block[ravel(blocks, block)];
            if coarse != NONE {
                row.push((coarse, weight));
                total += weight;
            } else {
                total += self.fine_block([0, 1, 2].map(|a| block[a] * step[a]), weight, row);
            }
        }
        if total < 1.0 {
            row.iter_mut().for_each(|e| e.1 /= total);
        }
        if self.interpolation == Interpolation::Centres {
            row.sort_unstable_by_key(|e| e.0);
        }
    }

    /// Adds what a fine block hands in, and returns the weight that was placed.
    fn fine_block(&self, low: [usize; 3], weight: f64, row: &mut Vec<(u32, f64)>) -> f64 {
        let cells = self.grid.cells();
        let of_cell = |at: [usize; 3]| {
            let unknown = self.system.unknown_of_cell[ravel(cells, at)];
            (unknown != NONE).then(|| self.band.of_fine[unknown as usize])
        };
        let before = row.len();
        if self.interpolation == Interpolation::Corners {
            row.extend(of_cell(low).map(|q| (q, weight)));
        } else {
            let step = self.band.step();
            let step = [0, 1, 2].map(|a| step[a].min(cells[a] - low[a])); // blocks may overhang the domain
            row.extend(children(low, step).filter_map(of_cell).map(|q| (q, 1.0)));
            let each = weight / (row.len() - before) as f64;
            row[before..].iter_mut().for_each(|e| e.1 = each);
        }
        if row.len() > before { weight } else { 0.0 }
    }
}
