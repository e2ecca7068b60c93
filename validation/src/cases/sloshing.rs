//! Sloshing: a tank shaken close to its first period (Faltinsen et al. 2000).

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_tall::{Band, Options};

use crate::data::{Curve, table};
use crate::rig::{GRAVITY, is_software, rms};
use crate::tank::{GRIDS, Tank, airy, surface};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "sloshing",
    about: "A tank shaken close to its first period: crests and beat at a gauge, and gently against linear theory",
    source: "measured: Faltinsen et al. 2000, J. Fluid Mech. 407, figure 7; exact: linear modes",
    run,
};

const LENGTH: f64 = 1.73;
const DEPTH: f64 = 0.6;
/// The gauge is so far from the left wall, m.
const GAUGE: f64 = 0.05;
/// x(t) = A cos(2π t/T) of the tank.
const SHAKE: [f64; 2] = [0.032, 1.3];
const COLUMNS: usize = 60;

/// The gauge by linear theory, m. In the frame of the tank the surface obeys φ_t + g η + a x = 0, and x − L/2 is the
/// sum of −4/(L k²) cos(k x) over the odd modes.
fn linear(t: f64, amplitude: f64) -> f64 {
    let forced = TAU / SHAKE[1];
    let mode = |n: u32| {
        let k = f64::from(n) * PI / LENGTH;
        let own = airy(k, DEPTH);
        let push = -amplitude * forced * forced * 4.0 / (LENGTH * k) * (k * DEPTH).tanh();
        push * ((forced * t).cos() - (own * t).cos()) / (own * own - forced * forced) * (k * GAUGE).cos()
    };
    (1..60).step_by(2).map(mode).sum()
}

/// Elevation at the gauge over time in a tank shaken with an amplitude.
fn shaken(exec: &Arc<Executor>, band: Option<Band>, amplitude: f64, seconds: f64) -> Result<Curve> {
    let cell = LENGTH / COLUMNS as f64;
    let shape = Shape { nx: COLUMNS, nz: 1, regular: if band.is_some() { 32 } else { 40 } };
    let options = Options { band, gravity: GRAVITY, ..Default::default() };
    let mut water = Tank { shape, cell, level_set: &|[_, y, _]| y - DEPTH, options }.fill(exec)?;
    let period = SHAKE[1];
    let omega = TAU / period;
    let dt = period / 130.0;
    let mut points = vec![[0.0, 0.0]];
    while water.time() < seconds {
        // In the tank's frame; in the middle of the step.
        water.accelerate([-amplitude * omega * omega * (omega * (water.time() + 0.5 * dt)).cos(), 0.0]);
        water.step(dt)?;
        let heights = surface(&water)?;
        let at = GAUGE / cell - 0.5;
        let (low, share) = (at as usize, at.fract());
        points.push([water.time(), heights[low] * (1.0 - share) + heights[low + 1] * share - DEPTH]);
    }
    Ok(Curve { points })
}

/// The crests: largest values between upward and downward zeros.
fn crests(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let waves = points.chunk_by(|p, q| (p[1] > 0.0) == (q[1] > 0.0)).filter(|wave| wave[0][1] > 0.0 && wave.len() > 1);
    waves.filter_map(|wave| wave.iter().copied().max_by(|a, b| a[1].total_cmp(&b[1]))).collect()
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let measured = table!("faltinsen2000_horizontal_h0.6_T1.3")?.curve("t_s", "eta_m", |_| true)?;
    let seconds = if is_software(exec) { 2.0 * SHAKE[1] } else { 9.9 };
    let data: Vec<[f64; 2]> = measured.points.iter().copied().filter(|p| p[0] < seconds).collect();
    let range = data.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max)
        - data.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let mut chart = Chart::new("A shaken tank: surface 5 cm from the wall").axes("time (s)", "elevation (m)");
    chart = chart.with(Series::new("measured", data.clone()).mark(Mark::Points));
    for (grid, band) in GRIDS {
        let curve = shaken(exec, band, SHAKE[0], seconds)?;
        let error = rms(data.iter().map(|[t, eta]| curve.at(*t) - eta).filter(|e| e.is_finite()));
        out.ratio(format!("rms error over range, {grid}"), error / range, Limit::AtMost(0.13));
        let [found, wanted] = [crests(&curve.points), crests(&data)];
        let pairs: Vec<([f64; 2], [f64; 2])> = found.into_iter().zip(wanted).collect();
        let highest = |n: usize| pairs.iter().map(|p| if n == 0 { p.0[1] } else { p.1[1] }).fold(0.0, f64::max);
        out.ratio(
            format!("error of the highest crest, {grid}"),
            (highest(0) / highest(1) - 1.0).abs(),
            Limit::AtMost(0.54),
        );
        let late = rms(pairs.iter().map(|(a, b)| a[0] - b[0]));
        out.measure(format!("crests, rms error of their times, {grid}"), late, Limit::AtMost(0.078), "s");
        chart = chart.with(Series::new(grid, curve.points));
    }
    let theory: Vec<[f64; 2]> =
        (0..400).map(|n| seconds * f64::from(n) / 400.0).map(|t| [t, linear(t, SHAKE[0])]).collect();
    chart = chart.with(Series::new("linear theory", theory).mark(Mark::Dashed));
    // Shaken so gently that waves are linear.
    let gentle = SHAKE[0] / 20.0;
    for ((grid, band), most) in GRIDS.into_iter().zip([0.033, 0.11]) {
        let curve = shaken(exec, band, gentle, seconds)?;
        let error = rms(curve.points.iter().map(|[t, eta]| eta - linear(*t, gentle)));
        let size = rms(curve.points.iter().map(|[t, _]| linear(*t, gentle)));
        out.ratio(
            format!("shaken by a 20th: rms error over rms of linear theory, {grid}"),
            error / size,
            Limit::AtMost(most),
        );
    }
    out.charts.push(chart);
    Ok(out)
}
