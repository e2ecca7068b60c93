//! A solitary wave runs up a plane beach (Synolakis 1987; NTHMP benchmark problem 1).

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_shallow::{InitialCell, Order};

use crate::data::{Curve, table};
use crate::height_field::{HeightField, Uniform};
use crate::rig::{GRAVITY, Run, SECOND, center, is_software, largest, orders, rms};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "plane-beach",
    about: "A solitary wave of H/d = 0.019 on a beach of 1:19.85: profiles, two gauges, maximum run-up",
    source: "exact: Synolakis 1987, J. Fluid Mech. 185; NTHMP benchmark problem 1 (asks for errors below 5 %)",
    run,
};

/// Everything in units of the depth d = 1 m.
const HEIGHT: f64 = 0.019;
pub(super) const SLOPE: f64 = 19.85;
/// Land before the still shoreline and the whole length, m.
const LAND: f64 = 4.0;
pub(super) const LENGTH: f64 = 72.0;
pub(super) const PROFILES: [u32; 8] = [35, 40, 45, 50, 55, 60, 65, 70];
/// A cell counts as flooded from this depth on, m.
const FLOODED: f64 = 1e-3;

pub(super) struct Record {
    /// Surface over distance from the still shoreline at the listed times.
    pub(super) profiles: Vec<Vec<[f64; 2]>>,
    /// Surface at both gauges over time.
    pub(super) gauges: [Vec<[f64; 2]>; 2],
    pub(super) runup: f64,
    pub(super) drift: f64,
}

/// Bed and water at the start, by distance from the low end.
pub(super) fn initial(x: f64) -> InitialCell {
    let gamma = (0.75 * HEIGHT).sqrt();
    let crest = SLOPE + 20f64.sqrt().acosh() / gamma;
    let x = x - LAND;
    let eta = HEIGHT / (gamma * (x - crest)).cosh().powi(2);
    InitialCell { bed: -(x / SLOPE).min(1.0), surface: eta, velocity: [-GRAVITY.sqrt() * eta, 0.0] }
}

/// Where the two gauges are, and the cells among which the highest flooded one is looked for.
pub(super) fn places(cell: f64) -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
    let shore = (0..((LAND + 2.0) / cell) as u32).map(|i| [center(i, cell), 0.5 * cell]);
    (vec![[LAND + 0.25, 0.0], [LAND + 9.95, 0.0]], shore.collect())
}

/// In a single row of cells.
pub(super) fn simulate(exec: &Arc<Executor>, cell: f64, order: Order) -> Result<Record> {
    let n = (LENGTH / cell).round() as u32;
    let run = Run::channel(exec, n, cell, order, &initial)?;
    let (gauges, shore) = places(cell);
    record(&mut Uniform::new(run, &gauges, &shore)?)
}

/// Lets the wave run up and down again.
pub(super) fn record(water: &mut dyn HeightField) -> Result<Record> {
    let mut record = Record { profiles: Vec::new(), gauges: [Vec::new(), Vec::new()], runup: 0.0, drift: 0.0 };
    for n in 1..=240 {
        let time = 0.5 * f64::from(n);
        water.to(time / GRAVITY.sqrt())?;
        let read = water.gauges()?;
        (0..2).for_each(|g| record.gauges[g].push([time, read[g]]));
        let flooded = water.listed()?.into_iter().filter(|s| s.depth > FLOODED);
        record.runup = flooded.map(|s| s.surface).fold(record.runup, f64::max);
        if n % 2 == 0 && PROFILES.contains(&(n / 2)) {
            record.profiles.push(water.profile()?.into_iter().map(|[x, y]| [x - LAND, y]).collect());
        }
    }
    record.drift = water.drift()?;
    Ok(record)
}

/// What is known of the wave.
pub(super) struct Known {
    /// At the times of [`PROFILES`].
    pub(super) profiles: Vec<Curve>,
    /// At the gauges.
    pub(super) near: Curve,
    pub(super) off: Curve,
    /// Run-up by the law, and the highest point of the profiles.
    pub(super) law: f64,
    pub(super) highest: f64,
}

