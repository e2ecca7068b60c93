//! A reduced system on an executor: what comes before a solve, the solve, and what comes after.

use std::sync::Arc;

use thalweg_columns::Heights;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, Result, WORKGROUP, fold};
use thalweg_pressure::Report;
use thalweg_pressure::device::flag;
use thalweg_pressure::parts::device::{
    Advance, Balance, Control, ControlParams, Dots, PARTIALS, Search, VectorParams, reduction_groups, report_of,
    scalar, slot,
};

use super::BandError;
use super::cycle::DeviceCycle;
use super::faces::{FacesParams, Rhs, Update};
use super::matrix::{DeviceMatrix, rounded};
use super::rows::{ADD, BLEND, MultiplyDot, Relax, Residual, RowsParams, SET};
use crate::narrow_band::grid::{FaceField, FineGrid, FineSystem, Projected};
use crate::narrow_band::multigrid::coarsenings;
use crate::narrow_band::reduced::Reduced;
use crate::narrow_band::smooth::{damping, outside};

/// A [`Reduced`] system with its fine grid in the memory of one executor, and the vectors of a solve.
///
/// In one recording: [`Self::rhs`], [`Self::solve`], [`Self::smooth`], [`Self::update`]. Nothing is read back on the
/// way.
#[derive(Debug)]
pub struct DeviceReduced {
    unknowns: usize,
    spacing: f64,
    omega: f32,
    pub(super) faces: FacesParams,
    iterations: usize,
    geometry: Geometry,
    /// The fine matrix and the weights of sweeps: `1/D` outside the band, 0 inside.
    fine: DeviceMatrix,
    outside: Buffer<f32>,
    /// From reduced to fine unknowns, its transpose, and the warm start.
    pub(super) p: DeviceMatrix,
    p_transposed: DeviceMatrix,
    sampling: DeviceMatrix,
    pub(super) matrix: Arc<DeviceMatrix>,
    /// Sums of its rows.
    pub(super) row_sum: Buffer<f32>,
    pub(super) cycle: DeviceCycle,
    pub(super) vectors: Vectors,
    columns: NoColumns,
}

/// Faces and cells of the fine grid.
#[derive(Debug)]
struct Geometry {
    cell_of_unknown: Buffer<u32>,
    unknown_of_cell: Buffer<u32>,
    open: Buffer<f32>,
    slope: Buffer<f32>,
}

#[derive(Debug)]
pub(super) struct Vectors {
    velocity: Buffer<f32>,
    /// Fine right-hand side and pressure, and the other end of a sweep.
    b: Buffer<f32>,
    pressure: Buffer<f32>,
    swept: Buffer<f32>,
    /// Reduced right-hand side and unknowns.
    pub(super) rhs: Buffer<f32>,
    pub(super) x: Buffer<f32>,
    direction: Buffer<f32>,
    q: Buffer<f32>,
    partials: Buffer<f32>,
    /// Scalars, then the history of residuals.
    scalars: Buffer<f32>,
    pub(super) extents: Buffer<u32>,
    args: Buffer<u32>,
}

/// What the kernels of the outer iteration bind and do not read: only water without a surface needs
/// columns and diagonals.
#[derive(Debug)]
struct NoColumns {
    heights: Buffer<Heights>,
    marks: Buffer<u32>,
    cells: Buffer<f32>,
}

