use std::ops::Range;

use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_solids::vector::{dot, plus, zip};

use super::{AccelerateSlices, FactorsSlices, JudgeSlices, PushSlices, RateSlices, TravelSlices, WarmSlices, solve};
use crate::constants::{FEW_NEIGHBOURS, LEAST_SQUARES, NEAR, SAME_PLACE, extent, factor};
use crate::grid::Grid;
use crate::kernel::{cubic, cubic_factor, cubic_slope, missing_cubic};
use crate::params::StepParams;
use crate::predict::slowed;
use crate::state::CHUNK;
use crate::tile::{LANES, Lane, Tile, sum};
use crate::walls::{drift_of, held, let_go, plane_of, wall};

fn range(chunk: usize, len: usize) -> Range<usize> {
    chunk * CHUNK..chunk * CHUNK + len
}

pub(super) fn factors(p: &StepParams, s: FactorsSlices<'_>) {
    let grid = Grid::new(p, s.extent, s.starts, s.cells);
    let places = &s.places[..grid.count];
    let to = s.factors[..grid.count].par_chunks_mut(CHUNK).zip(s.density[..grid.count].par_chunks_mut(CHUNK));
    to.enumerate().for_each_init(Tile::default, |tile, (chunk, (factors, density))| {
        lattice_factors(p, grid, range(chunk, factors.len()), places, tile, factors);
        for ((n, words), density) in range(chunk, factors.len()).zip(factors).zip(density) {
            let [gx, gy, gz, squares, found, near, ..] = *words;
            let [x, y, z, _] = s.places[n];
            let wall = wall(p, plane_of(p, s.planes, n), [x, y, z], missing_cubic);
            let all = plus([gx, gy, gz], wall.gradient);
            let least = LEAST_SQUARES / (p.radius * p.radius);
            let inner = near >= FEW_NEIGHBOURS as f32 || wall.share > 0.0 && near >= 0.5 * FEW_NEIGHBOURS as f32;
            words[factor::GRADIENT..][..3].copy_from_slice(&wall.gradient);
            words[factor::DRIFT] = dot(wall.gradient, drift_of(p, s.drifts, n));
            words[factor::DENSITY] = found + wall.share;
            words[factor::ALPHA] = 1.0 / (dot(all, all) + squares).max(least);
            words[factor::INNER] = if inner { 1.0 } else { 0.0 };
            words[7] = 0.0;
            *density = found + wall.share;
        }
    });
}

/// What the particles around give: ΣG, Σ|G|², V ΣW and the number of neighbours.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn lattice_factors(
    p: &StepParams,
    grid: Grid<'_>,
    range: Range<usize>,
    places: &[[f32; 4]],
    tile: &mut Tile<3>,
    factors: &mut [[f32; 8]],
) {
    let first = range.start;
    let (per_h, least) = (1.0 / p.radius, SAME_PLACE * p.radius * p.radius);
    let mass = p.volume * cubic_factor(p.radius);
    let slope = mass * per_h * per_h;
    for (cell, own) in grid.by_cell(range) {
        tile.gather(&grid, (cell, own.clone()), p.radius, |n| [places[n][0], places[n][1], places[n][2]]);
        for n in own {
            let [x, y, z, _] = places[n];
            let mut sums = [[0.0; LANES]; 3];
            let (mut squares, mut weights, mut near): (Lane, Lane, Lane) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
            for [xs, ys, zs] in tile.vectors() {
                for l in 0..LANES {
                    let (dx, dy, dz) = (x - xs[l], y - ys[l], z - zs[l]);
                    let r2 = dx * dx + dy * dy + dz * dz;
                    let q = r2.max(least).sqrt() * per_h;
                    let s = cubic_slope(q);
                    weights[l] += cubic(q);
                    sums[0][l] += s * dx;
                    sums[1][l] += s * dy;
                    sums[2][l] += s * dz;
                    squares[l] += s * s * r2.min(p.radius * p.radius);
                    near[l] += if q < NEAR { 1.0 } else { 0.0 };
                }
            }
            let [gx, gy, gz] = sums.map(|lane| slope * sum(lane));
            factors[n - first] =
                [gx, gy, gz, slope * slope * sum(squares), mass * sum(weights), sum(near) - 1.0, 0.0, 0.0];
        }
    }
}

