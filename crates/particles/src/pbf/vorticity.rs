//! Bodies of the kernels of vorticity confinement on the processor.

use std::ops::Range;

use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_solids::vector::{cross, length};

use super::{ConfineSlices, CurlSlices};
use crate::constants::{CALM, SAME_PLACE};
use crate::grid::Grid;
use crate::kernel::spiky_factor;
use crate::params::StepParams;
use crate::state::CHUNK;
use crate::tile::{LANES, Tile, sum};

pub(super) fn curl(p: &StepParams, s: CurlSlices<'_>) {
    let grid = Grid::new(p, s.extent, s.starts, s.cells);
    let (places, motions) = (&s.places[..grid.count], &s.motions[..grid.count]);
    let to = s.curls[..grid.count].par_chunks_mut(CHUNK).enumerate();
    to.for_each_init(Tile::default, |tile, (chunk, curls)| {
        curls_of(p, grid, chunk * CHUNK..chunk * CHUNK + curls.len(), places, motions, tile, curls);
    });
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn curls_of(
    p: &StepParams,
    grid: Grid<'_>,
    range: Range<usize>,
    places: &[[f32; 4]],
    motions: &[[f32; 4]],
    tile: &mut Tile<7>,
    curls: &mut [[f32; 4]],
) {
    let first = range.start;
    let (per_h, least) = (1.0 / p.radius, SAME_PLACE * p.radius * p.radius);
    let spiky = spiky_factor(p.radius);
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
                    let r = (dx * dx + dy * dy + dz * dz).max(least).sqrt();
                    let t = (1.0 - r * per_h).max(0.0);
                    let s = -volumes[l] * (t * t) / r;
                    let (du, dv, dw) = (us[l] - u, vs[l] - v, ws[l] - w);
                    sums[0][l] += s * (dv * dz - dw * dy);
                    sums[1][l] += s * (dw * dx - du * dz);
                    sums[2][l] += s * (du * dy - dv * dx);
                }
            }
            let [a, b, c] = sums.map(|lane| spiky * sum(lane));
            curls[n - first] = [a, b, c, length([a, b, c])];
        }
    }
}

pub(super) fn confine(p: &StepParams, s: ConfineSlices<'_>) {
    let grid = Grid::new(p, s.extent, s.starts, s.cells);
    let numbers = [&s.places[..grid.count], &s.motions[..grid.count], &s.curls[..grid.count]];
    let to = s.confined[..grid.count].par_chunks_mut(CHUNK).enumerate();
    to.for_each_init(Tile::default, |tile, (chunk, confined)| {
        let range = chunk * CHUNK..chunk * CHUNK + confined.len();
        let mut slopes = [[0.0; 3]; CHUNK];
        slopes_of(p, grid, range.clone(), numbers, tile, &mut slopes);
        for ((n, motion), slope) in range.zip(confined).zip(slopes) {
            let size = length(slope);
            if size < CALM {
                continue;
            }
            let [a, b, c, _] = s.curls[n];
            let force = cross(slope.map(|v| v / size), [a, b, c]);
            for axis in 0..3 {
                motion[axis] += p.dt * p.vorticity * force[axis];
            }
        }
    });
}

/// ∇|ω| = Σ (m/ρ_j) (|ω_j| − |ω_i|) ∇W_ij.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn slopes_of(
    p: &StepParams,
    grid: Grid<'_>,
    range: Range<usize>,
    [places, motions, curls]: [&[[f32; 4]]; 3],
    tile: &mut Tile<5>,
    slopes: &mut [[f32; 3]; CHUNK],
) {
    let first = range.start;
    let (per_h, least) = (1.0 / p.radius, SAME_PLACE * p.radius * p.radius);
    let spiky = spiky_factor(p.radius);
    for (cell, own) in grid.by_cell(range) {
        tile.gather(&grid, (cell, own.clone()), p.radius, |n| {
            [places[n][0], places[n][1], places[n][2], motions[n][3], curls[n][3]]
        });
        for n in own {
            let ([x, y, z, _], size) = (places[n], curls[n][3]);
            let mut sums = [[0.0; LANES]; 3];
            for [xs, ys, zs, volumes, sizes] in tile.vectors() {
                for l in 0..LANES {
                    let (dx, dy, dz) = (x - xs[l], y - ys[l], z - zs[l]);
                    let r = (dx * dx + dy * dy + dz * dz).max(least).sqrt();
                    let t = (1.0 - r * per_h).max(0.0);
                    let s = -volumes[l] * (sizes[l] - size) * (t * t) / r;
                    sums[0][l] += s * dx;
                    sums[1][l] += s * dy;
                    sums[2][l] += s * dz;
                }
            }
            slopes[n - first] = sums.map(|lane| spiky * sum(lane));
        }
    }
}
