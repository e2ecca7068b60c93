//! The stage: the pressure solver over the state, and the steps of a projection.

use std::sync::Arc;

use thalweg_columns::ColumnGrid;
use thalweg_compute::{Buffer, Dispatch, Executor, Recording};
use thalweg_pressure::device::{
    DeviceCollocated, DeviceHierarchy, DeviceOptions, DeviceSolver, DeviceStaggered, DeviceStop, Method, SolverOptions,
    plane,
};
use thalweg_pressure::{Discretisation, Fields, HierarchyOptions, Sweeps};

use super::{Mask, MaskParams, SurfaceParams, SurfaceRhs, SurfaceSamples, SurfaceUpdate};
use crate::error::Result;
use crate::setup::{Options, Setup};
use crate::solver::stages::advect::{AIR, AdvectParams};
use crate::solver::stages::bodies::FloatingBodies;
use crate::solver::stages::samples::SampleBuffers;
use crate::solver::stages::{Step, extents};
use crate::solver::state::{ColumnFields, State};

/// The matrix of the pressure solve. Without tall cells both discretisations have the same one on the finest level, and
/// the levels of the symmetric form are the better ones.
fn matrix(options: &Options) -> Discretisation {
    if options.band.is_some() { options.discretisation } else { Discretisation::Galerkin }
}

/// How a matrix is solved. The collocated one is not symmetric, so that conjugate gradients are void: the published
/// cycles take their place, one full and then V(2,2), each as long as makes the residual least. By themselves they
/// diverge in lakes over random ground.
fn solver_options(matrix: Discretisation, iterations: usize) -> SolverOptions {
    match matrix {
        Discretisation::Galerkin => SolverOptions { iterations, ..Default::default() },
        Discretisation::Collocated => SolverOptions {
            method: Method::MinimalResidual { full: 1 },
            sweeps: Sweeps { before: 2, after: 2 },
            iterations,
            ..Default::default()
        },
    }
}

/// The stage with its memory.
#[derive(Debug)]
pub(crate) struct Projection {
    solver: DeviceSolver,
    rhs: Buffer<f32>,
}

impl Projection {
    /// The solver on the columns at the start, and the velocities that belong to its matrix.
    pub(in crate::solver) fn new(
        exec: &Arc<Executor>,
        (grid, fields): (&ColumnGrid, &Fields<f32>),
        setup: &Setup<'_>,
        is_moving: bool,
    ) -> Result<(Self, DeviceStaggered)> {
        let discretisation = matrix(&setup.options);
        let hierarchy = HierarchyOptions { border_sweeps: 0, discretisation, ..Default::default() };
        let options = DeviceOptions { hierarchy, remeshed: setup.options.band.is_some(), ..Default::default() };
        let hierarchy = DeviceHierarchy::new(exec, grid, fields, options)?;
        let staggered = DeviceStaggered::new(exec, &hierarchy, setup.cell, is_moving)?;
        let options = solver_options(discretisation, setup.options.iterations);
        let solver = DeviceSolver::new(exec, hierarchy, options)?;
        Ok((Self { solver, rhs: exec.buffer("tall.rhs", setup.shape.len())? }, staggered))
    }

    /// The pressure solver.
    pub(crate) fn solver(&self) -> &DeviceSolver {
        &self.solver
    }

    pub(in crate::solver) fn levels(&self) -> &DeviceHierarchy {
        self.solver.hierarchy()
    }

    /// The right-hand side.
    pub(in crate::solver) fn rhs(&self) -> &Buffer<f32> {
        &self.rhs
    }

    /// Planes of the levels' cells, and where the diagonals of the finest begin: 0 where there is no unknown.
    pub(in crate::solver) fn diagonals(&self) -> (&Buffer<f32>, usize) {
        (self.levels().cells(), plane::DIAGONAL * self.levels().samples())
    }

    /// Records the matrix on the columns and solids as they are, and the faces that belong to it.
    pub(crate) fn adopt(&self, rec: &mut Recording<'_>, s: &State) -> Result<()> {
        let levels = self.levels();
        levels.adopt(rec, &s.now.heights, &s.now.phi, &s.solid, &s.open)?;
        levels.rebuild(rec)?;
        Ok(s.staggered.refresh(rec, levels)?)
    }

