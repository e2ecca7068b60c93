//! How many cells a tree needs for the error of a uniform grid: a dam that lies across the cells breaks onto shallower water (Stoker 1957).
//!
//! Errors are those of means over cells, whatever their size, against means of the exact depth, in the middle of the domain, where no wall has been heard of.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use thalweg::compute::Executor;
use thalweg::shallow::tree::{CELLS, GroundPyramid, InitialWater, TILE, TreeSetup, TreeWater};
use thalweg::shallow::{InitialCell, Setup, ShallowError, ShallowWater};

use super::Row;

/// Size of the domain, m, and finest cells along it.
const SIZE: u32 = 512;
/// The middle that counts, m; whole cells of every grid.
const INNER: std::ops::Range<usize> = 128..384;
/// Depths before and behind the dam, m.
const DEPTHS: [f64; 2] = [1.0, 0.1];
/// When it is looked at, s: waves from the walls, no faster than 4.4 m/s, have not reached the middle.
const TIME: f64 = 28.0;
const FRAMES: u32 = 28;
const GRAVITY: f64 = 9.81;
const LEVELS: u32 = 5;
/// Bends of the surface that trees tolerate, m; those of the velocity are ten times as large, as they are by default.
const TOLERANCES: [f64; 3] = [0.04, 0.02, 0.01];
/// Points along a finest cell at which the exact depth is looked at.
const POINTS: usize = 4;

pub(super) fn rows(label: &str, threads: usize, exec: &Arc<Executor>) -> Result<Vec<Row>, ShallowError> {
    let exact = Exact::new();
    let mut rows = Vec::new();
    let mut add = |grid: String, found: &Found, equal: Option<f64>| {
        let row = json!({
            "executor": label, "threads": threads, "case": "cells for equal error", "order": "second", "grid": grid,
            "cells": found.cells, "error_l1": found.error, "time_ms": found.ms,
            "uniform_cells_for_equal_error": equal, "cells_saved": equal.map(|cells| cells / found.cells),
        });
        rows.extend(row.as_object().cloned());
    };
    let mut curve = Vec::new();
    for doublings in 0..3 {
        let found = uniform(exec, SIZE >> doublings, &exact)?;
        add(format!("uniform {}", SIZE >> doublings), &found, None);
        curve.push([found.error, found.cells]);
    }
    for tolerance in TOLERANCES {
        let found = tree(exec, tolerance, &exact)?;
        let equal = cells_for(found.error, &curve);
        add(format!("tree {SIZE}, {tolerance} m"), &found, Some(equal));
    }
    Ok(rows)
}

struct Found {
    /// In the mean over the run.
    cells: f64,
    error: f64,
    ms: f64,
}

/// Where the dam lies: along a line through the middle that no row of cells follows.
fn across([x, z]: [f64; 2]) -> f64 {
    let middle = 0.5 * f64::from(SIZE);
    0.8 * (x - middle) + 0.6 * (z - middle)
}

fn start(place: [f64; 2]) -> f64 {
    if across(place) < 0.0 { DEPTHS[0] } else { DEPTHS[1] }
}

/// Means of the exact depth over finest cells.
struct Exact(Vec<f64>);

impl Exact {
    fn new() -> Self {
        let n = SIZE as usize;
        let [plateau, speed, bore] = star();
        let [c, cm] = [DEPTHS[0], plateau].map(|h| (GRAVITY * h).sqrt());
        let depth = |place: [f64; 2]| match across(place) / TIME {
            s if s <= -c => DEPTHS[0],
            s if s <= speed - cm => (2.0 * c - s).powi(2) / (9.0 * GRAVITY),
            s if s <= bore => plateau,
            _ => DEPTHS[1],
        };
        let part = |n: usize, m: usize| n as f64 + (m as f64 + 0.5) / POINTS as f64;
        let mean = |at: usize| {
            let points = (0..POINTS * POINTS).map(|m| depth([part(at % n, m % POINTS), part(at / n, m / POINTS)]));
            points.sum::<f64>() / (POINTS * POINTS) as f64
        };
        Self((0..n * n).map(mean).collect())
    }

    /// Adds a cell's error and water, if it counts: its first finest cell, finest cells along it, its depth.
    fn compare(&self, [i, k]: [usize; 2], wide: usize, depth: f64, sums: &mut [f64; 2]) {
        if !INNER.contains(&i) || !INNER.contains(&k) {
            return;
        }
        let finest = (0..wide * wide).map(|n| self.0[i + n % wide + SIZE as usize * (k + n / wide)]);
        let exact: f64 = finest.sum();
        sums[0] += (depth * (wide * wide) as f64 - exact).abs();
        sums[1] += exact;
    }
}

/// Depth and speed of the water between the fan and the bore, and the speed of the bore.
fn star() -> [f64; 3] {
    let [left, right] = DEPTHS;
    // Speed behind the fan less that behind the bore: it falls with the depth.
    let fan = |h: f64| 2.0 * ((GRAVITY * left).sqrt() - (GRAVITY * h).sqrt());
    let bore = |h: f64| (h - right) * (0.5 * GRAVITY * (h + right) / (h * right)).sqrt();
    let (mut low, mut high) = (right, left);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if fan(middle) > bore(middle) { low = middle } else { high = middle }
    }
    let h = 0.5 * (low + high);
    [h, fan(h), h * fan(h) / (h - right)]
}