pub(super) fn known() -> Result<Known> {
    let table = table!("nthmp_bp01_profiles_H0.019")?;
    let exact = |t: &u32| table.curve("x_over_d", &format!("eta_t{t}"), |_| true);
    let profiles = PROFILES.iter().map(exact).collect::<Result<Vec<_>>>()?;
    let highest = largest(profiles.iter().flat_map(|c| &c.points).map(|p| p[1]).filter(|y| y.is_finite()));
    Ok(Known {
        profiles,
        near: table!("nthmp_bp01_timeseries_x0.25_H0.019")?.curve("t_star", "eta_over_d", |_| true)?,
        off: table!("nthmp_bp01_timeseries_x9.95_H0.019")?.curve("t_star", "eta_over_d", |_| true)?,
        law: 2.831 * SLOPE.sqrt() * HEIGHT.powf(1.25),
        highest,
    })
}

/// Errors of a run, and the names of what they are errors of.
pub(super) const ERRORS: [&str; 6] = [
    "profiles, worst error of 8 times",
    "gauge at x/d = 0.25, error",
    "gauge at x/d = 9.95, error",
    "gauge at x/d = 9.95, error of the crest",
    "run-up against the law 2.831 √cot β (H/d)^5/4",
    "run-up against the exact profiles",
];

/// Limits of the errors, second order.
pub(super) const LIMITS: [f64; 6] = [0.024, 0.012, 0.012, 0.017, 0.024, 0.024];
/// The same, first order.
const FIRST_LIMITS: [f64; 6] = [0.095, 0.056, 0.056, 0.015, 0.055, 0.055];

impl Record {
    pub(super) fn errors(&self, known: &Known) -> [f64; 6] {
        let peak = |points: &[[f64; 2]]| points.iter().map(|p| p[1]).filter(|y| y.is_finite()).fold(0.0, f64::max);
        [
            self.profiles.iter().zip(&known.profiles).map(|(c, e)| mismatch(c, e)).fold(0.0, f64::max),
            mismatch(&self.gauges[0], &known.near),
            mismatch(&self.gauges[1], &known.off),
            (peak(&self.gauges[1]) / peak(&known.off.points) - 1.0).abs(),
            (self.runup / known.law - 1.0).abs(),
            (self.runup / known.highest - 1.0).abs(),
        ]
    }
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
    let known = known()?;
    let mut drift = 0.0f64;
    let mut trend = Vec::new();
    let coarse: &[f64] = if is_software(exec) { &[] } else { &[0.2, 0.1] };
    for &cell in coarse {
        trend.push([cell, simulate(exec, cell, SECOND)?.runup]);
    }
    for (name, order, limits) in orders(exec, [FIRST_LIMITS, LIMITS]) {
        let record = simulate(exec, 0.05, order)?;
        drift = drift.max(record.drift);
        let mut chart = Chart::new(format!("Run-up on a plane beach, {name}")).axes("x / d", "surface / d");
        chart.x_range = Some([-2.0, 20.0]);
        for ((t, computed), reference) in PROFILES.iter().zip(&record.profiles).zip(&known.profiles) {
            if [40, 55, 70].contains(t) {
                let near_shore = computed.iter().copied().filter(|p| p[0] > -2.0 && p[0] < 20.0);
                chart = chart.with(Series::new(format!("t = {t}"), near_shore));
                chart = chart.with(Series::new(format!("exact, t = {t}"), reference.points.clone()).mark(Mark::Dashed));
            }
        }
        for ((what, error), limit) in ERRORS.iter().zip(record.errors(&known)).zip(limits) {
            out.ratio(format!("{what}, {name}"), error, Limit::AtMost(limit));
        }
        out.charts.push(chart);
        if order == SECOND {
            trend.push([0.05, record.runup]);
            out.charts.push(
                Chart::new("Gauges on a plane beach")
                    .axes("t √(g/d)", "surface / d")
                    .with(Series::new("x/d = 0.25", record.gauges[0].clone()))
                    .with(Series::new("exact", known.near.points.clone()).mark(Mark::Dashed))
                    .with(Series::new("x/d = 9.95", record.gauges[1].clone()))
                    .with(Series::new("exact", known.off.points.clone()).mark(Mark::Dashed)),
            );
        }
    }
    let trend: Vec<String> = trend.iter().map(|[cell, r]| format!("{r:.4} with cells of {cell} d")).collect();
    out.notes.push(format!(
        "run-up R/d, second order: {}; law {:.4}, highest exact point {:.4}",
        trend.join(", "),
        known.law,
        known.highest
    ));
    out.mass(drift);
    Ok(out)
}
