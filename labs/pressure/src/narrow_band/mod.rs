//! Narrow band pressure: fine cells along solids and the surface, coarse blocks elsewhere, one system for both.
//!
//! Prakash & Chaudhuri (Narrow Band Pressure Computation for Eulerian Fluid Simulation) solve the pressure on a coarse
//! grid and again in a fine band along solids, and then repair the seam. Here the two are one: the pressure is `p = P
//! q` with one unknown per fine cell of the band and one per coarse block, and `q` solves `PᵀAP q = Pᵀb` with the fine
//! matrix `A`. That system is symmetric and positive, its solution is the best pressure in the range of `P`, boundary
//! conditions are those of the fine grid, and no net source is left. The published methods are in [`TwoGrids`] for
//! comparison, and the octree form of Losasso, Gibou & Fedkiw (2004) in [`Coupling::Losasso`].
//!
//! | file | what |
//! | --- | --- |
//! | `grid` | fine grid, its matrix, right-hand side, velocity update, divergence |
//! | `band` | which cells stay fine |
//! | `basis`, `galerkin` | `P`, `PᵀAP`, Losasso's matrix |
//! | `runs`, `multigrid` | the solvers: IC(0) and multigrid for conjugate gradients |
//! | `reduced` | all of these together |
//! | `smooth` | Jacobi sweeps afterwards |
//! | `paper` | the published methods |
//! | `device` | the same on CPU and GPU executors, in f32 |
//! | `project`, `demo`, `scenes` | one projection by any method; a dam break and a sloshing tank; scenes to compare on |
//!
//! In f32 use [`device::project_on`], on whatever executor: its rows are assembled in f64 and multiplied as
//! differences. The plain sums of `project::<f32>` leave up to 1e-3 of the largest pressure in still water where a
//! block interpolates between many others (centres, factor 4, 3D); elsewhere 2e-6 to 3e-5.
//!
//! A body of water without free surface has no unique pressure; such grids are not for this module.
//!
//! ```
//! use thalweg_pressure_labs::narrow_band::{BandShape, Coupling, Method, Projected, Solver, Surface, project, scenes};
//!
//! let grid = scenes::column(64, false);
//! let mut u = scenes::velocity(&grid);
//! let method = Method::Band {
//!     shape: BandShape { factor: 2, width: 4, surface: Surface::Fine },
//!     coupling: Coupling::default(),
//!     solver: Solver::Multigrid,
//!     sweeps: 3,
//! };
//! let mut pressure = vec![0.0; grid.phi.len()];
//! let how = Projected { density: 1000.0, dt: 0.01 };
//! let (course, system) = project::<f64>(&grid, &mut u, how, method, 1e-6, &mut pressure);
//! assert!(course.converged && course.unknowns < system.unknowns());
//! assert!(grid.divergence(&system, &u).sum.abs() < 1e-3);
//! ```

mod band;
mod basis;
pub mod demo;
pub mod device;
mod galerkin;
mod grid;
mod multigrid;
mod paper;
mod project;
mod reduced;
mod runs;
pub mod scenes;
mod smooth;
#[cfg(test)]
mod tests;

pub use band::{Band, BandShape, Surface};
pub use basis::{Basis, Interpolation};
pub use galerkin::{galerkin, losasso};
pub use grid::{Divergence, FaceField, FineGrid, FineSystem, Projected, THETA_MIN};
pub use multigrid::Multigrid;
pub use paper::{Prolongation, TwoGrids};
pub use project::{Course, Method, project};
pub use reduced::{Coupling, Reduced, Solver};
pub use smooth::{damping, jacobi};
