//! Notched disc and notched sphere, turned around once (Zalesak 1979; the sphere after Enright et al. 2002).

use std::f64::consts::PI;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};

use super::baselines;
use crate::rig::is_software;
use crate::shapes::{ClosedFlow, by};
use crate::{Case, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "zalesak",
    about: "A notched disc and a notched sphere turn once: loss of volume, misplaced volume",
    source: "exact: the shape itself; baselines: plain level sets without reinitialisation, computed independently",
    run,
};

/// Seconds of a turn in the box of 100 × 100.
const TURN: f64 = 628.0;
/// Angle per second.
const RATE: f64 = PI / 314.0;
/// Distance of the outermost part of the disc from the axis.
const REACH: f64 = 40.0;

/// Distance to a disc or sphere of radius 15 around the origin with a slot 5 wide up to 10 over its centre.
fn notched([x, y, z]: [f64; 3]) -> f64 {
    let sphere = (x * x + y * y + z * z).sqrt() - 15.0;
    let slot = (x.abs() - 2.5).max(y - 10.0);
    sphere.max(-slot)
}

/// One turn around the middle of a box, `cells_per_step` cells at the rim of the shape per step.
fn turn(size: f64, per_unit: f64, cells_per_step: f64, depth: Option<f64>, cubic: bool) -> ClosedFlow {
    let middle = 0.5 * size;
    let cells = [size, size, depth.unwrap_or(1.0 / per_unit)].map(|l| (l * per_unit).round() as usize);
    ClosedFlow {
        cells,
        cell: 1.0 / per_unit,
        shape: Box::new(move |[x, y, z]| {
            notched([x - middle, y - middle - 25.0, depth.map_or(0.0, |depth| z - 0.5 * depth)])
        }),
        flow: Box::new(move |[x, y, _]| [RATE * (middle - y), RATE * (x - middle), 0.0]),
        swing: Box::new(|_| 1.0),
        seconds: TURN,
        steps: (TURN * RATE * REACH * per_unit / cells_per_step).ceil() as u32,
        cubic,
    }
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let software = is_software(exec);
    let mut chart = Chart::new("A notched disc after one turn, 100 cells").axes("x", "y");
    // Cells per unit, cells per step, whether the surface is read by cubics; what may be lost and misplaced.
    let discs = [
        (1.0, 1.0, false, [0.28, 0.61]),
        (1.0, 1.0, true, [0.04, 0.085]),
        (1.0, 4.0, false, [0.072, 0.155]),
        (1.0, 4.0, true, [0.01, 0.025]),
        (2.0, 1.0, false, [0.133, 0.31]),
        (2.0, 1.0, true, [0.015, 0.043]),
    ];
    for (per_unit, cfl, cubic, most) in discs.into_iter().take(if software { 4 } else { 6 }) {
        let name = format!("disc, {} cells, {cfl} cells per step{}", 100.0 * per_unit, by(cubic));
        let journey = turn(100.0, per_unit, cfl, None, cubic);
        let mut water = journey.begin(exec)?;
        let begin = journey.outline(&water)?;
        journey.travel(&mut water, 0..journey.steps)?;
        journey.arrival(&water)?.report(&mut out, &name, most);
        if per_unit == 1.0 {
            if chart.series.is_empty() {
                chart.series.push(Series::new("exact", begin).mark(Mark::Points));
            }
            let label = format!("{cfl} cells per step{}", by(cubic));
            chart.series.push(Series::new(label, journey.outline(&water)?).mark(Mark::Points));
        }
    }
    let spheres = [(1.0, false, [0.66, 0.91]), (4.0, false, [0.195, 0.265]), (4.0, true, [0.025, 0.046])];
    for (cfl, cubic, most) in spheres.into_iter().take(if software { 0 } else { 3 }) {
        // As fine as the disc of 100 cells, in the part of the box that the sphere passes.
        let arrival = turn(84.0, 1.0, cfl, Some(36.0), cubic).complete(exec)?;
        arrival.report(&mut out, &format!("sphere, 100 cells, {cfl} cells per step{}", by(cubic)), most);
    }
    for (cells, cubic, most) in [(100.0, false, 0.28), (100.0, true, 0.04), (200.0, false, 0.27), (200.0, true, 0.031)]
    {
        let name = format!("disc, {cells} cells, 1 cells per step{}", by(cubic));
        baselines::report(&mut out, "zalesak", cells, &name, most)?;
    }
    out.charts.push(chart);
    Ok(out)
}