fn uniform(exec: &Arc<Executor>, n: u32, exact: &Exact) -> Result<Found, ShallowError> {
    let cell = f64::from(SIZE / n);
    let initial = |i: u32, k: u32| {
        let surface = mean_start([i, k].map(|n| f64::from(n) * cell), cell);
        InitialCell { bed: 0.0, surface, velocity: [0.0; 2] }
    };
    let mut water = ShallowWater::new(Arc::clone(exec), Setup::new(n, n, cell, &initial))?;
    let began = Instant::now();
    for _ in 0..FRAMES {
        water.advance(TIME / f64::from(FRAMES))?;
    }
    water.settle()?;
    let ms = began.elapsed().as_secs_f64() * 1e3;
    let (wide, mut sums) = ((SIZE / n) as usize, [0.0; 2]);
    for (at, &depth) in water.fields()?.depth.iter().enumerate() {
        let place = [at % n as usize, at / n as usize].map(|n| n * wide);
        exact.compare(place, wide, f64::from(depth), &mut sums);
    }
    Ok(Found { cells: f64::from(n * n), error: sums[0] / sums[1], ms })
}

/// Mean of the depth at the start over a cell: the dam cuts cells, and grids shall not differ in the water that they begin with.
fn mean_start([x, z]: [f64; 2], cell: f64) -> f64 {
    let at = |n: usize| (n as f64 + 0.5) * cell / 8.0;
    (0..64).map(|n| start([x + at(n % 8), z + at(n / 8)])).sum::<f64>() / 64.0
}

fn tree(exec: &Arc<Executor>, tolerance: f64, exact: &Exact) -> Result<Found, ShallowError> {
    let ground = Arc::new(GroundPyramid::new([SIZE; 2], LEVELS, |_, _| 0.0));
    // Tiles grow until cells at the dam are the finest: those are what is cut.
    let initial =
        |[x, z]: [f64; 2], _: f64| InitialWater { surface: mean_start([x - 0.5, z - 0.5], 1.0), velocity: [0.0; 2] };
    let mut setup = TreeSetup::new([SIZE; 2], 1.0, LEVELS, ground, &initial);
    setup.refinement.surface = tolerance;
    setup.refinement.speed = 10.0 * tolerance;
    let mut water = TreeWater::new(Arc::clone(exec), setup)?;
    let count = |water: &mut TreeWater| -> Result<f64, ShallowError> {
        Ok(water.census()?.iter().map(|[tiles, _]| (tiles * CELLS) as f64).sum())
    };
    let (mut cells, mut seconds) = (0.5 * count(&mut water)?, 0.0);
    for frame in 0..FRAMES {
        let began = Instant::now();
        water.advance(TIME / f64::from(FRAMES))?;
        water.settle()?;
        seconds += began.elapsed().as_secs_f64();
        cells += count(&mut water)? * if frame + 1 == FRAMES { 0.5 } else { 1.0 };
    }
    let mut sums = [0.0; 2];
    for tile in water.fields()? {
        let wide = tile.cell.round() as usize;
        for (at, &depth) in tile.depth.iter().enumerate() {
            let first = [at % TILE, at / TILE].map(|n| n * wide);
            let place = [0, 1].map(|axis| tile.origin[axis].round() as usize + first[axis]);
            exact.compare(place, wide, f64::from(depth), &mut sums);
        }
    }
    Ok(Found { cells: cells / f64::from(FRAMES), error: sums[0] / sums[1], ms: seconds * 1e3 })
}

/// Cells of the uniform grid that would have an error: on the line, in logarithms, through the two that are nearest to it.
fn cells_for(error: f64, curve: &[[f64; 2]]) -> f64 {
    let first = curve.windows(2).position(|pair| error <= pair[1][0]).unwrap_or(curve.len() - 2);
    let [[e0, n0], [e1, n1]] = [curve[first], curve[first + 1]];
    let part = (error / e0).ln() / (e1 / e0).ln();
    n0 * (n1 / n0).powf(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plateau_is_that_of_stoker() {
        let [depth, speed, bore] = star();
        assert!((depth - 0.3962).abs() < 1e-4 && (speed - 2.321).abs() < 1e-3 && (bore * 6.0 - 18.63).abs() < 0.01);
    }

    #[test]
    fn equal_errors_are_found_between_grids() {
        let curve = [[1e-3, 1600.0], [2e-3, 400.0], [4e-3, 100.0]];
        for (error, cells) in [(1e-3, 1600.0), (2e-3, 400.0), (2e-3 * 2f64.sqrt(), 200.0), (5e-4, 6400.0), (8e-3, 25.0)]
        {
            assert!((cells_for(error, &curve) / cells - 1.0).abs() < 1e-9, "{error}");
        }
    }
}
