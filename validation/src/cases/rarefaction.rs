//! Two rarefactions pull the water apart; with enough speed they leave a dry bed between them.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_shallow::InitialCell;

use crate::rig::{GRAVITY, ORDERS, Run, profile, relative_l1};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "double-rarefaction",
    about: "Water drawn apart, with a wet and with a dry middle: no negative depth, nothing but finite numbers",
    source: "exact: Riemann problem, Toro 2001, Shock-Capturing Methods for Free-Surface Shallow Flows, 6.3",
    run,
};

pub(super) const DEPTH: f64 = 1.0;
pub(super) const LENGTH: f64 = 60.0;
const CELLS: u32 = 400;
pub(super) const TIME: f64 = 2.0;

/// Depth at distance `x` from the middle, water drawn apart at ±`speed`.
pub(super) fn exact(speed: f64, x: f64, t: f64) -> f64 {
    let c0 = (GRAVITY * DEPTH).sqrt();
    let middle = (c0 - 0.5 * speed).max(0.0);
    let c = (x.abs() / t - speed + 2.0 * c0) / 3.0;
    c.clamp(middle, c0).powi(2) / GRAVITY
}

/// Whether the waves of the end walls are not there yet, at distance `x` from the middle: they pile the water up that
/// the exact solution lets go.
pub(super) fn is_free(speed: f64, x: f64) -> bool {
    x.abs() < ((speed + 7.0) * TIME).min(24.0)
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let cell = LENGTH / f64::from(CELLS);
    let (mut drift, mut lowest, mut broken) = (0.0f64, f64::INFINITY, 0usize);
    // Twice the celerity (6.26 m/s) is the limit beyond which the middle runs dry.
    for (place, speed, limits) in [("wet middle", 4.0, [0.0185, 0.0054]), ("dry middle", 8.0, [0.039, 0.01])] {
        let apart = |x: f64| InitialCell {
            surface: DEPTH,
            velocity: [if x < 0.5 * LENGTH { -speed } else { speed }, 0.0],
            ..Default::default()
        };
        let mut chart = Chart::new(format!("Double rarefaction, {place}, after 2 s")).axes("x (m)", "depth (m)");
        let points = (0..=600).map(|i| f64::from(i) * 0.1).map(|x| [x, exact(speed, x - 0.5 * LENGTH, TIME)]);
        chart = chart.with(Series::new("exact", points).mark(Mark::Dashed));
        for ((name, order), l1) in ORDERS.into_iter().zip(limits) {
            let mut run = Run::channel(exec, CELLS, cell, order, &apart)?;
            // First against the exact solution, then on until the water has run up the end walls and back.
            for time in [TIME, 4.0, 8.0, 16.0] {
                run.to(time)?;
                let fields = run.fields()?;
                lowest = fields.depth.iter().fold(lowest, |a, &b| a.min(f64::from(b)));
                let values = fields.depth.iter().chain(&fields.u);
                broken += values.filter(|v| !v.is_finite()).count();
                if time == TIME {
                    let mut depth = profile(&fields.depth, cell);
                    depth.retain(|p| is_free(speed, p[0] - 0.5 * LENGTH));
                    let error = relative_l1(&depth, |x| exact(speed, x - 0.5 * LENGTH, TIME));
                    out.ratio(format!("L1 error of depth, {place}, {name}"), error, Limit::AtMost(l1));
                    chart = chart.with(Series::new(name, depth));
                }
            }
            drift = drift.max(run.drift()?);
        }
        out.charts.push(chart);
    }
    out.measure("lowest depth", lowest, Limit::AtLeast(0.0), "m");
    out.ratio("values not finite", broken as f64, Limit::AtMost(0.0));
    out.mass(drift);
    Ok(out)
}
