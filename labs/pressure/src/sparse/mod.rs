//! Sparse matrices in compressed rows, incomplete Cholesky and conjugate gradients: the baseline of the papers.
//!
//! ```
//! use thalweg_pressure::Stop;
//! use thalweg_pressure_labs::sparse::{Csr, IncompleteCholesky, pcg};
//!
//! // -p'' = 1 on three cells between two open ends.
//! let rows = [vec![(0, 2.0), (1, -1.0)], vec![(0, -1.0), (1, 2.0), (2, -1.0)], vec![(1, -1.0), (2, 2.0)]];
//! let a = Csr::from_rows(3, rows.into_iter());
//! let mut preconditioner = IncompleteCholesky::new(&a, 0.0);
//! let mut p = [0.0_f64; 3];
//! let report = pcg(&a, &mut preconditioner, &[1.0; 3], &mut p, Stop { residual: 1e-12, iterations: 10 });
//! assert!(report.converged && (p[1] - 2.0).abs() < 1e-12);
//! ```

mod assemble;
mod incomplete_cholesky;
mod pcg;
mod preconditioner;
mod reduce;
mod seven_point;
mod seven_point_cholesky;
#[cfg(test)]
mod tests;

pub use assemble::assemble_seven_point;
pub use incomplete_cholesky::IncompleteCholesky;
pub use pcg::{LinearOperator, largest_residual, pcg, pcg_projected};
pub use preconditioner::{Identity, Jacobi, Preconditioner};
pub use seven_point::SevenPoint;
pub use seven_point_cholesky::SevenPointCholesky;
pub use thalweg_pressure::{Csr, NONE};