impl DeviceReduced {
    /// Hands a system over, each number rounded once, with room for solves of this many iterations. The velocity is
    /// zero, and so is the pressure.
    pub fn new(
        exec: &Executor,
        grid: &FineGrid,
        system: &FineSystem<f64>,
        reduced: &Reduced<f64>,
        iterations: usize,
    ) -> Result<Self, BandError> {
        if reduced.homes.is_some() {
            return Err(BandError::HostOnly { what: "Losasso's form" });
        }
        let Reduced { band, basis, matrix, kinds, .. } = reduced;
        let (fine, n) = (system.unknowns(), band.unknowns());
        let steps = coarsenings(grid, system, band, matrix, kinds);
        let on_executor = Arc::new(DeviceMatrix::new(exec, "matrix", matrix)?);
        let cycle = DeviceCycle::new(exec, matrix, &on_executor, &steps, grid.dimensions())?;
        let row_sums: Vec<f64> = (0..n).map(|r| matrix.row(r).map(|(_, v)| v).sum()).collect();
        let groups = reduction_groups(n) as u32;
        let faces = FacesParams::new(grid, fine, groups);
        let mut weights = vec![0.0_f32; fine];
        let diagonal = system.matrix.diagonal();
        outside(grid, system, band).iter().for_each(|i| weights[*i as usize] = diagonal[*i as usize].recip() as f32);
        let mut marks = [0; flag::COUNT];
        marks[flag::TOUCHES_AIR] = 1;
        let extents = extents(&cycle.unknowns(), groups)?;
        Ok(Self {
            unknowns: n,
            spacing: grid.spacing(),
            omega: damping(grid.dimensions()) as f32,
            faces,
            iterations,
            geometry: Geometry {
                cell_of_unknown: exec.buffer_from("band.cell_of_unknown", &system.cell_of_unknown)?,
                unknown_of_cell: exec.buffer_from("band.unknown_of_cell", &system.unknown_of_cell)?,
                open: exec.buffer_from("band.open", &flat(grid.open()))?,
                slope: exec.buffer_from("band.slope", &flat(&grid.slopes(system)))?,
            },
            fine: DeviceMatrix::new(exec, "fine", &system.matrix)?,
            outside: exec.buffer_from("band.outside", &weights)?,
            p: DeviceMatrix::new(exec, "p", &basis.p)?,
            p_transposed: DeviceMatrix::new(exec, "p_transposed", &basis.p.transpose())?,
            sampling: DeviceMatrix::new(exec, "sampling", &basis.sampling(grid, system, band))?,
            matrix: on_executor,
            row_sum: exec.buffer_from("band.row_sum", &rounded(&row_sums))?,
            cycle,
            vectors: Vectors {
                velocity: exec.buffer("band.velocity", faces.faces())?,
                b: exec.buffer("band.b", fine)?,
                pressure: exec.buffer("band.pressure", fine)?,
                swept: exec.buffer("band.swept", fine)?,
                rhs: exec.buffer("band.rhs", n)?,
                x: exec.buffer("band.x", n)?,
                direction: exec.buffer("band.direction", n)?,
                q: exec.buffer("band.q", n)?,
                partials: exec.buffer("band.partials", slot::COUNT * PARTIALS)?,
                scalars: exec.buffer("band.scalars", scalar::COUNT + iterations + 1)?,
                args: exec.buffer("band.args", extents.len())?,
                extents: exec.buffer_from("band.extents", &extents)?,
            },
            columns: NoColumns {
                heights: exec.buffer("band.no_heights", 1)?,
                marks: exec.buffer_from("band.no_marks", &marks)?,
                cells: exec.buffer("band.no_cells", 1)?,
            },
        })
    }

    /// Unknowns of each level, finest first.
    pub fn levels(&self) -> Vec<usize> {
        self.cycle.unknowns()
    }

    /// Velocity, m/s: x-faces, y-faces, z-faces, each as in [`FaceField`].
    pub fn velocity(&self) -> &Buffer<f32> {
        &self.vectors.velocity
    }

    /// Pressure, Pa, one number per fine unknown: start and result of a solve.
    pub fn pressure(&self) -> &Buffer<f32> {
        &self.vectors.pressure
    }

    /// Right-hand side, Pa, one number per fine unknown.
    pub fn right_hand_side(&self) -> &Buffer<f32> {
        &self.vectors.b
    }

    /// Sets the velocity.
    pub fn set_velocity(&self, exec: &Executor, u: &FaceField) -> Result<()> {
        exec.write(self.velocity(), 0, &flat(u))
    }

    /// Reads the velocity; waits for all submitted work.
    pub fn read_velocity(&self, exec: &Executor, u: &mut FaceField) -> Result<()> {
        let words = exec.read(self.velocity())?;
        u.iter_mut().flatten().zip(words).for_each(|(u, word)| *u = f64::from(word));
        Ok(())
    }

    /// Records the right-hand side of the present velocity, as [`FineGrid::rhs`].
    pub fn rhs(&self, rec: &mut Recording<'_>, how: Projected) -> Result<()> {
        let scale = (-how.density * self.spacing / how.dt) as f32;
        let Geometry { cell_of_unknown, open, .. } = &self.geometry;
        let Vectors { velocity: u, b, partials, .. } = &self.vectors;
        let groups = Dispatch::Groups([self.faces.groups, 1, 1]);
        rec.run(&Rhs { cell_of_unknown, open, u, b, partials }, &FacesParams { scale, ..self.faces }, groups)
    }

