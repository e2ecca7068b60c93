//! Water that swings in a bowl (Thacker 1981): a moving shoreline all around.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_shallow::{Fields, InitialCell, Order, Setup};

use crate::data::{Curve, table};
use crate::height_field::{HeightField, Spot, Uniform};
use crate::rig::{GRAVITY, Run, is_software, largest, options, orders, slope};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const PLANAR: Case = Case {
    name: "thacker-planar",
    about: "A plane surface swings around a bowl for four periods: period, noise of the surface, swing that is left",
    source: "exact: Thacker 1981, parameters of Delestre et al. 2013 (SWASHES) 4.2.2",
    run: planar,
};

pub(crate) const RADIAL: Case = Case {
    name: "thacker-radial",
    about: "A round mound rises and falls in a bowl: depth during the first period, period over four",
    source: "exact: Thacker 1981, parameters of Delestre et al. 2013 (SWASHES) 4.2.2",
    run: radial,
};

/// Depth of the bowl and its radius at the still level, m.
pub(super) const H0: f64 = 0.1;
pub(super) const A: f64 = 1.0;
/// Half the domain, m.
pub(super) const HALF: f64 = 1.6;
const CELLS: u32 = 128;
const CELL: f64 = 2.0 * HALF / CELLS as f64;

pub(super) fn bed(x: f64, z: f64) -> f64 {
    -H0 * (1.0 - (x * x + z * z) / (A * A))
}

/// Middle of a cell, from the bowl's axis.
fn place(i: u32, k: u32) -> [f64; 2] {
    [i, k].map(|n| (f64::from(n) + 0.5) * CELL - HALF)
}

/// Cells with their places and depths.
fn cells(depth: &[f32]) -> impl Iterator<Item = ([f64; 2], f64)> {
    depth.iter().enumerate().map(|(n, &h)| (place(n as u32 % CELLS, n as u32 / CELLS), f64::from(h)))
}

fn bowl(exec: &Arc<Executor>, order: Order, water: &(dyn Fn(f64, f64) -> (f64, [f64; 2]) + Sync)) -> Result<Run> {
    let initial = |i: u32, k: u32| {
        let [x, z] = place(i, k);
        let (surface, velocity) = water(x, z);
        InitialCell { bed: bed(x, z), surface, velocity }
    };
    let mut setup = Setup::new(CELLS, CELLS, CELL, &initial);
    setup.options = options(order);
    Run::new(exec, setup)
}

/// Surface and velocity of a plane that swings around the bowl, at a place from its axis.
pub(super) fn plane(time: f64, [x, z]: [f64; 2]) -> (f64, [f64; 2]) {
    let omega = TAU / turn();
    let (sin, cos) = (omega * time).sin_cos();
    (SWING * H0 / (A * A) * (2.0 * x * cos + 2.0 * z * sin - SWING), [-SWING * omega * sin, SWING * omega * cos])
}

/// Distance of its middle from the axis, m.
pub(super) const SWING: f64 = 0.5;

/// Its period, s.
pub(super) fn turn() -> f64 {
    TAU * A / (2.0 * GRAVITY * H0).sqrt()
}

/// What a plane that swings did.
pub(super) struct Swing {
    /// Relative error of the period.
    pub(super) period: f64,
    /// Largest roughness of the surface over the bowl's depth.
    pub(super) noise: f64,
    /// Part of the swing that is left.
    pub(super) left: f64,
    /// Place of the middle along x over time (periods).
    pub(super) path: Vec<[f64; 2]>,
}

/// What is allowed of the first three, second order.
pub(super) const SWING_LIMITS: [f64; 3] = [0.01, 0.0125, 0.95];

