//! A square prism of half the density of water: it floats on its corner.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};

use crate::floating::{Basin, WATER, block, turn_around_z};
use crate::rig::{GRAVITY, is_software};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "prism",
    about: "A square prism of half the density of water, default settings: lift and arm while it is held, and how it comes to rest",
    source: "displaced area and its middle, summed over the section; on a corner by the metacentre of a square (Bouguer 1746)",
    run,
};

/// Cells along an edge of the section of 1 m, and across the domain.
const CELLS: f64 = 10.0;
const ACROSS: f64 = 5.0;
const DEPTH: f64 = 2.0;

/// Displaced area over the section, and the middle of it beside that of the prism, m: `up` m over the level, turned by
/// degrees.
fn displaced(degrees: f64, up: f64) -> [f64; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let n = 1000;
    let (mut wet, mut arm) = (0.0, 0.0);
    for point in 0..n * n {
        let [x, y] = [point % n, point / n].map(|at| (f64::from(at) + 0.5) / f64::from(n) - 0.5);
        if x * sin + y * cos + up < 0.0 {
            wet += 1.0;
            arm += x * cos - y * sin;
        }
    }
    [wet / f64::from(n * n), arm / wet]
}

/// Errors of lift and arm of a held prism, over what they should be.
fn held(exec: &Arc<Executor>, degrees: f64, aside: f64, up: f64) -> Result<[f64; 2]> {
    let cell = 1.0 / CELLS;
    let width = ACROSS * cell;
    let body = block([1.0, 1.0, width], [2.0 + aside, DEPTH + up, 0.5 * width], degrees, 500.0, 0.0);
    let bodies = vec![format!("{body}\nlock = ['x', 'y', 'z', 'turn-x', 'turn-y', 'turn-z']")];
    let size = [4.0, 4.0, width];
    let basin = Basin { size, cell, level: DEPTH, solver: "tall-cells", options: "", bodies };
    let loads = basin.watch(exec, 0.04, 0.02, |water| {
        let body = &water.bodies()[0];
        Ok([body.force[1], body.torque[2]])
    })?;
    let [force, torque] = loads[loads.len() - 1];
    let [wet, arm] = displaced(degrees, up);
    Ok([force / (WATER * GRAVITY * wet * width) - 1.0, torque / force / arm - 1.0])
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    for degrees in [5.0, 10.0, 20.0] {
        let mut worst = [0.0f64; 2];
        for (aside, up) in [(0.0, 0.0), (0.03, 0.04), (0.05, 0.05)] {
            let errors = held(exec, degrees, aside, up)?;
            worst = [0, 1].map(|n| worst[n].max(errors[n].abs()));
        }
        out.ratio(format!("error of the lift, {degrees}°"), worst[0], Limit::AtMost(0.003));
        out.ratio(format!("error of the arm, {degrees}°"), worst[1], Limit::AtMost(0.03));
    }
    // Sides that let waves out: in a closed slice they would go on for minutes, and move the prism.
    let cell = 1.0 / CELLS;
    let open = "{ kind = 'open', level = 2, layer = 20 }";
    let options = format!("[boundary]\nwest = {open}\neast = {open}");
    let bodies = vec![block([1.0, 1.0, cell], [4.0, DEPTH, 0.5 * cell], 10.0, 500.0, 0.1)];
    let size = [8.0, 4.0, cell];
    let basin = Basin { size, cell, level: DEPTH, solver: "tall-cells", options: &options, bodies };
    let seconds = if is_software(exec) { 0.5 } else { 60.0 };
    let turns =
        basin.watch(exec, seconds, 1.0 / 30.0, |water| Ok([water.time(), turn_around_z(&water.bodies()[0])]))?;
    if !is_software(exec) {
        let late = turns.iter().filter(|turn| turn[0] > 50.0).map(|turn| turn[1]);
        let apart = late.map(|turn| (turn.rem_euclid(90.0) - 45.0).abs()).fold(0.0, f64::max);
        let name = "farthest from resting on a corner, 50 to 60 s after it was let go at 10°";
        out.measure(name, apart, Limit::AtMost(1.0), "°");
    }
    out.charts.push(
        Chart::new("A square prism turns over").axes("t (s)", "turn (°)").with(Series::new("10 cells an edge", turns)),
    );
    Ok(out)
}
