use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_columns::around::columns_around;
use thalweg_columns::interpolate::{level_set as level_set_at, sample_pair};

use super::LevelSetSlices;
use super::cubic::cubic_level_set;
use crate::solver::stages::advect::{AdvectParams, FaceField, Field, places, trace};

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn level_set_column(p: &AdvectParams, field: FaceField<'_>, phi: &[f32], column: usize, out: &mut [f32]) {
    let (shape, n) = (field.shape, field.shape.samples());
    let place = places(shape, field.heights, column);
    for (sample, out) in out.iter_mut().enumerate() {
        let own = phi[column * n + sample];
        *out = own;
        if own.abs() >= p.band {
            continue;
        }
        let here = place(sample);
        let point = trace(shape, here, -p.cells_per_speed, field.at(here), &field);
        let value =
            |column: usize| level_set_at(&phi[column * n..][..n], sample_pair(field.heights[column], n, point[1]));
        *out = columns_around(shape, point).iter().map(|(column, weight)| weight * value(*column)).sum();
        if out.abs() < p.sharp
            && let Some(better) = cubic_level_set(shape, |column| field.heights[column], phi, point)
        {
            *out = better;
        }
    }
}

pub(super) fn level_set(p: &AdvectParams, s: LevelSetSlices<'_>) {
    let shape = p.shape();
    let field = FaceField { shape, heights: s.heights, faces: s.faces, inner: s.inner };
    let columns = s.moved.par_chunks_mut(shape.samples()).enumerate();
    columns.for_each(|(column, out)| level_set_column(p, field, s.source, column, out));
}