/// Lets the water swing.
pub(super) fn swing(water: &mut dyn HeightField, periods: u32) -> Result<Swing> {
    const SAMPLES: u32 = 16;
    let (period, omega) = (turn(), TAU / turn());
    let mut found = Swing { period: 0.0, noise: 0.0, left: 1.0, path: Vec::new() };
    let mut phases = vec![[0.0, 0.0]];
    for n in 1..=periods * SAMPLES {
        let time = f64::from(n) / f64::from(SAMPLES) * period;
        water.to(time)?;
        let spots = water.spots()?;
        let [x, z] = centroid(&spots);
        let turned = z.atan2(x);
        phases.push([time, turned + TAU * ((omega * time - turned) / TAU).round()]);
        found.path.push([time / period, x]);
        found.noise = found.noise.max(roughness(&spots) / H0);
        found.left = x.hypot(z) / SWING;
    }
    found.period = (TAU / slope(&phases) / period - 1.0).abs();
    Ok(found)
}

/// Centre of the water, from the axis.
fn centroid(spots: &[Spot]) -> [f64; 2] {
    let (mut sum, mut at) = (0.0, [0.0; 2]);
    for spot in spots {
        let volume = spot.depth * spot.size * spot.size;
        sum += volume;
        at = [0, 1].map(|n| at[n] + volume * (spot.at[n] - HALF));
    }
    at.map(|v| v / sum)
}

/// Deviation of the surface from the best plane, root mean square over cells deeper than a fiftieth of the bowl:
/// thinner films that stay behind on the slope are no part of the moving body.
fn roughness(spots: &[Spot]) -> f64 {
    let wet: Vec<(f64, [f64; 3])> = spots
        .iter()
        .filter(|s| s.depth > 0.02 * H0)
        .map(|s| (s.size * s.size, [s.at[0] - HALF, s.at[1] - HALF, s.surface]))
        .collect();
    let whole: f64 = wet.iter().map(|(area, _)| area).sum();
    let mean = [0, 1, 2].map(|c| wet.iter().map(|(area, p)| area * p[c]).sum::<f64>() / whole);
    let product =
        |a: usize, b: usize| wet.iter().map(|(area, p)| area * (p[a] - mean[a]) * (p[b] - mean[b])).sum::<f64>();
    let (xx, xz, zz, xy, zy) = (product(0, 0), product(0, 1), product(1, 1), product(0, 2), product(1, 2));
    let determinant = xx * zz - xz * xz;
    let (a, b) = ((xy * zz - zy * xz) / determinant, (zy * xx - xy * xz) / determinant);
    let off = |p: &[f64; 3]| p[2] - mean[2] - a * (p[0] - mean[0]) - b * (p[1] - mean[1]);
    (wet.iter().map(|(area, p)| area * off(p).powi(2)).sum::<f64>() / whole).sqrt()
}

fn planar(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let periods: u32 = if is_software(exec) { 2 } else { 4 };
    let mut drift = 0.0f64;
    let mut chart = Chart::new("Planar swing in a bowl: centre of the water").axes("time (periods)", "x (m)");
    let exact = (0..=200).map(|n| f64::from(n) * f64::from(periods) / 200.0);
    chart = chart.with(Series::new("exact", exact.map(|t| [t, SWING * (TAU * t).cos()])).mark(Mark::Dashed));
    for (name, order, [period, noise, left]) in orders(exec, [[0.033, 0.08, 0.65], SWING_LIMITS]) {
        let mut water = Uniform::new(bowl(exec, order, &|x, z| plane(0.0, [x, z]))?, &[], &[])?;
        let found = swing(&mut water, periods)?;
        drift = drift.max(water.drift()?);
        out.ratio(format!("period error, {name}"), found.period, Limit::AtMost(period));
        out.ratio(format!("roughness of the surface over bowl depth, {name}"), found.noise, Limit::AtMost(noise));
        out.ratio(format!("swing left after {periods} periods, {name}"), found.left, Limit::AtLeast(left));
        chart = chart.with(Series::new(name, found.path));
    }
    out.mass(drift);
    out.charts.push(chart);
    Ok(out)
}

