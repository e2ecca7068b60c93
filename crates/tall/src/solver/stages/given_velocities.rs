//! Velocities from outside: how water moves at the start, and flows that carry the surface alone.

use rayon::prelude::*;
use thalweg_columns::grid::world_cell;
use thalweg_columns::interpolate::SideSpan;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Executor, Recording};

use super::{Stages, Step};
use crate::error::Result;
use crate::solver::state::State;

/// Velocity `[u_x, u_y, u_z]` in m/s at a point in m from the corner of the domain, y up.
pub type VelocityField<'a> = &'a (dyn Fn([f64; 3]) -> [f64; 3] + Sync);

impl State {
    /// Puts velocities on all faces, of air as well; the largest component, m/s.
    pub(crate) fn set_velocities(&self, exec: &Executor, velocity: VelocityField<'_>) -> Result<f32> {
        let heights = exec.read(&self.now.heights)?;
        let [faces, inner] = sampled(self.shape, &heights, self.cell, velocity);
        if let Some(samples) = &self.now.samples {
            exec.write(samples, 0, &at_samples(self.shape, &heights, self.cell, velocity))?;
        }
        exec.write(&self.now.faces, 0, &faces)?;
        exec.write(&self.now.inner, 0, &inner)?;
        Ok(faces.iter().chain(&inner).fold(0.0_f32, |fastest, u| fastest.max(u.abs())))
    }
}

impl Stages {
    /// Records that velocities become free of divergence, in a step in which next to no time passes. What stopped the
    /// water at the walls is no pressure to go on from.
    pub(crate) fn make_free_of_divergence(&mut self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        self.project(rec, s, step)?;
        Ok(rec.clear(&s.now.q)?)
    }
}

impl Stages {
    /// Records that the surface moves by itself, with the velocities as they are, and columns after it.
    pub(crate) fn record_surface_alone(&mut self, rec: &mut Recording<'_>, s: &mut State, step: &Step) -> Result<()> {
        rec.stage("reinitialise");
        self.surface.restore(rec, s, step)?;
        rec.stage("level set");
        self.surface.advect(rec, s, step)?;
        rec.stage("remesh");
        self.follow_surface(rec, s)?;
        // The next distances ask which faces of the new columns are open.
        if self.remesh.is_active() { self.projection.adopt(rec, s) } else { Ok(()) }
    }
}

/// Velocities of faces and the lower ends of the lines inside tall cells. Sides of the domain are at rest.
fn sampled(shape: Shape, heights: &[Heights], cell: f64, velocity: VelocityField<'_>) -> [Vec<f32>; 2] {
    let (nx, n, columns) = (shape.nx, shape.samples(), shape.columns());
    let at = |plane: usize, cells: [f64; 3]| velocity(cells.map(|c| c * cell))[plane] as f32;
    let middle = |column: usize| [(column % nx) as f64 + 0.5, (column / nx) as f64 + 0.5];
    let mut faces = vec![0.0; 3 * shape.len()];
    faces.par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (plane, column) = (index / columns, index % columns);
        let ([x, z], own) = (middle(column), heights[column]);
        let other = match plane {
            0 if !column.is_multiple_of(nx) => column - 1,
            2 if column >= nx => column - nx,
            1 => {
                for (entry, v) in line.iter_mut().enumerate() {
                    let face = if entry == 0 { own[1] + n as i32 - 2 } else { world_cell(own, entry) };
                    *v = at(1, [x, f64::from(face), z]);
                }
                return;
            }
            _ => return,
        };
        let span = SideSpan::new(heights[other], own, n);
        let [x, z] = if plane == 0 { [x - 0.5, z] } else { [x, z - 0.5] };
        for (entry, u) in line.iter_mut().enumerate().filter(|(entry, _)| span.has(*entry)) {
            *u = at(plane, [x, f64::from(span.cell_of(entry)) + 0.5, z]);
        }
    });
    let lower_end = |(column, own): (usize, &Heights)| {
        let [x, z] = middle(column);
        at(1, [x, f64::from(own[0] + 1), z])
    };
    [faces, heights.iter().enumerate().map(lower_end).collect()]
}

/// Velocities at the samples, three planes.
fn at_samples(shape: Shape, heights: &[Heights], cell: f64, velocity: VelocityField<'_>) -> Vec<f32> {
    let (nx, n, columns) = (shape.nx, shape.samples(), shape.columns());
    let mut planes = vec![0.0; 3 * shape.len()];
    planes.par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (axis, column) = (index / columns, index % columns);
        for (sample, u) in line.iter_mut().enumerate() {
            let cells = [column % nx, column / nx].map(|c| c as f64 + 0.5);
            let y = f64::from(world_cell(heights[column], sample)) + 0.5;
            *u = velocity([cells[0] * cell, y * cell, cells[1] * cell])[axis] as f32;
        }
    });
    planes
}
