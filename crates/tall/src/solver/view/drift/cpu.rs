use rayon::prelude::*;
use thalweg_columns::Shape;
use thalweg_columns::grid::world_cell;

use super::{DriftParams, DriftSlices};
use crate::solver::view::columns::velocity_aside;

pub(super) fn drift(p: &DriftParams, s: DriftSlices<'_>) {
    let shape = Shape { nx: p.nx as usize, nz: p.nz as usize, regular: p.samples as usize - 2 };
    let n = shape.samples();
    s.velocity[..shape.columns()].par_iter_mut().enumerate().with_min_len(256).for_each(|(column, velocity)| {
        let line = &s.phi[column * n..][..n];
        *velocity = match line.iter().rposition(|phi| *phi < 0.0) {
            Some(highest) => velocity_aside(shape, s.heights, s.faces, column, world_cell(s.heights[column], highest)),
            None => [0.0; 2],
        };
    });
}