fn radial(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let table = table!("thacker_radial_paraboloid")?;
    let period = TAU * A / (8.0 * GRAVITY * H0).sqrt();
    let curve = |fraction: &str| table.curve("r_m", "h_m", |row| row[0] == fraction);
    let still = curve("0")?;
    let depth_at = |curve: &Curve, x: f64, z: f64| {
        let h = curve.at(x.hypot(z));
        if h.is_nan() { 0.0 } else { h }
    };
    let turns: u32 = if is_software(exec) { 2 } else { 4 };
    let start = |x: f64, z: f64| (bed(x, z) + depth_at(&still, x, z), [0.0; 2]);
    let mut drift = 0.0f64;
    let mut chart = Chart::new("Mound in a bowl, half a period and one period on").axes("radius (m)", "depth (m)");
    for fraction in ["0.5", "1"] {
        let name = format!("exact, t = {fraction} T");
        chart = chart.with(Series::new(name, curve(fraction)?.points).mark(Mark::Dashed));
    }
    for (name, order, [l1_limit, period_limit, skew]) in orders(exec, [[0.085, 0.073, 1e-6], [0.0215, 0.007, 0.01]]) {
        let mut run = bowl(exec, order, &start)?;
        let mut worst = 0.0f64;
        let mut moments = vec![[0.0, moment(&run.fields()?)]];
        for n in 1..=16 * turns {
            let time = f64::from(n) / 16.0;
            run.to(time * period)?;
            let fields = run.fields()?;
            moments.push([time, moment(&fields)]);
            if time > 1.0 {
                continue;
            }
            let exact = curve(&time.to_string())?;
            let (mut error, mut size) = (0.0, 0.0);
            for ([x, z], h) in cells(&fields.depth) {
                let e = depth_at(&exact, x, z);
                error += (h - e).abs();
                size += e;
            }
            // The table has some of these times only.
            worst = worst.max(if size > 0.0 { error / size } else { 0.0 });
            if n == 8 || n == 16 {
                let row = (CELLS * CELLS / 2 + CELLS / 2) as usize;
                let along = fields.depth[row..row + CELLS as usize / 2].iter().enumerate();
                let points = along.map(|(n, &h)| [(n as f64 + 0.5) * CELL, f64::from(h)]);
                chart = chart.with(Series::new(format!("{name}, t = {time} T"), points));
            }
        }
        out.ratio(format!("worst L1 error of depth in a period, {name}"), worst, Limit::AtMost(l1_limit));
        // The moment swings exactly like a cosine: the times at which it rises through its mean are a period apart.
        let mean = moments.iter().map(|m| m[1]).sum::<f64>() / moments.len() as f64;
        let rises = moments.windows(2).filter(|m| m[0][1] < mean && m[1][1] >= mean);
        let times: Vec<[f64; 2]> = rises
            .map(|m| m[0][0] + (mean - m[0][1]) / (m[1][1] - m[0][1]) * (m[1][0] - m[0][0]))
            .enumerate()
            .map(|(n, t)| [n as f64, t])
            .collect();
        out.ratio(format!("period error, {name}"), (slope(&times) - 1.0).abs(), Limit::AtMost(period_limit));
        drift = drift.max(run.drift()?);
        out.ratio(format!("asymmetry over depth, {name}"), asymmetry(&run.fields()?), Limit::AtMost(skew));
    }
    out.mass(drift);
    out.charts.push(chart);
    Ok(out)
}

/// Mean square of the distance from the axis, m².
fn moment(fields: &Fields) -> f64 {
    let (mut sum, mut square) = (0.0, 0.0);
    for ([x, z], h) in cells(&fields.depth) {
        sum += h;
        square += h * (x * x + z * z);
    }
    square / sum
}

/// Largest difference between mirror images over the bowl's depth.
fn asymmetry(fields: &Fields) -> f64 {
    let n = CELLS as usize;
    let at = |i: usize, k: usize| f64::from(fields.depth[i + n * k]);
    let all = (0..n).flat_map(|k| (0..n).map(move |i| (i, k)));
    largest(all.flat_map(|(i, k)| [at(n - 1 - i, k), at(k, i)].map(|image| image - at(i, k)))) / H0
}
