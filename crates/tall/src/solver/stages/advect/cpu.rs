use std::array::from_fn;

use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_columns::grid::{is_tall, world_cell};
use thalweg_columns::{Heights, Shape};

pub(super) use super::between::{centre, increment};
use super::sample::{Centres, Field, Point, Vector};
use super::{AdvectParams, AdvectSlices, CorrectSlices};

/// A trace is cut into at most so many pieces.
const PIECES: f32 = 8.0;

/// Follows a field of velocities, `u` at the beginning, for `cells` (cells per m/s, negative to go back) from a point,
/// in midpoint steps of at most one cell.
#[inline(always)]
pub(crate) fn trace(shape: Shape, from: Point, cells: f32, u: Vector, field: &impl Field) -> Point {
    let sides = |p: Point| [p[0].clamp(-0.5, shape.nx as f32 - 0.5), p[1], p[2].clamp(-0.5, shape.nz as f32 - 0.5)];
    let (mut point, mut u) = (from, u);
    let fastest = u[0].abs().max(u[1].abs()).max(u[2].abs());
    let pieces = (fastest * cells.abs()).ceil().clamp(1.0, PIECES);
    let step = cells / pieces;
    for piece in 0..pieces as u32 {
        if piece > 0 {
            u = field.at(point);
        }
        let middle = sides(from_fn(|c| point[c] + 0.5 * step * u[c]));
        let u = field.at(middle);
        point = sides(from_fn(|c| point[c] + step * u[c]));
    }
    point
}

/// Where the samples of a column lie.
#[inline(always)]
pub(crate) fn places(shape: Shape, heights: &[Heights], column: usize) -> impl Fn(usize) -> Point + use<> {
    let ([x, z], own) = ([column % shape.nx, column / shape.nx].map(|n| n as f32), heights[column]);
    move |sample| [x, world_cell(own, sample) as f32, z]
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn advect_column(
    p: &AdvectParams,
    field: Centres<'_>,
    phi: &[f32],
    column: usize,
    hat: &mut [Vector],
    departures: &mut [Vector],
) {
    let (shape, n) = (field.shape, field.shape.samples());
    let place = places(shape, field.heights, column);
    for sample in 0..n {
        let at = column * n + sample;
        let here = place(sample);
        if phi[at] > p.band {
            hat[sample] = field.values[at];
            departures[sample] = [here[0], here[1], here[2], 0.0];
            continue;
        }
        let u = field.at_sample(column, sample, here);
        let from = trace(shape, here, -p.cells_per_speed, u, &field);
        let is_end = sample < 2 && is_tall(field.heights[column]);
        hat[sample] = if is_end { field.of_lines(from) } else { field.at(from) };
        departures[sample] = [from[0], from[1], from[2], 0.0];
    }
}

pub(super) fn advect(p: &AdvectParams, s: AdvectSlices<'_>) {
    let shape = p.shape();
    let n = shape.samples();
    let field = Centres { shape, heights: s.heights, values: s.centres };
    let columns = s.hat.par_chunks_mut(n).zip(s.departures.par_chunks_mut(n)).enumerate();
    columns.for_each(|(column, (hat, departures))| advect_column(p, field, s.phi, column, hat, departures));
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn correct_column(
    p: &AdvectParams,
    field: Centres<'_>,
    hats: Centres<'_>,
    phi: &[f32],
    column: usize,
    out: &mut [Vector],
) {
    let (shape, n) = (field.shape, field.shape.samples());
    let place = places(shape, field.heights, column);
    let tall = is_tall(field.heights[column]);
    for (sample, out) in out.iter_mut().enumerate() {
        let at = column * n + sample;
        let (hat, old) = (hats.values[at], field.values[at]);
        let mut change: Vector = from_fn(|c| hat[c] - old[c]);
        // Only inside the water, and not at the ends of tall cells.
        if phi[at] < 0.0 && !(tall && sample < 2) {
            let here = place(sample);
            let u = field.at_sample(column, sample, here);
            let forth = hats.at(trace(shape, here, p.cells_per_speed, u, &field));
            let [low, high] = field.range([out[0], out[1], out[2]]);
            for c in 0..3 {
                let better = hat[c] + 0.5 * (old[c] - forth[c]);
                if better >= low[c] && better <= high[c] {
                    change[c] = better - old[c];
                }
            }
        }
        *out = change;
    }
}

pub(super) fn correct(p: &AdvectParams, s: CorrectSlices<'_>) {
    let shape = p.shape();
    let field = Centres { shape, heights: s.heights, values: s.centres };
    let hats = Centres { shape, heights: s.heights, values: s.hat };
    let columns = s.departures.par_chunks_mut(shape.samples()).enumerate();
    columns.for_each(|(column, out)| correct_column(p, field, hats, s.phi, column, out));
}
