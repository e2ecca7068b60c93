use std::ops::Range;

use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_solids::vector::{dot, plus, zip};

use super::{LambdaSlices, ShiftSlices, SmoothSlices, VelocitySlices};
use crate::constants::extent;
use crate::constants::{APART, SAME_PLACE};
use crate::grid::Grid;
use crate::kernel::{missing_poly6, poly6_factor, spiky_factor};
use crate::params::StepParams;
use crate::predict::slowed;
use crate::state::CHUNK;
use crate::tile::{LANES, Lane, Tile, sum};
use crate::walls::{drift_of, held, plane_of, wall};

/// The particles of a chunk.
fn range(chunk: usize, len: usize) -> Range<usize> {
    chunk * CHUNK..chunk * CHUNK + len
}

pub(super) fn lambda(p: &StepParams, s: LambdaSlices<'_>) {
    let grid = Grid::new(p, s.extent, s.starts, s.cells);
    let (places, planes) = (&s.places[..grid.count], s.planes);
    let to = s.with_lambda[..grid.count].par_chunks_mut(CHUNK).zip(s.density[..grid.count].par_chunks_mut(CHUNK));
    to.enumerate().for_each_init(Tile::default, |tile, (chunk, (with_lambda, density))| {
        lambdas(p, grid, chunk * CHUNK, [places, planes], tile, with_lambda, density);
    });
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn lambdas(
    p: &StepParams,
    grid: Grid<'_>,
    first: usize,
    [places, planes]: [&[[f32; 4]]; 2],
    tile: &mut Tile<3>,
    with_lambda: &mut [[f32; 4]],
    density: &mut [f32],
) {
    let per_h2 = 1.0 / (p.radius * p.radius);
    let (poly6, spiky) = (p.volume * poly6_factor(p.radius), p.volume * spiky_factor(p.radius));
    for (cell, own) in grid.by_cell(first..first + with_lambda.len()) {
        tile.gather(&grid, (cell, own.clone()), p.radius, |n| [places[n][0], places[n][1], places[n][2]]);
        for n in own {
            let [x, y, z, _] = places[n];
            let mut sums = [0.0; LANES];
            for [xs, ys, zs] in tile.vectors() {
                for l in 0..LANES {
                    let (dx, dy, dz) = (x - xs[l], y - ys[l], z - zs[l]);
                    let t = (1.0 - (dx * dx + dy * dy + dz * dz) * per_h2).max(0.0);
                    sums[l] += t * t * t;
                }
            }
            let wall = wall(p, plane_of(p, planes, n), [x, y, z], missing_poly6);
            let found = poly6 * sum(sums) + wall.share;
            let excess = found - 1.0;
            let lambda = if excess > 0.0 {
                let (of_sum, squares) = spiky_sums(p, tile, [x, y, z]);
                let all = zip(of_sum, wall.gradient, |g, wall| wall - spiky * g);
                -excess / (spiky * spiky * squares + dot(all, all) + p.softness)
            } else {
                0.0
            };
            with_lambda[n - first] = [x, y, z, lambda];
            density[n - first] = found;
        }
    }
}

/// Σ (1 − q)² r̂ and Σ (1 − q)⁴ over all but the particle itself.
#[inline(always)]
fn spiky_sums(p: &StepParams, tile: &Tile<3>, [x, y, z]: [f32; 3]) -> ([f32; 3], f32) {
    let (per_h, least) = (1.0 / p.radius, SAME_PLACE * p.radius * p.radius);
    let (mut sums, mut squares): ([Lane; 3], Lane) = ([[0.0; LANES]; 3], [0.0; LANES]);
    for [xs, ys, zs] in tile.vectors() {
        for l in 0..LANES {
            let (dx, dy, dz) = (x - xs[l], y - ys[l], z - zs[l]);
            let r2 = dx * dx + dy * dy + dz * dz;
            let r = r2.max(least).sqrt();
            let t = (1.0 - r * per_h).max(0.0);
            let t2 = if r2 > least { t * t } else { 0.0 };
            let s = t2 / r;
            sums[0][l] += s * dx;
            sums[1][l] += s * dy;
            sums[2][l] += s * dz;
            squares[l] += t2 * t2;
        }
    }
    (sums.map(sum), sum(squares))
}

pub(super) fn shift(p: &StepParams, s: ShiftSlices<'_>) {
    let grid = Grid::new(p, s.extent, s.starts, s.cells);
    let places = &s.with_lambda[..grid.count];
    let to = s.shifted[..grid.count].par_chunks_mut(CHUNK).enumerate();
    to.for_each_init(Tile::default, |tile, (chunk, shifted)| {
        shifts(p, grid, range(chunk, shifted.len()), places, tile, shifted);
        for (n, place) in range(chunk, shifted.len()).zip(shifted) {
            let [x, y, z, lambda] = s.with_lambda[n];
            let plane = plane_of(p, s.planes, n);
            let wall = wall(p, plane, [x, y, z], missing_poly6);
            let [u, v, w, _] = *place;
            let moved = plus([u, v, w], wall.gradient.map(|g| lambda * g)).map(|d| p.relaxation * d);
            let length = dot(moved, moved).sqrt();
            let less = if length > 0.1 * p.radius { 0.1 * p.radius / length } else { 1.0 };
            let to = zip([x, y, z], moved, |x, d| x + less * d);
            let drift = drift_of(p, s.drifts, n).map(|v| v * p.dt);
            let [x0, y0, z0, _] = s.origins[n];
            let [x, y, z] = held(p, plane, drift, [x0, y0, z0], to);
            *place = [x, y, z, 0.0];
        }
    });
}

/// Σ (λ_i + λ_j + s_ij) G_ij.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn shifts(
    p: &StepParams,
    grid: Grid<'_>,
    range: Range<usize>,
    places: &[[f32; 4]],
    tile: &mut Tile<4>,
    shifted: &mut [[f32; 4]],
) {
    let first = range.start;
    let (per_h, per_h2, least) = (1.0 / p.radius, 1.0 / (p.radius * p.radius), SAME_PLACE * p.radius * p.radius);
    let spiky = p.volume * spiky_factor(p.radius);
    let (per_apart, tension) = (1.0 / (1.0 - APART * APART), p.tension);
    for (cell, own) in grid.by_cell(range) {
        tile.gather(&grid, (cell, own.clone()), p.radius, |n| places[n]);
        for n in own {
            let [x, y, z, lambda] = places[n];
            let mut sums = [[0.0; LANES]; 3];
            for [xs, ys, zs, lambdas] in tile.vectors() {
                for l in 0..LANES {
                    let (dx, dy, dz) = (x - xs[l], y - ys[l], z - zs[l]);
                    let r2 = dx * dx + dy * dy + dz * dz;
                    let r = r2.max(least).sqrt();
                    let t = (1.0 - r * per_h).max(0.0);
                    // (W(r)/W(Δq))⁴
                    let near = (1.0 - r2 * per_h2).max(0.0) * per_apart;
                    let near3 = near * near * near;
                    let near6 = near3 * near3;
                    let s = (lambda + lambdas[l] - tension * (near6 * near6)) * (t * t) / r;
                    sums[0][l] += s * dx;
                    sums[1][l] += s * dy;
                    sums[2][l] += s * dz;
                }
            }
            let [u, v, w] = sums.map(|lane| -spiky * sum(lane));
            shifted[n - first] = [u, v, w, 0.0];
        }
    }
}