    /// Records the matrix, and the start of the solve: the last pressure, cleared where there is no unknown any more.
    pub(in crate::solver) fn assemble(&self, rec: &mut Recording<'_>, s: &State) -> Result<()> {
        self.adopt(rec, s)?;
        let ((cells, diagonal_at), len) = (self.diagonals(), s.shape.len());
        let mask = MaskParams { len: len as u32, diagonal_at: diagonal_at as u32 };
        Ok(rec.run(&Mask { cells, q: &s.now.q }, &mask, Dispatch::Elements(len))?)
    }

    /// Records the right-hand side: what flows out of cells. Collocated velocities make faces first.
    pub(in crate::solver) fn divergence(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        let ColumnFields { heights, faces, inner, samples, .. } = &s.now;
        let Some(samples) = samples else {
            return Ok(s.staggered.rhs(rec, self.levels(), faces, inner, &self.rhs)?);
        };
        let buffers = SampleBuffers { cells: self.diagonals(), samples, centres: &s.centres };
        let columns = AdvectParams::new(s, &step.options, step.moment.dt, AIR);
        buffers.mean_faces(rec, heights, [faces, inner], &columns)?;
        Ok(DeviceCollocated { faces: &s.staggered }.rhs(rec, self.levels(), samples, &self.rhs)?)
    }

    /// Records what gravity and the acceleration of the domain add to the right-hand side.
    pub(in crate::solver) fn add_gravity(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        let ColumnFields { heights, phi, .. } = &s.now;
        let (levels, aperture) = (self.levels(), s.aperture());
        let (matrix, cells) = (levels.matrix(), levels.cells());
        let kernel = SurfaceRhs { heights, phi, matrix, aperture, cells, b: &self.rhs };
        Ok(rec.run(&kernel, &self.params(s, step), Dispatch::Elements(s.shape.len()))?)
    }

    /// Records the pressure, and what it does to bodies.
    pub(in crate::solver) fn solve(
        &mut self,
        rec: &mut Recording<'_>,
        s: &State,
        bodies: &FloatingBodies,
        step: &Step,
    ) -> Result<()> {
        let q = &s.now.q;
        let stop = DeviceStop { residual: 0.0, relative: step.options.tolerance, iterations: step.iterations };
        if bodies.count() == 0 {
            self.solver.solve(rec, &self.rhs, q, stop)?;
            return Ok(());
        }
        let coupling = bodies.coupling(s, step);
        self.solver.solve_with(rec, &self.rhs, q, stop, Some(&coupling))?;
        Ok(coupling.respond(rec, self.levels(), q, s.staggered.solids())?)
    }

    /// Records `u − ∇q`, with the surface's part of it, and cuts velocities off where they run away.
    pub(in crate::solver) fn subtract_gradient(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        let (levels, params, len) = (self.levels(), self.params(s, step), s.shape.len());
        let ColumnFields { heights, phi, faces, inner, q, samples } = &s.now;
        let (matrix, aperture) = (levels.matrix(), s.aperture());
        if let Some(samples) = samples {
            DeviceCollocated { faces: &s.staggered }.update(rec, levels, q, samples)?;
            let kernel =
                SurfaceSamples { heights, phi, matrix, aperture, cells: levels.cells(), b: &self.rhs, samples };
            rec.run(&kernel, &params, Dispatch::Elements(len))?;
        }
        s.staggered.update(rec, levels, q, faces, inner)?;
        let kernel = SurfaceUpdate { heights, phi, matrix, aperture, faces, inner };
        Ok(rec.run(&kernel, &params, Dispatch::Elements(3 * len))?)
    }

    fn params(&self, s: &State, step: &Step) -> SurfaceParams {
        let ([nx, nz, samples], dt) = (extents(s.shape), step.moment.dt);
        SurfaceParams {
            nx,
            nz,
            samples,
            diagonal_at: self.diagonals().1 as u32,
            weight: step.weight(s.cell),
            level: s.level,
            per_cell: (1.0 / s.cell) as f32,
            aside_x: (step.acceleration[0] * dt * s.cell) as f32,
            aside_z: (step.acceleration[1] * dt * s.cell) as f32,
            fastest: step.fastest as f32,
            collocated: u32::from(s.now.samples.is_some()),
        }
    }
}