    /// Records a solve for that right-hand side, from the present pressure. It stops when the largest residual is
    /// `relative` times the largest right-hand side of the fine grid, or after the iterations there is room for.
    pub fn solve(&self, rec: &mut Recording<'_>, relative: f32) -> Result<()> {
        let Vectors { b, pressure, rhs, x, direction, q, partials, scalars, extents, args, .. } = &self.vectors;
        let NoColumns { heights, marks, cells } = &self.columns;
        let DeviceMatrix { row_start, columns, values, .. } = &*self.matrix;
        let row_sum = &self.row_sum;
        let (r, z) = (self.cycle.r(), self.cycle.z());
        let rows = Dispatch::Elements(self.unknowns);
        self.p_transposed.product(rec, b, rhs, SET, rows)?;
        self.sampling.product(rec, pressure, x, SET, rows)?;

        let groups = self.faces.groups;
        let all = Dispatch::Groups([groups, 1, 1]);
        let vector = |first: bool| {
            let (len, first) = (self.unknowns as u32, u32::from(first));
            VectorParams { len, samples: 1, total: 0, groups, first }
        };
        let params = RowsParams { rows: self.unknowns as u32, groups, mode: SET, omega: 1.0 };
        let kernels = extents.len() as u32 / 3;
        let control = ControlParams { groups, kernels, capacity: self.iterations as u32 + 1, bound: 0.0, relative };
        let once = Dispatch::Groups([1, 1, 1]);
        rec.run(&Balance { heights, marks, cells, b: rhs, partials, scalars }, &vector(true), all)?;
        rec.run(&Residual { row_start, columns, values, row_sum, x, partials, b: rhs, r }, &params, all)?;
        rec.run(&Control { partials, extents, scalars, args }, &control, once)?;
        let switched = Dispatch::Indirect(args, extents.len() - 3);
        for iteration in 0..self.iterations {
            let p = vector(iteration == 0);
            self.cycle.record(rec, args)?;
            rec.run(&Dots { heights, scalars, r, q, z, partials }, &p, switched)?;
            rec.run(&Search { cells, partials, scalars, z, direction }, &p, switched)?;
            let multiply = MultiplyDot { row_start, columns, values, row_sum, x: direction, partials, y: q };
            rec.run(&multiply, &params, switched)?;
            rec.run(&Advance { direction, q, partials, scalars, x, r }, &p, switched)?;
            rec.run(&Control { partials, extents, scalars, args }, &control, once)?;
        }
        self.p.product(rec, x, pressure, BLEND, Dispatch::Elements(self.p.rows))
    }

    /// Records damped Jacobi sweeps on the cells of coarse blocks, as [`Reduced::smooth`].
    pub fn smooth(&self, rec: &mut Recording<'_>, sweeps: usize) -> Result<()> {
        let Vectors { b, pressure, swept, .. } = &self.vectors;
        let DeviceMatrix { row_start, columns, values, rows } = &self.fine;
        let (params, weight) = (self.fine.params(ADD, self.omega), &self.outside);
        let mut ends = [pressure, swept];
        for _ in 0..sweeps {
            let [x, relaxed] = ends;
            let sweep = Relax { row_start, columns, values, x, b, relaxed, weight };
            rec.run(&sweep, &params, Dispatch::Elements(*rows))?;
            ends.reverse();
        }
        if sweeps.is_multiple_of(2) { Ok(()) } else { rec.copy(swept, pressure) }
    }

    /// Records the velocity update of the present pressure, as [`FineGrid::update`].
    pub fn update(&self, rec: &mut Recording<'_>, how: Projected) -> Result<()> {
        let scale = (how.dt / (how.density * self.spacing)) as f32;
        let Geometry { unknown_of_cell, open, slope, .. } = &self.geometry;
        let Vectors { velocity: u, pressure, .. } = &self.vectors;
        let update = Update { unknown_of_cell, open, slope, pressure, u };
        rec.run(&update, &FacesParams { scale, ..self.faces }, Dispatch::Elements(self.faces.faces()))
    }

    /// Reads the course of the last submitted solve; waits for it. There are no times in it.
    pub fn report(&self, exec: &Executor) -> Result<Report> {
        Ok(report_of(&exec.read(&self.vectors.scalars)?))
    }
}

/// Workgroups of everything that a solve can switch off: one triple for the rows of every level, one for reductions.
fn extents(unknowns: &[usize], groups: u32) -> Result<Vec<u32>> {
    let mut extents = Vec::new();
    for rows in unknowns {
        let groups = rows.div_ceil(WORKGROUP as usize) as u64;
        let kernel = || "labs.band_relax".into();
        extents.extend(fold(groups).ok_or_else(|| ComputeError::TooManyGroups { kernel: kernel(), groups })?);
    }
    extents.extend([groups, 1, 1]);
    Ok(extents)
}

/// Faces behind each other, in f32.
fn flat(field: &FaceField) -> Vec<f32> {
    field.iter().flat_map(|faces| rounded(faces)).collect()
}
