//! A solitary wave runs up a plane beach (Synolakis 1987; NTHMP benchmark problem 1).

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_shallow::{InitialCell, Order};

use crate::data::{Curve, table};
use crate::rig::{GRAVITY, Gauges, Run, SECOND, is_software, largest, orders, profile, rms};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "plane-beach",
    about: "A solitary wave of H/d = 0.019 on a beach of 1:19.85: profiles, two gauges, maximum run-up",
    source: "exact: Synolakis 1987, J. Fluid Mech. 185; NTHMP benchmark problem 1 (asks for errors below 5 %)",
    run,
};

/// Everything in units of the depth d = 1 m.
const HEIGHT: f64 = 0.019;
const SLOPE: f64 = 19.85;
/// Land before the still shoreline and the whole length, m.
const LAND: f64 = 4.0;
const LENGTH: f64 = 72.0;
const PROFILES: [u32; 8] = [35, 40, 45, 50, 55, 60, 65, 70];
/// A cell counts as flooded from this depth on, m.
const FLOODED: f64 = 1e-3;

struct Record {
    /// Surface over distance from the still shoreline at the listed times.
    profiles: Vec<Vec<[f64; 2]>>,
    /// Surface at both gauges over time.
    gauges: [Vec<[f64; 2]>; 2],
    runup: f64,
    drift: f64,
}

fn simulate(exec: &Arc<Executor>, cell: f64, order: Order) -> Result<Record> {
    let gamma = (0.75 * HEIGHT).sqrt();
    let crest = SLOPE + 20f64.sqrt().acosh() / gamma;
    let initial = |x: f64| {
        let x = x - LAND;
        let eta = HEIGHT / (gamma * (x - crest)).cosh().powi(2);
        InitialCell { bed: -(x / SLOPE).min(1.0), surface: eta, velocity: [-GRAVITY.sqrt() * eta, 0.0] }
    };
    let n = (LENGTH / cell).round() as u32;
    let mut run = Run::channel(exec, n, cell, order, &initial)?;
    let gauges = Gauges::new(&run.water, &[[LAND + 0.25, 0.0], [LAND + 9.95, 0.0]])?;
    let shore = run.water.cell_list(&(0..((LAND + 2.0) / cell) as u32).collect::<Vec<_>>())?;
    let mut record = Record { profiles: Vec::new(), gauges: [Vec::new(), Vec::new()], runup: 0.0, drift: 0.0 };
    for n in 1..=240 {
        let time = 0.5 * f64::from(n);
        run.to(time / GRAVITY.sqrt())?;
        let read = gauges.read(&mut run.water)?;
        (0..2).for_each(|g| record.gauges[g].push([time, read[g]]));
        let flooded = run.water.sample(&shore)?.into_iter().filter(|s| s.depth > FLOODED);
        record.runup = flooded.map(|s| s.surface).fold(record.runup, f64::max);
        if n % 2 == 0 && PROFILES.contains(&(n / 2)) {
            let surface = profile(&run.fields()?.surface, cell);
            record.profiles.push(surface.into_iter().map(|[x, y]| [x - LAND, y]).collect());
        }
    }
    record.drift = run.drift()?;
    Ok(record)
}

