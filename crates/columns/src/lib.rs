//! The grid of columns on which three-dimensional water is computed.
//!
//! A column has one tall cell of linear profile below and cubic cells near the surface; a uniform grid is the grid
//! whose tall cells are two cubic cells high.
//!
//! | module | what |
//! | --- | --- |
//! | [`grid`] | heights, which sample holds which world cell, neighbouring columns, the coarser grid |
//! | [`interpolate`], [`around`] | values at any height of a column of cells or faces; the columns around a point |
//! | [`cells_and_faces`] | steps from cell to cell, the faces between, which entry holds a face |
//! | [`neighbour_runs`], [`changed_range`] | neighbouring columns as runs of cells; where something has changed |
//! | [`face_velocity`] | where velocities of faces lie |
//! | [`transfer`] | fields on new heights, on the host and as kernels |
//! | [`flow`] | water as drops and foam see it |
//! | [`lines`], [`profile`] | linear functions along a column and sums of their products |
//! | [`Window`] | which part of a larger grid a grid is |
//!
//! A `.wesl` file beside a `.rs` file has the same functions for kernels. Kernels of other crates import them as
//! `columns::grid::is_tall`.
//!
//! Sources, cited as \[number\]: \[000\] Chentanez and Müller 2011, Real-time Eulerian water simulation using a
//! restricted tall cell grid; \[003\] US patent 9,087,411.

pub mod around;
pub mod cells_and_faces;
pub mod changed_range;
mod constants;
pub mod face_velocity;
pub mod flow;
pub mod grid;
pub mod interpolate;
pub mod lines;
pub mod neighbour_runs;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
pub mod profile;
mod real;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod transfer;
mod window;

use thalweg_compute::{Kernel, KernelInfo};

pub use face_velocity::FaceVelocity;
pub use grid::{ColumnGrid, GridError, Heights, Shape};
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use real::Real;
pub use window::Window;

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    vec![transfer::TransferCells::INFO, transfer::TransferFaces::INFO]
}
