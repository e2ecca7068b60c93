//! Pressure of free-surface water on uniform and tall-cell grids.
//!
//! The pressure that keeps water incompressible is the solution of a Poisson equation with a free surface and solids
//! inside cells. This crate has its matrix, on grids of columns with one tall cell each
//! ([`ColumnGrid`](thalweg_columns::ColumnGrid), [`Level`]), and its solver: conjugate gradients around a multigrid
//! cycle, or cycles alone ([`conjugate_gradients`], [`stationary`]). [`device`] has the same hierarchy as kernels for
//! CPU and GPU executors, [`velocity`] the divergence and gradient that belong to the matrix. What is kept to compare
//! with (incomplete Cholesky, plain sweeps, BiCGStab, narrow band) is in the crate `thalweg-pressure-labs`.
//!
//! Units: the unknown is `q = (Δt/ρ) p` in m²/s, cells count as one, so that a right-hand side is `−Δx² ∇·u*`.
//!
//! Sources, cited as \[number\]: \[000\] Chentanez and Müller 2011, Real-time Eulerian water simulation using a
//! restricted tall cell grid; \[001\] Prakash and Chaudhuri, narrow band pressure; \[003\] US patent 9,087,411.

mod assemble;
mod borders;
mod coarse_fields;
mod constants;
mod csr;
mod cycle;
pub mod device;
mod differences;
mod direct;
mod fields;
mod host;
mod krylov;
mod level;
mod parallel;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
pub mod parts;
mod report;
mod rows;
mod singular;
mod smooth;
mod tall_rows;
mod transfer;
pub mod velocity;

pub use assemble::{Numbering, assemble};
pub use coarse_fields::BubbleRule;
pub use constants::NONE;
pub use csr::Csr;
pub use cycle::{Cycle, Hierarchy, Sweeps, cycle};
pub use fields::{FieldView, Fields};
pub use host::{HierarchyOptions, HostHierarchy};
pub use krylov::{conjugate_gradients, stationary};
pub use level::Level;
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use report::{Report, Stop};
pub use rows::{Discretisation, LevelView};
pub use smooth::{Group, SWEEP};
pub use transfer::Prolongation;
