//! A field at the middles of cubic cells, for pictures of a cut; on the host.

use std::ops::Range;

use rayon::prelude::*;
use thalweg_columns::interpolate::{level_set, sample_pair};
use thalweg_compute::Later;

use crate::error::{Result, TallError};
use crate::solver::view::View;
use crate::solver::view::mesh::CellVelocities;
use crate::solver::view::pressures::Pressures;
use crate::water::TallWater;

/// What a cut shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutField {
    /// Speed, m/s.
    Speed,
    /// Pressure over the density of water, Pa per kg/m³; 0 before the first step.
    Pressure,
    /// Divergence of the velocity, 1/s: what the projection has left. In cells that solids cut it is that of their
    /// whole faces.
    Divergence,
    /// Distance to the surface, m, negative in water.
    LevelSet,
}

/// Values at the lowest cells of columns, and the least and the largest in water.
pub type Cut = (Vec<f32>, [f32; 2]);

impl TallWater {
    /// Values at the lowest `ny` cells of every column of some rows `k`, `j + ny (i + nx k)`, other rows 0; and the
    /// least and the largest in water.
    pub fn cut_later(&self, field: CutField, ny: usize, rows: Range<usize>) -> Result<Later<Cut, TallError>> {
        let View { exec, state: s, .. } = self.view();
        let (faces, inner) = (exec.read_async(&s.now.faces)?, exec.read_async(&s.now.inner)?);
        let (pressures, cell) = (self.pressures_later()?, s.cell as f32);
        Ok(Later::new(move || Ok(cut(&pressures.wait()?, (&faces.wait()?, &inner.wait()?), cell, field, (ny, rows)))))
    }
}

fn cut(
    pressures: &Pressures,
    (faces, inner): (&[f32], &[f32]),
    cell: f32,
    field: CutField,
    (ny, rows): (usize, Range<usize>),
) -> Cut {
    let (shape, heights, phi) = (pressures.shape, &pressures.heights[..], &pressures.phi[..]);
    let velocities = CellVelocities { shape, heights, faces, inner };
    let n = shape.samples();
    let wet = |column: usize, y: i32| level_set(&phi[column * n..][..n], sample_pair(heights[column], n, y as f32));
    let value = |column: usize, y: i32| match field {
        CutField::Speed => velocities.at(column, y).into_iter().map(|u| u * u).sum::<f32>().sqrt(),
        CutField::Pressure => pressures.of_cell(column, y).map_or(0.0, |p| p as f32),
        CutField::Divergence => velocities.outflow(column, y) / cell,
        CutField::LevelSet => wet(column, y) * cell,
    };
    let mut values = vec![0.0; shape.columns() * ny];
    let row = shape.nx * ny;
    let first = rows.start * row;
    let asked = &mut values[first..(rows.end * row).max(first)];
    let ends = asked.par_chunks_mut(ny).enumerate().map(|(at, line)| {
        let column = rows.start * shape.nx + at;
        let mut ends = [f32::INFINITY, f32::NEG_INFINITY];
        for (y, slot) in line.iter_mut().enumerate() {
            *slot = value(column, y as i32);
            // A cell that the surface cuts has faces in the air, whose flow is made up.
            if wet(column, y as i32) < -0.5 && y as i32 >= heights[column][0] {
                ends = [ends[0].min(*slot), ends[1].max(*slot)];
            }
        }
        ends
    });
    let wider = |a: [f32; 2], b: [f32; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    let ends = ends.reduce(|| [f32::INFINITY, f32::NEG_INFINITY], wider);
    (values, if ends[0] <= ends[1] { ends } else { [0.0, 0.0] })
}
