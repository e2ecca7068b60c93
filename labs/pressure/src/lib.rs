//! What the pressure solve of `thalweg-pressure` is compared with. Benchmarks and tests use it, no simulation does.
//!
//! [`Solver`] has all methods for a level of columns behind one door: multigrid as simulations use it, as published,
//! and baselines. [`narrow_band`] thins out the fine grid away from solids and the surface, [`sparse`] has plain sparse
//! algebra, [`scenes`] and [`StoredSystem`] what to solve.
//!
//! Sources, cited as \[number\]: \[000\] Chentanez and Müller 2011, Real-time Eulerian water simulation using a
//! restricted tall cell grid; \[001\] Prakash and Chaudhuri, narrow band pressure.

mod bicgstab;
mod constants;
pub mod narrow_band;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
pub mod scenes;
mod solver;
pub mod sparse;
mod stored_system;

use thalweg_compute::KernelInfo;

pub use bicgstab::bicgstab;
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use solver::{Method, Solver};
pub use stored_system::{StoredSystem, StoredSystemError};

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    narrow_band::device::kernels()
}
