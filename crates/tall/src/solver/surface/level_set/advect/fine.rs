//! The level set on the fine lattice follows the velocities of the columns.

use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_columns::around::columns_around;
use thalweg_columns::grid::world_cell;
use thalweg_columns::interpolate::{cell_at, level_set as level_set_at, sample_pair};

use super::FineLevelSetSlices;
use super::cubic::cubic_level_set;
use crate::solver::stages::advect::{AdvectParams, FaceField, Field, Point, trace};
use crate::solver::surface::level_set::fine::{FineGrid, fine_heights};

/// The level set before the step: `phi` that of the columns.
#[derive(Clone, Copy)]
struct Before<'a> {
    grid: FineGrid,
    fine: &'a [f32],
    phi: &'a [f32],
}

/// Between the centres of fine cells (at integers) and those of cells, along an axis with so many fine cells in a cell.
#[inline(always)]
fn to_cells(ratio: f32, fine: f32) -> f32 {
    (fine - (0.5 * ratio - 0.5)) / ratio
}

#[inline(always)]
fn to_fine(ratio: f32, cells: f32) -> f32 {
    cells * ratio + (0.5 * ratio - 0.5)
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn fine_column(p: &AdvectParams, field: FaceField<'_>, before: Before<'_>, own: usize, out: &mut [f32]) {
    let Before { grid, fine, phi } = before;
    let (shape, n) = (grid.shape(), out.len());
    let column = grid.coarse_column(own);
    let heights = field.heights[column];
    let line = &phi[column * n / 2..][..n / 2];
    let ratio = [grid.ratio[0] as f32, 2.0, grid.ratio[1] as f32];
    for (sample, out) in out.iter_mut().enumerate() {
        let value = fine[own * n + sample];
        *out = value;
        let y = world_cell(fine_heights(heights), sample);
        // Fine values end at half the distance: whether the surface can get here in a step the level set of the columns
        // knows.
        if value.abs() >= p.band && cell_at(line, heights, y >> 1).abs() >= p.band {
            continue;
        }
        let place = [(own % shape.nx) as f32, y as f32, (own / shape.nx) as f32];
        let here: Point = std::array::from_fn(|axis| to_cells(ratio[axis], place[axis]));
        let from = trace(field.shape, here, -p.cells_per_speed, field.at(here), &field);
        let point: Point = std::array::from_fn(|axis| to_fine(ratio[axis], from[axis]));
        let value = |column: usize| {
            let heights = fine_heights(field.heights[grid.coarse_column(column)]);
            level_set_at(&fine[column * n..][..n], sample_pair(heights, n, point[1]))
        };
        *out = columns_around(shape, point).iter().map(|(column, weight)| weight * value(*column)).sum();
        let heights = |column: usize| fine_heights(field.heights[grid.coarse_column(column)]);
        if out.abs() < p.sharp
            && let Some(better) = cubic_level_set(shape, heights, fine, point)
        {
            *out = better;
        }
    }
}

pub(super) fn fine_level_set(p: &AdvectParams, s: FineLevelSetSlices<'_>) {
    let shape = p.shape();
    let field = FaceField { shape, heights: s.heights, faces: s.faces, inner: s.inner };
    let before = Before { grid: FineGrid::new(shape), fine: s.source, phi: s.phi };
    let columns = s.moved.par_chunks_mut(2 * shape.samples()).enumerate();
    columns.for_each(|(column, out)| fine_column(p, field, before, column, out));
}
