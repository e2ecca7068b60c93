//! The matrix of a level as a sparse matrix over its unknowns, for solvers that know nothing of columns.

use thalweg_columns::Real;
use thalweg_columns::grid::is_tall;

use crate::level::Level;
use crate::sparse::{Csr, NONE, SevenPoint};

/// Numbers of the unknowns: sample to unknown (or none), unknown to sample.
#[derive(Debug, Clone)]
pub struct Numbering {
    /// The unknown of every sample, [`NONE`] where there is none.
    pub unknown: Vec<u32>,
    /// The sample of every unknown.
    pub sample: Vec<u32>,
}

impl Numbering {
    /// Numbers the unknowns of a level in the order of memory.
    pub fn of<T: Real>(level: &Level<T>) -> Self {
        let mut unknown = vec![NONE; level.diagonal.len()];
        let mut sample = Vec::new();
        for (index, d) in level.diagonal.iter().enumerate() {
            if *d > T::zero() {
                unknown[index] = sample.len() as u32;
                sample.push(index as u32);
            }
        }
        Self { unknown, sample }
    }

    /// The values at the unknowns.
    pub fn gather<T: Real>(&self, field: &[T]) -> Vec<T> {
        self.sample.iter().map(|s| field[*s as usize]).collect()
    }

    /// Writes the values of the unknowns back.
    pub fn scatter<T: Real>(&self, values: &[T], field: &mut [T]) {
        for (s, v) in self.sample.iter().zip(values) {
            field[*s as usize] = *v;
        }
    }
}

/// Every entry of a level's matrix, row by row in the order of `numbering`.
pub fn assemble<T: Real>(level: &Level<T>, numbering: &Numbering) -> Csr<T> {
    let n = level.grid.shape.samples();
    let view = level.view();
    let rows = numbering.sample.iter().map(|index| {
        let index = *index as usize;
        let mut row = Vec::with_capacity(9);
        view.row_entries(index / n, index % n, |column, value| {
            let unknown = numbering.unknown[column];
            if unknown != NONE && value != T::zero() {
                row.push((unknown, value));
            }
        });
        row
    });
    Csr::from_rows(numbering.sample.len(), rows)
}

/// The matrix of a level without tall cells and with fully open faces between its unknowns, in the form that
/// seven-point solvers want; `None` for any other level.
pub fn assemble_seven_point<T: Real>(level: &Level<T>, numbering: &Numbering) -> Option<SevenPoint<T>> {
    let heights = level.grid.heights.first()?;
    let even = level.grid.heights.iter().all(|h| h == heights) && !is_tall(*heights);
    if !(level.unit && even) {
        return None;
    }
    let shape = level.grid.shape;
    let (n, row) = (shape.samples(), shape.nx * shape.samples());
    let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| Vec::with_capacity(numbering.sample.len()));
    for &index in &numbering.sample {
        let index = index as usize;
        let (column, sample) = (index / n, index % n);
        let (i, k) = (column % shape.nx, column / shape.nx);
        let at = |exists: bool, other: usize| if exists { numbering.unknown[other] } else { NONE };
        // In memory y is the fastest axis, then x, then z.
        let all = [
            at(sample > 0, index.wrapping_sub(1)),
            at(sample + 1 < n, index + 1),
            at(i > 0, index.wrapping_sub(n)),
            at(i + 1 < shape.nx, index + n),
            at(k > 0, index.wrapping_sub(row)),
            at(k + 1 < shape.nz, index + row),
        ];
        for (list, value) in neighbours.iter_mut().zip(all) {
            list.push(value);
        }
    }
    Some(SevenPoint::new(neighbours, numbering.gather(&level.diagonal)))
}
