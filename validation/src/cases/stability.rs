//! A wide box rights itself, a narrow one capsizes.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};

use crate::floating::{Basin, block, turn_around_z};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "stability",
    about: "Two boxes of half the density of water, let go tilted by 15 degrees: the wide one rights itself, the narrow one lies down",
    source: "exact: the metacentre is over the centre of mass if s/2 + B²/(12 s H²) > 1/2",
    run,
};

/// Edge of a cell, m; the tank is a slice of one.
const CELL: f64 = 0.025;
const LEVEL: f64 = 0.6;
const DENSITY: f64 = 500.0;
/// Beam and height of a box and where it is, m; the tilt at which it comes to rest, degrees.
const BOXES: [([f64; 2], f64, f64); 2] = [([0.45, 0.3], 0.75, 0.0), ([0.2, 0.4], 2.25, 90.0)];
/// Tilt at the start, degrees.
const TILT: f64 = 15.0;
const SECONDS: f64 = 5.0;
/// From when on tilts count, s.
const LATE: f64 = 2.5;

/// Height of the metacentre over the centre of mass, over that of the box.
fn metacentre([beam, height]: [f64; 2]) -> f64 {
    let s = DENSITY / 1000.0;
    0.5 * s + beam * beam / (12.0 * s * height * height) - 0.5
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let put = |([beam, height], x, _): ([f64; 2], f64, f64)| {
        block([beam, height, CELL], [x, LEVEL + height * (0.5 - DENSITY / 1000.0), 0.5 * CELL], TILT, DENSITY, 1.0)
    };
    let basin = Basin {
        size: [3.0, 1.2, CELL],
        cell: CELL,
        level: LEVEL,
        solver: "uniform",
        options: "",
        bodies: BOXES.map(put).into(),
    };
    let record = basin.record(exec, SECONDS, 0.02)?;
    let mut chart = Chart::new("Boxes that are stable, and not").axes("t (s)", "tilt (degrees)");
    for (number, (size, _, rest)) in BOXES.into_iter().enumerate() {
        let points: Vec<[f64; 2]> = record.iter().map(|now| [now.time, turn_around_z(&now.bodies[number])]).collect();
        let late: Vec<f64> = points.iter().filter(|p| p[0] > LATE).map(|p| p[1]).collect();
        let mean = late.iter().sum::<f64>() / late.len() as f64;
        let swing = late.iter().map(|tilt| (tilt - mean).abs()).fold(0.0, f64::max);
        let name = format!("metacentre at {:+.3} heights", metacentre(size));
        out.measure(
            format!("mean tilt at the end, {name}"),
            mean - rest,
            Limit::Within(-2.0, 2.0),
            "degrees from rest",
        );
        out.measure(format!("largest swing at the end, {name}"), swing, Limit::AtMost(8.0), "degrees");
        chart = chart.with(Series::new(name, points));
    }
    out.charts.push(chart);
    Ok(out)
}
