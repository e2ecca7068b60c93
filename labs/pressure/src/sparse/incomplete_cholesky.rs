//! Incomplete Cholesky without fill, plain and modified, of a matrix in compressed rows.

use thalweg_columns::Real;

use super::{Csr, Preconditioner};

/// A pivot below this part of its diagonal is replaced by the diagonal (Bridson 2015, fig. 5.6): dropped fill can
/// drive a modified factor to zero.
pub(super) const SAFETY: f64 = 0.25;

/// `L Lᵀ ≈ A` on the pattern of `A` (Meijerink & van der Vorst 1977). The modified form takes dropped fill off the
/// diagonal, so that `L Lᵀ` has the row sums of `A` (Gustafsson 1978).
///
/// The solves are serial: the order of the unknowns decides how good the factor is.
#[derive(Debug, Clone, PartialEq)]
pub struct IncompleteCholesky<T> {
    /// Strict lower triangle of `L`.
    lower: Csr<T>,
    /// Its transpose.
    upper: Csr<T>,
    /// Inverse of the diagonal of `L`; 0 for an empty row.
    inverse: Vec<T>,
}

impl<T: Real> IncompleteCholesky<T> {
    /// Factors a symmetric matrix, of which only the upper triangle is read. `modified` is the part of the dropped fill
    /// that goes to the diagonal: 0 is IC(0), 0.97 the MIC(0) of Bridson (2015).
    ///
    /// # Panics
    ///
    /// If the matrix is not square.
    pub fn new(a: &Csr<T>, modified: f64) -> Self {
        let n = a.rows();
        assert_eq!(n, a.column_count, "an incomplete Cholesky factor needs a square matrix");
        let mut upper = Csr::with_columns(n);
        for r in 0..n {
            for (c, v) in a.row(r).filter(|entry| entry.0 > r) {
                upper.columns.push(c as u32);
                upper.values.push(v);
            }
            upper.close_row();
        }
        let (modified, safety) = (T::of(modified), T::of(SAFETY));
        let diagonal = a.diagonal();
        let mut pivots = diagonal.clone();
        let mut inverse = vec![T::zero(); n];

        // Right-looking: row k is final when it is reached, and is then subtracted from all later ones.
        for k in 0..n {
            let pivot = if pivots[k] < safety * diagonal[k] { diagonal[k] } else { pivots[k] };
            if pivot > T::zero() {
                inverse[k] = pivot.sqrt().recip();
            }
            let span = upper.span(k);
            upper.values[span.clone()].iter_mut().for_each(|v| *v *= inverse[k]);
            for at in span.clone() {
                let (j, from_j) = (upper.columns[at] as usize, upper.values[at]);
                pivots[j] -= from_j * from_j;
                let row_j = upper.span(j);
                for other in at + 1..span.end {
                    let (i, fill) = (upper.columns[other], from_j * upper.values[other]);
                    match upper.columns[row_j.clone()].binary_search(&i) {
                        Ok(kept) => upper.values[row_j.start + kept] -= fill,
                        Err(_) => {
                            pivots[j] -= modified * fill;
                            pivots[i as usize] -= modified * fill;
                        }
                    }
                }
            }
        }
        Self { lower: upper.transpose(), upper, inverse }
    }
}

impl<T: Real> Preconditioner<T> for IncompleteCholesky<T> {
    fn precondition(&mut self, r: &[T], z: &mut [T]) {
        let n = self.inverse.len();
        assert_eq!((r.len(), z.len()), (n, n), "lengths of r and z");
        for i in 0..n {
            let known: T = self.lower.row(i).map(|(c, l)| l * z[c]).sum();
            z[i] = (r[i] - known) * self.inverse[i];
        }
        for i in (0..n).rev() {
            let known: T = self.upper.row(i).map(|(c, l)| l * z[c]).sum();
            z[i] = (z[i] - known) * self.inverse[i];
        }
    }
}

#[cfg(test)]
impl<T: Real> IncompleteCholesky<T> {
    /// Row `i` of `L` with its diagonal.
    pub(super) fn factor_row(&self, i: usize) -> Vec<(usize, T)> {
        self.lower.row(i).chain([(i, self.inverse[i].recip())]).collect()
    }
}