/// Root mean square of computed minus exact at the exact points, over the largest exact value.
fn mismatch(computed: &[[f64; 2]], exact: &Curve) -> f64 {
    let computed = Curve { points: computed.to_vec() };
    let wet = exact.points.iter().filter(|p| p[1].is_finite());
    let pairs: Vec<f64> = wet.clone().map(|p| computed.at(p[0]) - p[1]).filter(|d| d.is_finite()).collect();
    rms(pairs) / largest(wet.map(|p| p[1]))
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let table = table!("nthmp_bp01_profiles_H0.019")?;
    let exact = |t: u32| table.curve("x_over_d", &format!("eta_t{t}"), |_| true);
    let near = table!("nthmp_bp01_timeseries_x0.25_H0.019")?.curve("t_star", "eta_over_d", |_| true)?;
    let off = table!("nthmp_bp01_timeseries_x9.95_H0.019")?.curve("t_star", "eta_over_d", |_| true)?;
    let law = 2.831 * SLOPE.sqrt() * HEIGHT.powf(1.25);
    let highest = PROFILES.iter().map(|&t| exact(t)).collect::<Result<Vec<_>>>()?;
    let highest = largest(highest.iter().flat_map(|c| &c.points).map(|p| p[1]).filter(|y| y.is_finite()));

    let mut drift = 0.0f64;
    let mut trend = Vec::new();
    let coarse: &[f64] = if is_software(exec) { &[] } else { &[0.2, 0.1] };
    for &cell in coarse {
        trend.push([cell, simulate(exec, cell, SECOND)?.runup]);
    }
    for (name, order, limits) in orders(exec, [[0.095, 0.056, 0.055, 0.015], [0.024, 0.012, 0.024, 0.017]]) {
        let record = simulate(exec, 0.05, order)?;
        drift = drift.max(record.drift);
        let [worst, gauge, runup, crest] = limits.map(Limit::AtMost);
        let mut profile_error = 0.0f64;
        let mut chart = Chart::new(format!("Run-up on a plane beach, {name}")).axes("x / d", "surface / d");
        chart.x_range = Some([-2.0, 20.0]);
        for (t, computed) in PROFILES.iter().zip(&record.profiles) {
            let reference = exact(*t)?;
            profile_error = profile_error.max(mismatch(computed, &reference));
            if [40, 55, 70].contains(t) {
                let near_shore = computed.iter().copied().filter(|p| p[0] > -2.0 && p[0] < 20.0);
                chart = chart.with(Series::new(format!("t = {t}"), near_shore));
                chart = chart.with(Series::new(format!("exact, t = {t}"), reference.points).mark(Mark::Dashed));
            }
        }
        out.ratio(format!("profiles, worst error of 8 times, {name}"), profile_error, worst);
        let near_error = mismatch(&record.gauges[0], &near);
        out.ratio(format!("gauge at x/d = 0.25, error, {name}"), near_error, gauge);
        let off_error = mismatch(&record.gauges[1], &off);
        out.ratio(format!("gauge at x/d = 9.95, error, {name}"), off_error, gauge);
        let peak = |points: &[[f64; 2]]| points.iter().map(|p| p[1]).filter(|y| y.is_finite()).fold(0.0, f64::max);
        let peak_error = (peak(&record.gauges[1]) / peak(&off.points) - 1.0).abs();
        out.ratio(format!("gauge at x/d = 9.95, error of the crest, {name}"), peak_error, crest);
        out.ratio(
            format!("run-up against the law 2.831 √cot β (H/d)^5/4, {name}"),
            (record.runup / law - 1.0).abs(),
            runup,
        );
        out.ratio(format!("run-up against the exact profiles, {name}"), (record.runup / highest - 1.0).abs(), runup);
        out.charts.push(chart);
        if order == SECOND {
            trend.push([0.05, record.runup]);
            out.charts.push(
                Chart::new("Gauges on a plane beach")
                    .axes("t √(g/d)", "surface / d")
                    .with(Series::new("x/d = 0.25", record.gauges[0].clone()))
                    .with(Series::new("exact", near.points.clone()).mark(Mark::Dashed))
                    .with(Series::new("x/d = 9.95", record.gauges[1].clone()))
                    .with(Series::new("exact", off.points.clone()).mark(Mark::Dashed)),
            );
        }
    }
    let trend: Vec<String> = trend.iter().map(|[cell, r]| format!("{r:.4} with cells of {cell} d")).collect();
    out.notes.push(format!(
        "run-up R/d, second order: {}; law {law:.4}, highest exact point {highest:.4}",
        trend.join(", ")
    ));
    out.mass(drift);
    Ok(out)
}
