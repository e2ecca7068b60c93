//! Incomplete Cholesky of a seven-point matrix, plain and modified, in the form that stores a diagonal only.

use thalweg_columns::Real;

use super::incomplete_cholesky::SAFETY;
use super::seven_point::Run;
use super::{Preconditioner, SevenPoint};
use std::sync::Arc;

/// The factor `(E + L) E⁻¹ (E + Lᵀ)` of a matrix `D + L + Lᵀ` whose entries beside the diagonal are −1.
///
/// It is that of [`super::IncompleteCholesky`] with `E` in place of the square of its diagonal (Bridson 2015, §5.1):
/// where no two neighbours of a cell are neighbours of each other, `L` of the factor is `L` of the matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct SevenPointCholesky<T> {
    runs: Arc<[Run]>,
    /// Stands for the neighbours on a side where a run has none.
    zeros: Vec<T>,
    /// `1 / E`; 0 for an empty row.
    inverse: Vec<T>,
}

impl<T: Real> SevenPointCholesky<T> {
    /// Factors `a`. `modified` is the part of the dropped fill that goes to the diagonal: 0 is IC(0), 0.97 the MIC(0)
    /// of Bridson (2015).
    pub fn new(a: &SevenPoint<T>, modified: f64) -> Self {
        let (modified, safety) = (T::of(modified), T::of(SAFETY));
        let mut inverse = vec![T::zero(); a.diag.len()];
        // What an unknown takes off the pivots of its neighbours after it: its own product, and the fill between that
        // neighbour and the others.
        let mut taken = vec![T::zero(); a.diag.len()];
        for run in a.runs.iter() {
            for u in run.range() {
                let known: T = run.before(u).map(|o| taken[o]).sum();
                let pivot = a.diag[u] - known;
                let pivot = if pivot < safety * a.diag[u] { a.diag[u] } else { pivot };
                if pivot > T::zero() {
                    inverse[u] = pivot.recip();
                }
                let others = run.neighbours_after(u).saturating_sub(1);
                taken[u] = inverse[u] * (T::one() + modified * T::of(others as f64));
            }
        }
        Self { runs: a.runs.clone(), zeros: a.zeros.clone(), inverse }
    }

    /// `z = (E + L)⁻¹ r`
    fn forward(&self, r: &[T], z: &mut [T]) {
        for run in self.runs.iter() {
            let range = run.range();
            let (known, rest) = z.split_at_mut(range.start);
            let side = |distance| run.side(known, 0, distance, &self.zeros);
            let (b0, b1, b2) = (side(run.before[0]), side(run.before[1]), side(run.before[2]));
            let (r, inverse, z) = (&r[range.clone()], &self.inverse[range.clone()], &mut rest[..run.len as usize]);
            let mut previous = if run.joins_previous { known[range.start - 1] } else { T::zero() };
            for i in 0..z.len() {
                previous = (r[i] + b0[i] + b1[i] + b2[i] + previous) * inverse[i];
                z[i] = previous;
            }
        }
    }

    /// `z = (E + Lᵀ)⁻¹ E z`, and `r · z`
    fn backward(&self, r: &[T], z: &mut [T]) -> f64 {
        let mut rz = 0.0;
        for run in self.runs.iter().rev() {
            let range = run.range();
            let (rest, known) = z.split_at_mut(range.end);
            let side = |distance| run.side(known, range.end, distance, &self.zeros);
            let (a0, a1, a2) = (side(run.after[0]), side(run.after[1]), side(run.after[2]));
            let (r, inverse, z) = (&r[range.clone()], &self.inverse[range.clone()], &mut rest[range.start..]);
            let mut next = if run.joins_next { known[0] } else { T::zero() };
            let mut sum = 0.0;
            for i in (0..z.len()).rev() {
                next = z[i] + (a0[i] + a1[i] + a2[i] + next) * inverse[i];
                z[i] = next;
                sum += r[i].to_double() * next.to_double();
            }
            rz += sum;
        }
        rz
    }
}

impl<T: Real> Preconditioner<T> for SevenPointCholesky<T> {
    fn precondition(&mut self, r: &[T], z: &mut [T]) {
        self.precondition_dot(r, z);
    }

    fn precondition_dot(&mut self, r: &[T], z: &mut [T]) -> f64 {
        let n = self.inverse.len();
        assert_eq!((r.len(), z.len()), (n, n), "lengths of r and z");
        self.forward(r, z);
        self.backward(r, z)
    }
}
