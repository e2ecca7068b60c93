//! The reduced system as kernels: one body for the processor, one for the GPU, one orchestration for both, in f32.
//!
//! [`project_on`] is [`super::project`] on an [`Executor`](thalweg_compute::Executor), [`DeviceReduced`] its parts for
//! callers that keep velocity and pressure there. Right-hand side, warm start, restriction, solve, prolongation, the
//! Jacobi sweeps afterwards and the velocity update run on the executor; a solve stops itself there, and its course is
//! read when it is wanted. Band, basis and matrices are assembled on the host and handed over: the band moves with the
//! surface, and an assembly on the executor is not built.
//!
//! Every matrix is in compressed rows with one invocation per row: `PᵀAP` and the coarser levels, `P`, `Pᵀ`, the
//! interpolations between levels and their transposes, so that restrictions are gathers too. The inverse of the
//! coarsest matrix is one more of them. The conjugate gradients are those of [`thalweg_pressure::device`].
//!
//! What has an executor version: [`Method::Full`](super::Method::Full), [`Method::FullRows`](super::Method::FullRows)
//! and bands with [`Coupling::Galerkin`](super::Coupling::Galerkin), all with multigrid. Losasso's form, incomplete
//! factors (their substitutions are serial) and the published methods are for comparison, on the host;
//! [`BandError::HostOnly`] says so.
//!
//! | file | what |
//! | --- | --- |
//! | `rows` | products with matrices, residuals, sweeps |
//! | `faces` | right-hand side from velocities, velocity update |
//! | `matrix` | a matrix on an executor |
//! | `cycle` | the multigrid cycle |
//! | `solver` | conjugate gradients around it, and what comes before and after |
//! | `project` | one projection |

mod cycle;
mod faces;
mod matrix;
mod project;
mod rows;
mod solver;
#[cfg(test)]
mod tests;

use thalweg_compute::{ComputeError, Kernel, KernelInfo};

pub use project::project_on;
pub use solver::DeviceReduced;

/// Why a projection did not happen on an executor.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum BandError {
    /// There is no executor version of this.
    #[error("{what} is for comparison on the host only: use narrow_band::project, or a Galerkin band with multigrid")]
    HostOnly {
        /// What was asked for.
        what: &'static str,
    },
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
}

/// Every kernel of this module.
pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![
        rows::Multiply::INFO,
        rows::Rest::INFO,
        rows::Relax::INFO,
        rows::Residual::INFO,
        rows::MultiplyDot::INFO,
        faces::Rhs::INFO,
        faces::Update::INFO,
    ]
}

/// The parity cases of these kernels.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn parity_cases() -> Vec<thalweg_compute::parity::ParityCase> {
    [rows::parity::cases(), faces::parity::cases()].concat()
}
