//! One projection by any of the methods, timed: what benches and the demo call.

use super::band::BandShape;
use super::grid::{FaceField, FineGrid, FineSystem, Projected};
use super::paper::{Prolongation, TwoGrids};
use super::reduced::{Coupling, Reduced, Solver};
use super::runs::{RunCholesky, Split};
use crate::sparse::{SevenPointCholesky, pcg};
use std::time::{Duration, Instant};
use thalweg_columns::Real;
use thalweg_pressure::{NONE, Stop};

/// How to make a velocity divergence-free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// All fine cells, conjugate gradients with IC(0): the baseline.
    Full,
    /// All fine cells, the same solver with the matrix stored as those of the reduced systems are: it shows what of a
    /// saving is due to fewer unknowns, and what is lost to stencils that are not all −1.
    FullRows,
    /// The reduced system of a band.
    Band {
        /// Which cells stay fine.
        shape: BandShape,
        /// How blocks and cells are coupled.
        coupling: Coupling,
        /// What solves it.
        solver: Solver,
        /// Damped Jacobi sweeps afterwards.
        sweeps: usize,
    },
    /// Prakash & Chaudhuri, Algorithm 2.
    PressureSmoothing {
        /// Fine cells per block and axis.
        factor: usize,
        /// Width of the band, fine cells.
        width: usize,
        /// How the coarse pressure reaches the fine grid.
        prolongation: Prolongation,
        /// Undamped Jacobi sweeps afterwards, 3 in the text.
        sweeps: usize,
    },
    /// Prakash & Chaudhuri, Algorithm 1.
    VelocityInterpolation {
        /// Fine cells per block and axis.
        factor: usize,
        /// Width of the band, fine cells.
        width: usize,
    },
}

/// The course of a projection.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Unknowns of all systems that were solved.
    pub unknowns: usize,
    /// Iterations of all of them.
    pub iterations: usize,
    /// Whether all came below the bound.
    pub converged: bool,
    /// Wall-clock time: band, matrices, right-hand side, solve, prolongation and velocity update.
    pub time: Duration,
    /// Part of it that was spent on matrices and bands, without preconditioners.
    pub assembly: Duration,
}

/// Projects `u` and returns the course and the fine system. Solvers stop when the largest residual is `tolerance` times
/// the largest right-hand side of the fine grid, the same bound for all methods. `pressure` holds one value per cell,
/// Pa: the start on entry (zeros for a cold one), the result on return.
pub fn project<T: Real>(
    grid: &FineGrid,
    u: &mut FaceField,
    how: Projected,
    method: Method,
    tolerance: f64,
    pressure: &mut [f64],
) -> (Course, FineSystem<T>) {
    let begin = Instant::now();
    let system = grid.system::<T>();
    let b = grid.rhs(&system, u, how);
    let largest = b.iter().fold(0.0_f64, |m, v| m.max(v.to_double().abs()));
    let stop = Stop { residual: tolerance * largest, iterations: 20_000 };
    let mut p: Vec<T> = system.cell_of_unknown.iter().map(|c| T::of(pressure[*c as usize])).collect();
    let one = |unknowns, report: thalweg_pressure::Report, assembly| {
        (unknowns, report.iterations, report.converged, assembly)
    };
    let (unknowns, iterations, converged, assembly) = match method {
        Method::Full | Method::FullRows => {
            let fast = if method == Method::Full { grid.seven_point(&system) } else { None };
            let assembly = begin.elapsed();
            let report = match fast {
                Some(a) => pcg(&a, &mut SevenPointCholesky::new(&a, 0.0), &b, &mut p, stop),
                None => {
                    let a = Split::new(&system.matrix);
                    pcg(&a, &mut RunCholesky::new(&system.matrix), &b, &mut p, stop)
                }
            };
            grid.update(&system, &p, u, how);
            one(system.unknowns(), report, assembly)
        }
        Method::Band { shape, coupling, solver, sweeps } => {
            let reduced = Reduced::new(grid, &system, shape, coupling);
            let assembly = begin.elapsed();
            let report = reduced.solve(grid, &system, &b, &mut p, solver, stop);
            if sweeps > 0 {
                reduced.smooth(grid, &system, &b, &mut p, sweeps);
            }
            grid.update(&system, &p, u, how);
            one(reduced.band.unknowns(), report, assembly)
        }
        Method::PressureSmoothing { factor, width, prolongation, sweeps } => {
            let shape = (factor, width);
            let mut two = TwoGrids::solve(grid, &system, u, how, &b, &p, shape, prolongation, stop);
            two.smooth(&system, &b, sweeps);
            grid.update(&system, &two.p, u, how);
            let course = both(&two, begin);
            p = two.p;
            course
        }
        Method::VelocityInterpolation { factor, width } => {
            let shape = (factor, width);
            let two = TwoGrids::solve(grid, &system, u, how, &b, &p, shape, Prolongation::Interpolated, stop);
            two.velocity(grid, &system, u, how);
            let course = both(&two, begin);
            p = two.p;
            course
        }
    };
    let time = begin.elapsed();
    for (value, &unknown) in pressure.iter_mut().zip(&system.unknown_of_cell) {
        *value = if unknown == NONE { 0.0 } else { p[unknown as usize].to_double() };
    }
    (Course { unknowns, iterations, converged, time, assembly }, system)
}

/// Figures of the two solves together; what is not solving counts as assembly.
fn both<T>(two: &TwoGrids<T>, begin: Instant) -> (usize, usize, bool, Duration) {
    let (coarse, band) = (&two.coarse_report, &two.band_report);
    let assembly = begin.elapsed().saturating_sub(coarse.time() + band.time());
    (two.unknowns, coarse.iterations + band.iterations, coarse.converged && band.converged, assembly)
}
