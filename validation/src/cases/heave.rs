//! A floating box is released a little above its draft and heaves.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};

use crate::data::{Curve, table};
use crate::floating::{Basin, block};
use crate::rig::{is_software, rms};
use crate::tank::oscillation;
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "heave",
    about: "A floating box of half the density of water is let go 2 cm too high: period and decay of its heave",
    source: "linear theory: added mass and radiation by boundary elements (Capytaine 3.0.0), in time by the Cummins equation",
    run,
};

/// Length, height and width of the box, m.
const BOX: [f64; 3] = [0.5, 0.25, 0.5];
const DENSITY: f64 = 500.0;
/// Depth of the water, m.
const DEPTH: f64 = 0.5;
/// Height over the draft at the start, m.
const START: f64 = 0.02;
/// The fastest waves are back from the walls of a tank of 4 m after 1.6 s.
const SECONDS: f64 = 1.4;

/// Width of the tank, edge of a cell (m), time step (s), and what is allowed: error of the period, rms error over the
/// start.
struct Grid {
    width: f64,
    cell: f64,
    frame: f64,
    error: f64,
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let known = table!("box_heave_decay")?.curve("t_s", "z_over_z0_depth0.5m", |_| true)?;
    let until = |curve: &Curve| -> Vec<[f64; 2]> { curve.points.iter().copied().filter(|p| p[0] <= SECONDS).collect() };
    let theory = oscillation(&until(&known))?;
    let mut chart = Chart::new("Heave of a floating box")
        .axes("t (s)", "height over that at the start")
        .with(Series::new("linear theory", until(&known)));
    let coarse = Grid { width: 3.0, cell: 0.1, frame: 0.02, error: 0.25 };
    let fine = Grid { width: 4.0, cell: 0.0625, frame: 0.0125, error: 0.125 };
    let grids = if is_software(exec) { vec![coarse] } else { vec![coarse, fine] };
    for Grid { width, cell, frame, error } in grids {
        let bodies = vec![block(BOX, [0.5 * width, DEPTH + START, 0.5 * width], 0.0, DENSITY, 0.0)];
        let size = [width, 0.8, width];
        let basin = Basin { size, cell, level: DEPTH, solver: "uniform", options: "", bodies };
        let record = basin.record(exec, SECONDS, frame)?;
        let heights = record.iter().map(|now| [now.time, (now.bodies[0].pose.position[1] - DEPTH) / START]);
        let curve = Curve { points: heights.collect() };
        let name = format!("cells of {cell} m");
        let found = oscillation(&curve.points)?;
        out.ratio(format!("error of the period, {name}"), found.period / theory.period - 1.0, Limit::Within(-0.1, 0.1));
        let left = rms(curve.points.iter().map(|p| p[1] - known.at(p[0])));
        out.ratio(format!("rms error of the height over that at the start, {name}"), left, Limit::AtMost(error));
        let [lowest, highest] = [0.0, 0.75].map(|from| {
            let part = curve.points.iter().filter(|p| p[0] >= from).map(|p| p[1]);
            if from > 0.0 { part.fold(f64::MIN, f64::max) } else { part.fold(f64::MAX, f64::min) }
        });
        out.notes.push(format!(
            "{name}: period {:.3} s (theory {:.3} s); first trough {lowest:.3} (theory -0.819), next crest {highest:.3} (theory 0.575)",
            found.period, theory.period
        ));
        chart = chart.with(Series::new(name, curve.points));
    }
    out.charts.push(chart);
    Ok(out)
}
