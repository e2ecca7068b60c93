//! One projection on an executor.

use std::time::Instant;

use thalweg_compute::Executor;
use thalweg_pressure::NONE;

use super::{BandError, DeviceReduced};
use crate::narrow_band::band::{BandShape, Surface};
use crate::narrow_band::basis::Interpolation;
use crate::narrow_band::grid::{FaceField, FineGrid, FineSystem, Projected};
use crate::narrow_band::project::{Course, Method};
use crate::narrow_band::reduced::{Coupling, Reduced, Solver};

/// Most iterations that a projection records. Ten are enough for 1e-6; those that are not needed are switched off.
const ITERATIONS: usize = 32;

/// As [`project`](crate::narrow_band::project), with everything but the assembly on an executor, in f32. The full fine
/// grid is a band in which every cell is fine, and is solved with multigrid.
///
/// ```
/// use thalweg_compute::Executor;
/// use thalweg_pressure_labs::narrow_band::device::project_on;
/// use thalweg_pressure_labs::narrow_band::{BandShape, Coupling, Method, Projected, Solver, Surface, scenes};
///
/// let exec = Executor::cpu()?;
/// let grid = scenes::column(64, false);
/// let mut u = scenes::velocity(&grid);
/// let shape = BandShape { factor: 2, width: 4, surface: Surface::Fine };
/// let method = Method::Band { shape, coupling: Coupling::default(), solver: Solver::Multigrid, sweeps: 3 };
/// let mut pressure = vec![0.0; grid.phi.len()];
/// let how = Projected { density: 1000.0, dt: 0.01 };
/// let (course, system) = project_on(&exec, &grid, &mut u, how, method, 1e-5, &mut pressure)?;
/// assert!(course.converged && course.iterations < 20);
/// assert!(grid.divergence(&system, &u).sum.abs() < 1e-3);
/// # Ok::<(), thalweg_pressure_labs::narrow_band::device::BandError>(())
/// ```
///
/// # Errors
///
/// [`BandError::HostOnly`] for methods without an executor version, [`BandError::Compute`] where the executor fails.
/// The velocity is as it was then.
pub fn project_on(
    exec: &Executor,
    grid: &FineGrid,
    u: &mut FaceField,
    how: Projected,
    method: Method,
    tolerance: f64,
    pressure: &mut [f64],
) -> Result<(Course, FineSystem<f64>), BandError> {
    let begin = Instant::now();
    let (shape, coupling, sweeps) = supported(method)?;
    let system = grid.system::<f64>();
    let reduced = Reduced::new(grid, &system, shape, coupling);
    let assembly = begin.elapsed();

    let device = DeviceReduced::new(exec, grid, &system, &reduced, ITERATIONS)?;
    device.set_velocity(exec, u)?;
    let start: Vec<f32> = system.cell_of_unknown.iter().map(|c| pressure[*c as usize] as f32).collect();
    exec.write(device.pressure(), 0, &start)?;
    let mut rec = exec.record();
    device.rhs(&mut rec, how)?;
    device.solve(&mut rec, tolerance as f32)?;
    device.smooth(&mut rec, sweeps)?;
    device.update(&mut rec, how)?;
    rec.submit()?;

    let report = device.report(exec)?;
    let result = exec.read(device.pressure())?;
    device.read_velocity(exec, u)?;
    for (value, &unknown) in pressure.iter_mut().zip(&system.unknown_of_cell) {
        *value = if unknown == NONE { 0.0 } else { f64::from(result[unknown as usize]) };
    }
    let (iterations, converged) = (report.iterations, report.converged);
    Ok((Course { unknowns: reduced.band.unknowns(), iterations, converged, time: begin.elapsed(), assembly }, system))
}

/// Shape, coupling and sweeps of a method that has an executor version.
fn supported(method: Method) -> Result<(BandShape, Coupling, usize), BandError> {
    let host_only = |what: &'static str| Err(BandError::HostOnly { what });
    match method {
        Method::Full | Method::FullRows => {
            let shape = BandShape { factor: 1, width: 0, surface: Surface::Fine };
            Ok((shape, Coupling::Galerkin(Interpolation::Corners), 0))
        }
        Method::Band { coupling: Coupling::Losasso, .. } => host_only("Losasso's form"),
        Method::Band { solver: Solver::IncompleteCholesky, .. } => host_only("incomplete Cholesky"),
        Method::Band { shape, coupling, sweeps, .. } => Ok((shape, coupling, sweeps)),
        Method::PressureSmoothing { .. } => host_only("pressure smoothing"),
        Method::VelocityInterpolation { .. } => host_only("velocity interpolation"),
    }
}
