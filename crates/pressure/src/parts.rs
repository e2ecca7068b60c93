//! Pieces of the solvers, for solvers that are built elsewhere: the experiments in `labs/`. They follow the needs of
//! the hierarchy and change with it.

pub use crate::level::reciprocals;
pub use crate::report::Progress;
pub use crate::smooth::{Relaxation, multiply, relax, residual, solve_block};

/// Pieces of a solve on an executor: the kernels of conjugate gradients, and where their partial results lie.
pub mod device {
    pub use crate::constants::{PARTIALS, scalar, slot};
    pub use crate::device::cycle::{put, sum};
    pub use crate::device::krylov::{Advance, Balance, Control, ControlParams, Dots, Search, VectorParams};
    pub use crate::device::layout::reduction_groups;
    pub use crate::device::solver::report_of;
}
