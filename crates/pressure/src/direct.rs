//! The coarsest level solved directly: the inverse of a small dense matrix.

use thalweg_columns::Real;

use crate::assemble::{Numbering, assemble};
use crate::level::Level;

/// The inverse of a level's matrix.
#[derive(Debug, Clone)]
pub(crate) struct Direct<T> {
    /// Samples of the unknowns.
    samples: Vec<u32>,
    /// The inverse, row by row.
    inverse: Vec<T>,
}

/// Pivots below this share of the largest diagonal count as zero: one unknown of a body of water without surface is
/// free, and is set to zero.
const SINGULAR: f64 = 1e-9;

impl<T: Real> Direct<T> {
    /// Inverts the matrix, if it has no more than `most` unknowns.
    pub(crate) fn of<S: Real>(level: &Level<S>, most: usize) -> Option<Self> {
        let numbering = Numbering::of(level);
        let n = numbering.sample.len();
        if n > most {
            return None;
        }
        let matrix = assemble(level, &numbering);
        // Gauss-Jordan on [A | 1] in doubles, the largest remaining pivot of the diagonal first: the matrix is an
        // M-matrix or close to one, so that rows need not be exchanged.
        let width = 2 * n;
        let mut work = vec![0.0; n * width];
        for row in 0..n {
            for (column, value) in matrix.row(row) {
                work[row * width + column] = value.to_double();
            }
            work[row * width + n + row] = 1.0;
        }
        let scale = (0..n).map(|i| work[i * width + i].abs()).fold(0.0, f64::max);
        let mut open: Vec<usize> = (0..n).collect();
        while let Some(at) = largest(&open, |i| work[i * width + i].abs()) {
            let pivot_row = open.swap_remove(at);
            let pivot = work[pivot_row * width + pivot_row];
            // A matrix made in floats is singular to their rounding only.
            if pivot.abs() <= SINGULAR.max(32.0 * S::epsilon().to_double()) * scale {
                // Free: x = 0 there.
                for row in 0..n {
                    work[row * width + pivot_row] = 0.0;
                }
                work[pivot_row * width..(pivot_row + 1) * width].fill(0.0);
                continue;
            }
            let line: Vec<f64> = work[pivot_row * width..(pivot_row + 1) * width].iter().map(|v| v / pivot).collect();
            for row in 0..n {
                let factor = work[row * width + pivot_row];
                if row != pivot_row && factor != 0.0 {
                    for (w, l) in work[row * width..(row + 1) * width].iter_mut().zip(&line) {
                        *w -= factor * l;
                    }
                }
            }
            work[pivot_row * width..(pivot_row + 1) * width].copy_from_slice(&line);
        }
        let inverse = (0..n).flat_map(|row| work[row * width + n..(row + 1) * width].to_vec()).map(T::of).collect();
        Some(Self { samples: numbering.sample, inverse })
    }

    /// `x = A⁻¹ b` in the unknowns.
    pub(crate) fn solve(&self, b: &[T], x: &mut [T]) {
        let n = self.samples.len();
        if n == 0 {
            return;
        }
        for (sample, line) in self.samples.iter().zip(self.inverse.chunks(n)) {
            let products = line.iter().zip(&self.samples).map(|(a, s)| *a * b[*s as usize]);
            x[*sample as usize] = products.sum();
        }
    }
}

/// Position of the largest.
fn largest(list: &[usize], size: impl Fn(usize) -> f64) -> Option<usize> {
    (0..list.len()).max_by(|a, b| size(list[*a]).total_cmp(&size(list[*b])))
}
