//! A round dam breaks: does the grid show?

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};
use thalweg_shallow::{InitialCell, Setup};

use crate::rig::{ORDERS, Run, largest, last_fall, options};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "circular-dam-break",
    about: "A round dam breaks onto a tenth of its depth: the bore stays round, mirror images stay equal",
    source: "symmetry; set-up after Toro 2001, 13.3",
    run,
};

pub(super) const CELLS: u32 = 200;
pub(super) const CELL: f64 = 0.2;
const RADIUS: f64 = 5.0;
const INSIDE: f64 = 1.0;
const OUTSIDE: f64 = 0.1;
pub(super) const TIME: f64 = 2.5;

/// Depth at the start of a cell around a place from the middle, m. Cells cut by the dam hold their share of it, so that the dam itself is round.
pub(super) fn depth([x, z]: [f64; 2], cell: f64) -> f64 {
    let samples = (0..64).map(|s| [f64::from(s % 8), f64::from(s / 8)].map(|v| ((v + 0.5) / 8.0 - 0.5) * cell));
    let inside = samples.filter(|[a, b]| (x + a).hypot(z + b) < RADIUS);
    OUTSIDE + inside.count() as f64 / 64.0 * (INSIDE - OUTSIDE)
}

/// Depth at a place given in cells, bilinear.
fn bilinear(depth: &[f32], x: f64, z: f64) -> f64 {
    let n = CELLS as usize;
    let split = |v: f64| {
        let low = ((v - 0.5).max(0.0) as usize).min(n - 2);
        (low, v - 0.5 - low as f64)
    };
    let ((i, fx), (k, fz)) = (split(x), split(z));
    let at = |i: usize, k: usize| f64::from(depth[i + n * k]);
    (1.0 - fz) * ((1.0 - fx) * at(i, k) + fx * at(i + 1, k)) + fz * ((1.0 - fx) * at(i, k + 1) + fx * at(i + 1, k + 1))
}

/// Depth along a ray from the middle, over the distance in m.
fn ray(depth: &[f32], angle: f64) -> Vec<[f64; 2]> {
    let half = 0.5 * f64::from(CELLS);
    let along = (0..360).map(|n| 0.25 * f64::from(n));
    along.map(|r| [r * CELL, bilinear(depth, half + r * angle.cos(), half + r * angle.sin())]).collect()
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut drift = 0.0f64;
    let middle = 0.5 * f64::from(CELLS);
    let initial = |i: u32, k: u32| {
        let surface = depth([i, k].map(|n| (f64::from(n) + 0.5 - middle) * CELL), CELL);
        InitialCell { surface, ..Default::default() }
    };
    for ((name, order), asymmetry) in ORDERS.into_iter().zip([1e-6, 1e-6]) {
        let mut setup = Setup::new(CELLS, CELLS, CELL, &initial);
        setup.options = options(order);
        let mut run = Run::new(exec, setup)?;
        run.to(TIME)?;
        drift = drift.max(run.drift()?);
        let depth = run.fields()?.depth;
        let angles = (0..72).map(|n| f64::from(n) * 5.0f64.to_radians());
        let radii = angles.map(|a| last_fall(&ray(&depth, a), 0.2)).collect::<Result<Vec<f64>>>()?;
        let (low, high) = radii.iter().fold((f64::INFINITY, 0.0f64), |(l, h), &r| (l.min(r), h.max(r)));
        out.ratio(format!("largest over smallest radius, {name}"), high / low, Limit::AtMost(1.03));
        let n = CELLS as usize;
        let at = |i: usize, k: usize| f64::from(depth[i + n * k]);
        let images = |i: usize, k: usize| [at(n - 1 - i, k), at(i, n - 1 - k), at(k, i)];
        let cells = (0..n).flat_map(|k| (0..n).map(move |i| (i, k)));
        let worst = largest(cells.flat_map(|(i, k)| images(i, k).map(|image| image - at(i, k))));
        out.measure(format!("difference of mirror images, {name}"), worst, Limit::AtMost(asymmetry), "m");
        out.charts.push(
            Chart::new(format!("Circular dam break, {name}, after 2.5 s"))
                .axes("radius (m)", "depth (m)")
                .with(Series::new("along an axis", ray(&depth, 0.0)))
                .with(Series::new("along a diagonal", ray(&depth, 45.0f64.to_radians())))
                .with(Series::new("at 22.5°", ray(&depth, 22.5f64.to_radians()))),
        );
    }
    out.mass(drift);
    Ok(out)
}