pub(super) fn rate(p: &StepParams, s: RateSlices<'_>) {
    let grid = Grid::new(p, s.extent, s.starts, s.cells);
    let (places, motions) = (&s.places[..grid.count], &s.motions[..grid.count]);
    let to = s.with_kappa[..grid.count].par_chunks_mut(CHUNK).zip(s.errors.par_iter_mut());
    to.enumerate().for_each_init(Tile::default, |tile, (chunk, (with_kappa, error))| {
        rates(p, grid, range(chunk, with_kappa.len()), places, motions, tile, with_kappa);
        *error = 0.0;
        for (n, to) in range(chunk, with_kappa.len()).zip(with_kappa) {
            let ([u, v, w, _], words) = (motions[n], &s.factors[n]);
            let gradient = [words[0], words[1], words[2]];
            let rate = to[3] + dot(gradient, [u, v, w]) - words[factor::DRIFT];
            let (found, kappa) = if p.which == solve::DENSITY {
                let found = (words[factor::DENSITY] + p.dt * rate - 1.0).max(0.0);
                (found, found * p.per_dt * words[factor::ALPHA])
            } else {
                let found = rate.max(0.0) * words[factor::INNER];
                (found * p.dt, found * words[factor::ALPHA])
            };
            to[3] = kappa;
            *error += found;
        }
    });
}

/// ΣG_ij·(v_i − v_j), in the fourth number of the place.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn rates(
    p: &StepParams,
    grid: Grid<'_>,
    range: Range<usize>,
    places: &[[f32; 4]],
    motions: &[[f32; 4]],
    tile: &mut Tile<6>,
    rates: &mut [[f32; 4]],
) {
    let first = range.start;
    let (per_h, least) = (1.0 / p.radius, SAME_PLACE * p.radius * p.radius);
    let slope = p.volume * cubic_factor(p.radius) * per_h * per_h;
    for (cell, own) in grid.by_cell(range) {
        tile.gather(&grid, (cell, own.clone()), p.radius, |n| {
            let ([x, y, z, _], [u, v, w, _]) = (places[n], motions[n]);
            [x, y, z, u, v, w]
        });
        for n in own {
            let ([x, y, z, _], [u, v, w, _]) = (places[n], motions[n]);
            let mut sums = [0.0; LANES];
            for [xs, ys, zs, us, vs, ws] in tile.vectors() {
                for l in 0..LANES {
                    let (dx, dy, dz) = (x - xs[l], y - ys[l], z - zs[l]);
                    let q = (dx * dx + dy * dy + dz * dz).max(least).sqrt() * per_h;
                    let along = dx * (u - us[l]) + dy * (v - vs[l]) + dz * (w - ws[l]);
                    sums[l] += if q < 1.0 { cubic_slope(q) * along } else { 0.0 };
                }
            }
            rates[n - first] = [x, y, z, slope * sum(sums)];
        }
    }
}

pub(super) fn judge(p: &StepParams, s: JudgeSlices<'_>) {
    if s.extent[extent::SOLVE] == 0 {
        return;
    }
    let count = s.extent[extent::COUNT] as usize;
    let mean = s.errors[..count.div_ceil(CHUNK)].iter().sum::<f32>() / count.max(1) as f32;
    let report = &mut s.report[p.which as usize * crate::constants::solve::REPORT..];
    (report[0], report[1]) = (mean, p.iteration as f32);
    if p.iteration >= p.least && mean <= p.tolerance {
        s.extent[extent::SOLVE..][..3].fill(0);
    }
}

