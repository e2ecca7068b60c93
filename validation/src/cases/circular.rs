//! A round dam breaks: does the grid show?

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};
use thalweg_shallow::{InitialCell, Setup};

use crate::height_field::{HeightField, Spot, Uniform};
use crate::rig::{ORDERS, Run, center, largest, last_fall, options};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "circular-dam-break",
    about: "A round dam breaks onto a tenth of its depth: the bore stays round, mirror images stay equal",
    source: "symmetry; set-up after Toro 2001, 13.3",
    run,
};

pub(super) const CELLS: u32 = 200;
pub(super) const CELL: f64 = 0.2;
/// Half the domain, m.
pub(super) const HALF: f64 = 0.5 * CELL * CELLS as f64;
const RADIUS: f64 = 5.0;
const INSIDE: f64 = 1.0;
const OUTSIDE: f64 = 0.1;
pub(super) const TIME: f64 = 2.5;

/// Depth at the start of a cell around a place from the middle, m. Cells cut by the dam hold their share of it, so that
/// the dam itself is round.
pub(super) fn depth([x, z]: [f64; 2], cell: f64) -> f64 {
    let samples = (0..64).map(|s| [f64::from(s % 8), f64::from(s / 8)].map(|v| ((v + 0.5) / 8.0 - 0.5) * cell));
    let inside = samples.filter(|[a, b]| (x + a).hypot(z + b) < RADIUS);
    OUTSIDE + inside.count() as f64 / 64.0 * (INSIDE - OUTSIDE)
}

/// Distances from the middle along a ray, m.
fn radii() -> impl Iterator<Item = f64> {
    (0..360).map(|n| 0.25 * CELL * f64::from(n))
}

/// Angles of rays, rad; the last one is half way between an axis and a diagonal.
fn angles() -> impl Iterator<Item = f64> {
    (0..72).map(|n| 5.0 * f64::from(n)).chain([22.5]).map(f64::to_radians)
}

/// Places along all rays, from the low corner.
pub(super) fn places() -> Vec<[f64; 2]> {
    angles().flat_map(|a| radii().map(move |r| [HALF + r * a.cos(), HALF + r * a.sin()])).collect()
}

/// Depths along all rays over the distance, of water with gauges at [`places`].
fn rays(water: &mut dyn HeightField) -> Result<Vec<Vec<[f64; 2]>>> {
    let read = water.gauges()?;
    Ok(read.chunks_exact(360).map(|ray| radii().zip(ray).map(|(r, &h)| [r, h]).collect()).collect())
}

/// Largest over smallest radius of the bore.
fn roundness(rays: &[Vec<[f64; 2]>]) -> Result<f64> {
    let radii = rays.iter().map(|ray| last_fall(ray, 0.2)).collect::<Result<Vec<f64>>>()?;
    Ok(radii.iter().copied().fold(0.0, f64::max) / radii.iter().copied().fold(f64::INFINITY, f64::min))
}

/// Largest difference between depths of mirror images, m; `n` cells of the smallest size lie along the domain.
fn difference(spots: &[Spot], n: usize) -> f64 {
    let mut depth = vec![f64::NAN; n * n];
    let cell = 2.0 * HALF / n as f64;
    for spot in spots {
        let across = (spot.size / cell).round() as usize;
        let [i, k] = spot.at.map(|x| ((x - 0.5 * spot.size) / cell).round() as usize);
        (0..across).for_each(|row| depth[i + n * (k + row)..][..across].fill(spot.depth));
    }
    let at = |i: usize, k: usize| depth[i + n * k];
    let images = |i: usize, k: usize| [at(n - 1 - i, k), at(i, n - 1 - k), at(k, i)];
    let cells = (0..n).flat_map(|k| (0..n).map(move |i| (i, k)));
    largest(cells.flat_map(|(i, k)| images(i, k).map(|image| image - at(i, k))))
}

/// How round the bore stays.
pub(super) struct Round {
    rays: Vec<Vec<[f64; 2]>>,
    /// Largest over smallest radius.
    pub(super) radii: f64,
    /// Between mirror images, m.
    pub(super) difference: f64,
}

/// What is allowed of both.
pub(super) const LIMITS: [f64; 2] = [1.03, 1e-6];

/// Lets the dam break, in water with gauges at [`places`] and `n` finest cells along the domain.
pub(super) fn spread(water: &mut dyn HeightField, n: u32) -> Result<Round> {
    water.to(TIME)?;
    let rays = rays(water)?;
    Ok(Round { radii: roundness(&rays)?, difference: difference(&water.spots()?, n as usize), rays })
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut drift = 0.0f64;
    let initial = |i: u32, k: u32| {
        let surface = depth([i, k].map(|n| center(n, CELL) - HALF), CELL);
        InitialCell { surface, ..Default::default() }
    };
    for (name, order) in ORDERS {
        let mut setup = Setup::new(CELLS, CELLS, CELL, &initial);
        setup.options = options(order);
        let mut water = Uniform::new(Run::new(exec, setup)?, &places(), &[])?;
        let found = spread(&mut water, CELLS)?;
        drift = drift.max(water.drift()?);
        let [radii, apart] = LIMITS.map(Limit::AtMost);
        out.ratio(format!("largest over smallest radius, {name}"), found.radii, radii);
        out.measure(format!("difference of mirror images, {name}"), found.difference, apart, "m");
        out.charts.push(
            Chart::new(format!("Circular dam break, {name}, after 2.5 s"))
                .axes("radius (m)", "depth (m)")
                .with(Series::new("along an axis", found.rays[0].clone()))
                .with(Series::new("along a diagonal", found.rays[9].clone()))
                .with(Series::new("at 22.5°", found.rays[72].clone())),
        );
    }
    out.mass(drift);
    Ok(out)
}
