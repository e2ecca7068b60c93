//! Bodies as dense as water, deep in it.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};

use crate::floating::{Basin, WATER, block};
use crate::rig::is_software;
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "neutral",
    about: "A box and a sphere as dense as water, deep in it: how far they drift in 3 s",
    source: "exact: they stay where they are",
    run,
};

/// Length, height and width of the tank, m.
const TANK: [f64; 3] = [1.2, 1.4, 1.2];
const LEVEL: f64 = 1.0;
/// Where the bodies are, m. Nothing lies on borders of cells.
const PLACE: [f64; 3] = [0.61, 0.53, 0.58];
const SECONDS: f64 = 3.0;

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut chart = Chart::new("Bodies as dense as water").axes("t (s)", "height over that at the start (m)");
    let sphere = format!("shape = 'sphere'\nradius = 0.2\ncenter = {PLACE:?}\ndensity = {WATER:?}\ndrag = 0");
    let slab = block([0.43, 0.31, 0.37], PLACE, 0.0, WATER, 0.0);
    let cells: &[f64] = if is_software(exec) { &[0.1] } else { &[0.1, 0.05] };
    for (name, body) in [("box", &slab), ("sphere", &sphere)] {
        for cell in cells.iter().copied() {
            let bodies = vec![body.clone()];
            let basin = Basin { size: TANK, cell, level: LEVEL, solver: "uniform", options: "", bodies };
            let record = basin.record(exec, SECONDS, 1.0 / 30.0)?;
            let drift: Vec<[f64; 2]> =
                record.iter().map(|now| [now.time, now.bodies[0].pose.position[1] - PLACE[1]]).collect();
            let largest = drift.iter().map(|p| p[1].abs()).fold(0.0, f64::max);
            let title = format!("{name}, cells of {cell} m");
            out.measure(format!("largest drift, {title}"), largest, Limit::AtMost(0.012), "m");
            chart = chart.with(Series::new(title, drift));
        }
    }
    out.charts.push(chart);
    Ok(out)
}