pub(super) fn push(p: &StepParams, s: PushSlices<'_>) {
    let grid = Grid::new(p, s.extent, s.starts, s.cells);
    let places = &s.with_kappa[..grid.count];
    let to = s.motions[..grid.count].par_chunks_mut(CHUNK).enumerate();
    to.for_each_init(Tile::default, |tile, (chunk, motions)| {
        let mut pushes = [[0.0; 3]; CHUNK];
        pushes_of(p, grid, range(chunk, motions.len()), places, tile, &mut pushes);
        for ((n, motion), push) in range(chunk, motions.len()).zip(motions).zip(pushes) {
            let ([x, y, z, kappa], words) = (s.with_kappa[n], &s.factors[n]);
            let pushed = [0, 1, 2].map(|axis| motion[axis] - (push[axis] + kappa * words[axis]));
            let (plane, drift) = (plane_of(p, s.planes, n), drift_of(p, s.drifts, n));
            motion[..3].copy_from_slice(&let_go(p, plane, drift, [x, y, z], pushed));
            if p.which == solve::DENSITY {
                motion[3] += kappa * p.dt;
            }
        }
    });
}

/// Σ(κ_i + κ_j) G_ij.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn pushes_of(
    p: &StepParams,
    grid: Grid<'_>,
    range: Range<usize>,
    places: &[[f32; 4]],
    tile: &mut Tile<4>,
    pushes: &mut [[f32; 3]; CHUNK],
) {
    let first = range.start;
    let (per_h, least) = (1.0 / p.radius, SAME_PLACE * p.radius * p.radius);
    let slope = p.volume * cubic_factor(p.radius) * per_h * per_h;
    for (cell, own) in grid.by_cell(range) {
        tile.gather(&grid, (cell, own.clone()), p.radius, |n| places[n]);
        for n in own {
            let [x, y, z, kappa] = places[n];
            let mut sums = [[0.0; LANES]; 3];
            for [xs, ys, zs, kappas] in tile.vectors() {
                for l in 0..LANES {
                    let (dx, dy, dz) = (x - xs[l], y - ys[l], z - zs[l]);
                    let q = (dx * dx + dy * dy + dz * dz).max(least).sqrt() * per_h;
                    let s = if q < 1.0 { cubic_slope(q) * (kappa + kappas[l]) } else { 0.0 };
                    sums[0][l] += s * dx;
                    sums[1][l] += s * dy;
                    sums[2][l] += s * dz;
                }
            }
            pushes[n - first] = sums.map(|lane| slope * sum(lane));
        }
    }
}

pub(super) fn warm(p: &StepParams, s: WarmSlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let to = s.with_kappa[..count].par_iter_mut().zip(&mut s.motions[..count]).zip(&s.places[..count]);
    to.with_min_len(CHUNK).for_each(|((to, motion), &[x, y, z, _])| {
        *to = [x, y, z, 0.5 * motion[3] * p.per_dt];
        motion[3] = 0.0;
    });
}

pub(super) fn accelerate(p: &StepParams, s: AccelerateSlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let gravity = [p.gravity_x, p.gravity_y, p.gravity_z];
    let to = s.motions[..count].par_iter_mut().zip(&s.places[..count]).enumerate();
    to.with_min_len(CHUNK).for_each(|(n, (motion, &[x, y, z, _]))| {
        let falling = [0, 1, 2].map(|axis| motion[axis] + p.dt * gravity[axis]);
        let (plane, drift) = (plane_of(p, s.planes, n), drift_of(p, s.drifts, n));
        motion[..3].copy_from_slice(&let_go(p, plane, drift, [x, y, z], falling));
    });
}

pub(super) fn travel(p: &StepParams, s: TravelSlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let to = s.places[..count].par_iter_mut().zip(&mut s.motions[..count]).enumerate();
    to.with_min_len(CHUNK).for_each(|(n, (place, motion))| {
        let (plane, drift) = (plane_of(p, s.planes, n), drift_of(p, s.drifts, n));
        let ([x, y, z, _], [u, v, w, kappa]) = (*place, *motion);
        let from = [x, y, z];
        let velocity = let_go(p, plane, drift, from, slowed(p, [u, v, w]));
        let to = zip(from, velocity, |x, v| x + p.dt * v);
        let [x, y, z] = held(p, plane, drift.map(|v| v * p.dt), from, to);
        *place = [x, y, z, 0.0];
        *motion = [velocity[0], velocity[1], velocity[2], kappa];
    });
}