pub(super) fn velocity(p: &StepParams, s: VelocitySlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let from = s.origins[..count].par_iter().zip(&s.places[..count]).zip(&s.density[..count]);
    s.motions[..count].par_iter_mut().zip(from).with_min_len(CHUNK).for_each(|(motion, ((from, to), density))| {
        let [u, v, w] = slowed(p, [0, 1, 2].map(|axis| (to[axis] - from[axis]) * p.per_dt));
        *motion = [u, v, w, p.volume / density.max(0.1)];
    });
}

pub(super) fn smooth(p: &StepParams, s: SmoothSlices<'_>) {
    let grid = Grid::new(p, s.extent, s.starts, s.cells);
    let (places, motions) = (&s.places[..grid.count], &s.motions[..grid.count]);
    let to = s.smoothed[..grid.count].par_chunks_mut(CHUNK).enumerate();
    to.for_each_init(Tile::default, |tile, (chunk, smoothed)| {
        smoothes(p, grid, range(chunk, smoothed.len()), places, motions, tile, smoothed);
    });
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn smoothes(
    p: &StepParams,
    grid: Grid<'_>,
    range: Range<usize>,
    places: &[[f32; 4]],
    motions: &[[f32; 4]],
    tile: &mut Tile<7>,
    smoothed: &mut [[f32; 4]],
) {
    let first = range.start;
    let per_h2 = 1.0 / (p.radius * p.radius);
    let factor = p.smoothing * poly6_factor(p.radius);
    for (cell, own) in grid.by_cell(range) {
        tile.gather(&grid, (cell, own.clone()), p.radius, |n| {
            let ([x, y, z, _], [u, v, w, volume]) = (places[n], motions[n]);
            [x, y, z, u, v, w, volume]
        });
        for n in own {
            let ([x, y, z, _], [u, v, w, _]) = (places[n], motions[n]);
            let mut sums = [[0.0; LANES]; 3];
            for [xs, ys, zs, us, vs, ws, volumes] in tile.vectors() {
                for l in 0..LANES {
                    let (dx, dy, dz) = (x - xs[l], y - ys[l], z - zs[l]);
                    let t = (1.0 - (dx * dx + dy * dy + dz * dz) * per_h2).max(0.0);
                    let weight = volumes[l] * (t * t * t);
                    sums[0][l] += weight * (us[l] - u);
                    sums[1][l] += weight * (vs[l] - v);
                    sums[2][l] += weight * (ws[l] - w);
                }
            }
            let [du, dv, dw] = sums.map(|lane| factor * sum(lane));
            smoothed[n - first] = [u + du, v + dv, w + dw, 0.0];
        }
    }
}
