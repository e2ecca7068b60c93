//! The matrix of a level as a sparse matrix over its unknowns, for solvers that know nothing of columns.

use thalweg_columns::Real;

use crate::constants::NONE;
use crate::csr::Csr;
use crate::level::Level;

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
