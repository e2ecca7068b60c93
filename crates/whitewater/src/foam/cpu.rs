use rayon::prelude::*;
use thalweg_columns::Shape;
use thalweg_columns::around::columns_around;

use super::{FoamMapSlices, FoamParams};
use crate::constants::COVERED;
use crate::constants::event::DEPOSITS;

pub(super) fn foam_map(p: &FoamParams, s: FoamMapSlices<'_>) {
    let shape = Shape { nx: p.nx as usize, nz: p.nz as usize, regular: p.samples as usize - 2 };
    let n = shape.samples();
    s.moved[..shape.columns()].par_iter_mut().with_min_len(256).enumerate().for_each(|(column, moved)| {
        let Some(highest) = (column * n..(column + 1) * n).rev().find(|at| s.phi[*at] < 0.0) else {
            *moved = 0.0;
            return;
        };
        let [u, _, w, _] = s.velocity[highest];
        let [i, k] = [column % shape.nx, column / shape.nx].map(|c| c as f32);
        let from = [i - p.cells_per_speed * u, 0.0, k - p.cells_per_speed * w];
        let carried: f32 = columns_around(shape, from).into_iter().map(|(at, share)| share * s.foam[at]).sum();
        let landed = s.events[DEPOSITS + column] as f32 / COVERED;
        *moved = (carried * p.keeps + landed).min(1.0);
    });
}
