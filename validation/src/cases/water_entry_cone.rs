//! A cone with a cylinder behind it falls into water, tip first.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};

use crate::data::{Curve, table};
use crate::floating::{Basin, Moment};
use crate::rig::{GRAVITY, is_software};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "water-entry-cone",
    about: "A cone of 45 degrees with a cylinder behind it falls from 0.5 m into water: peak and impulse of the force",
    source: "measured: Boom, Truscott, Fish & Habtour 2024, arXiv 2403.13262, six drops",
    run,
};

/// Radius and height of the cone, and length of the cylinder behind it, m.
const RADIUS: f64 = 0.026;
const BEHIND: f64 = 0.265;
const MASS: f64 = 0.58968;
/// Speed of the tip when it touches the water, m/s.
const SPEED: f64 = 3.1321;
/// Width and height of the tank, and depth of its water, m.
const TANK: [f64; 3] = [0.2, 0.25, 0.15];
/// Time of the run, s.
const SECONDS: f64 = 0.02;
const FRAME: f64 = 2.5e-4;
/// Half of the time over which accelerations are means, s: some steps, for the force oscillates from step to step.
const HALF: f64 = 5e-4;
/// Cells along the radius.
const CELLS: usize = 8;

/// What an accelerometer on the body reads, in g: 0 while it falls, 1 at rest.
fn reading(record: &[Moment]) -> Curve {
    let around = (HALF / FRAME).round() as usize;
    let mean = |moments: &[Moment]| {
        let [from, to] = [&moments[0], &moments[2 * around]];
        let gained = to.bodies[0].velocity[1] - from.bodies[0].velocity[1];
        [0.5 * (from.time + to.time), 1.0 + gained / (to.time - from.time) / GRAVITY]
    };
    Curve { points: record.windows(2 * around + 1).map(mean).collect() }
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let seconds = if is_software(exec) { 0.5 * SECONDS } else { SECONDS };
    let cell = RADIUS / CELLS as f64;
    let [width, height] = [0, 1].map(|n| (TANK[n] / cell).round() * cell);
    let level = TANK[2];
    let body = format!(
        "shape = 'compound'\nposition = [{0:?}, {level:?}, {0:?}]\nmass = {MASS:?}\ndrag = 0\nvelocity = [0, {1:?}, 0]\n\
         lock = ['x', 'z', 'turn-x', 'turn-y', 'turn-z']\nparts = [\n\
         {{ shape = 'cone', from = [0, 0, 0], to = [0, {RADIUS:?}, 0], radii = [0, {RADIUS:?}] }},\n\
         {{ shape = 'cylinder', from = [0, {RADIUS:?}, 0], to = [0, {2:?}, 0], radius = {RADIUS:?} }}]",
        0.5 * width,
        -SPEED,
        RADIUS + BEHIND
    );
    let size = [width, height, width];
    let basin = Basin { size, cell, level, solver: "uniform", options: "max_cfl = 1", bodies: vec![body] };
    let computed = reading(&basin.record(exec, seconds, FRAME)?);
    let data = table!("boom2024_cone_halfangle45_drop050cm")?;
    let drops: Vec<Curve> =
        (1..=6).map(|drop| data.curve("t_s", &format!("drop{drop}"), |_| true)).collect::<Result<_>>()?;
    let largest = |curve: &Curve| curve.points.iter().copied().fold([0.0; 2], |a, b| if b[1] > a[1] { b } else { a });
    let mean = |of: &dyn Fn(&Curve) -> f64| drops.iter().map(of).sum::<f64>() / drops.len() as f64;
    let peak = largest(&computed);
    out.ratio(
        "peak of the force over the measured one",
        peak[1] / mean(&|drop| largest(drop)[1]),
        Limit::Within(0.7, 1.3),
    );
    let late = peak[0] - mean(&|drop| largest(drop)[0]);
    out.measure("time of the peak, late by", 1e3 * late, Limit::Within(-1.0, 1.0), "ms");
    let spans = [([HALF, 0.01], [0.6, 1.1]), ([0.01, SECONDS - HALF], [0.5, 1.1])];
    for ([from, to], [low, high]) in spans.into_iter().filter(|(span, _)| span[1] < seconds) {
        let ratio = computed.integral([from, to]) / mean(&|drop| drop.integral([from, to]));
        let title = format!("impulse from {:.1} to {:.1} ms over the measured one", 1e3 * from, 1e3 * to);
        out.ratio(title, ratio, Limit::Within(low, high));
    }
    let mut chart = Chart::new("A cone falls into water").axes("t (ms)", "reading (g)");
    let milliseconds = |curve: &Curve| -> Vec<[f64; 2]> {
        curve.points.iter().filter(|p| p[0] >= 0.0 && p[0] <= seconds).map(|p| [1e3 * p[0], p[1]]).collect()
    };
    chart = chart.with(Series::new(format!("{CELLS} cells a radius"), milliseconds(&computed)));
    for (number, drop) in drops.iter().enumerate().step_by(3) {
        chart =
            chart.with(Series::new(format!("measured, drop {}", number + 1), milliseconds(drop)).mark(Mark::Points));
    }
    out.charts.push(chart);
    out.notes.push("accelerations are means over 1 ms: the computed force trembles from step to step".into());
    Ok(out)
}
