//! The same multigrid as kernels: one body for the processor, one for the GPU, one orchestration for both.
//!
//! [`DeviceHierarchy`] holds all levels on an [`Executor`](thalweg_compute::Executor) and builds the coarse ones there,
//! from heights, level set, solids and openings of the finest. [`DeviceSolver`] solves with them: conjugate gradients
//! around a cycle, or cycles alone. A solve is recorded without knowing how many iterations it takes: a small kernel
//! compares the residual with the bound and sets the extents of all later kernels to zero. Nothing is read back in
//! between; [`DeviceSolver::report`] reads the history when it is wanted.
//!
//! Coarse levels that are too small to fill a GPU are handled by a single workgroup in a single dispatch.
//!
//! Not here, unlike in the CPU solvers: extra sweeps near surfaces, and sealed pockets of water beside open
//! water. Where *no* water touches air (decided on the executor) the right-hand side is made consistent and the mean
//! pressure kept.
//!
//! [`DeviceStaggered`] has the divergence before a solve and the gradient after it, [`DeviceCollocated`] those of the
//! published method.
//!
//! Reading order: `layout.rs` (where everything lies), `build/` (levels), `cycle/` (relaxation and transfers),
//! `krylov/` (the outer iteration), `hierarchy.rs` and `solver.rs` (the order of kernels), `velocity/` (what comes
//! before and after a solve).

mod build;
pub(crate) mod cycle;
mod hierarchy;
pub(crate) mod krylov;
pub(crate) mod layout;
pub(crate) mod solver;
#[cfg(any(test, feature = "testing"))]
mod testing;
#[cfg(test)]
mod tests;
mod velocity;

use thalweg_compute::{Kernel, KernelInfo};

pub use crate::constants::{flag, plane};
pub use hierarchy::{DeviceError, DeviceHierarchy, DeviceOptions};
pub use solver::{DeviceSolver, DeviceStop, ExtraProduct, Method, SolverOptions};
pub use velocity::{DeviceCollocated, DeviceStaggered};

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    vec![
        build::Adopt::INFO,
        build::CoarsenHeights::INFO,
        build::CoarsenFields::INFO,
        build::CoarsenOpen::INFO,
        build::CoarsenSinks::INFO,
        build::Conductances::INFO,
        build::Diagonals::INFO,
        build::Invert::INFO,
        cycle::Start::INFO,
        cycle::Relax::INFO,
        cycle::RelaxTall::INFO,
        cycle::LevelResidual::INFO,
        cycle::Restrict::INFO,
        cycle::Prolong::INFO,
        cycle::Tail::INFO,
        cycle::TailWide::INFO,
        cycle::CoarsestMatrix::INFO,
        cycle::MultiplyDot::INFO,
        cycle::Residual::INFO,
        krylov::Balance::INFO,
        krylov::Dots::INFO,
        krylov::Search::INFO,
        krylov::Square::INFO,
        krylov::Advance::INFO,
        krylov::Correct::INFO,
        krylov::Control::INFO,
        velocity::Apertures::INFO,
        velocity::VelocityRhs::INFO,
        velocity::VelocityUpdate::INFO,
        velocity::SampleRhs::INFO,
        velocity::SampleUpdate::INFO,
    ]
}

/// The parity cases of these kernels.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn parity_cases() -> Vec<thalweg_compute::parity::ParityCase> {
    [
        build::parity::cases(),
        cycle::parity::cases(),
        krylov::parity::cases(),
        velocity::parity::cases(),
        velocity::collocated::parity::cases(),
    ]
    .concat()
}
