//! Notched disc and notched sphere, turned around once (Zalesak 1979; the sphere after Enright et al. 2002).

use std::f64::consts::PI;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};

use crate::data::table;
use crate::rig::is_software;
use crate::shapes::Journey;
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
    let ball = (x * x + y * y + z * z).sqrt() - 15.0;
    let slot = (x.abs() - 2.5).max(y - 10.0);
    ball.max(-slot)
}

/// One turn around the middle of a box, `cells_per_step` cells at the rim of the shape per step.
fn turn(size: f64, per_unit: f64, cells_per_step: f64, depth: Option<f64>) -> Journey {
    let middle = 0.5 * size;
    let cells = [size, size, depth.unwrap_or(1.0 / per_unit)].map(|l| (l * per_unit).round() as usize);
    Journey {
        cells,
        cell: 1.0 / per_unit,
        shape: Box::new(move |[x, y, z]| {
            notched([x - middle, y - middle - 25.0, depth.map_or(0.0, |depth| z - 0.5 * depth)])
        }),
        flow: Box::new(move |[x, y, _]| [RATE * (middle - y), RATE * (x - middle), 0.0]),
        swing: Box::new(|_| 1.0),
        seconds: TURN,
        steps: (TURN * RATE * REACH * per_unit / cells_per_step).ceil() as u32,
    }
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let software = is_software(exec);
    let mut chart = Chart::new("A notched disc after one turn, 100 cells").axes("x", "y");
    let discs = [(1.0, 1.0, [0.28, 0.61]), (1.0, 4.0, [0.072, 0.155]), (2.0, 1.0, [0.133, 0.31])];
    for (per_unit, cfl, most) in discs.into_iter().take(if software { 2 } else { 3 }) {
        let name = format!("disc, {} cells, {cfl} cells per step", 100.0 * per_unit);
        let journey = turn(100.0, per_unit, cfl, None);
        let mut water = journey.begin(exec)?;
        let begin = journey.outline(&water)?;
        journey.travel(&mut water, 0..journey.steps)?;
        journey.arrival(&water)?.report(&mut out, &name, most);
        if per_unit == 1.0 {
            if chart.series.is_empty() {
                chart.series.push(Series::new("exact", begin).mark(Mark::Points));
            }
            let label = format!("{cfl} cells per step");
            chart.series.push(Series::new(label, journey.outline(&water)?).mark(Mark::Points));
        }
    }
    let spheres = [(1.0, [0.66, 0.91]), (4.0, [0.195, 0.265])];
    for (cfl, most) in spheres.into_iter().take(if software { 0 } else { 2 }) {
        // As fine as the disc of 100 cells, in the part of the box that the sphere passes.
        let arrival = turn(84.0, 1.0, cfl, Some(36.0)).complete(exec)?;
        arrival.report(&mut out, &format!("sphere, 100 cells, {cfl} cells per step"), most);
    }
    let baseline = table!("baseline_2d_pure_level_set")?;
    let of = |scheme: &'static str| baseline.curve("N", "loss_percent", move |r| r[0] == "zalesak" && r[2] == scheme);
    let (linear, weno) = (of("SL-linear")?, of("WENO5-RK3")?);
    out.notes.push(format!(
        "losses of plain level sets at 100 cells: linear semi-Lagrangian {:.1} %, WENO5 {:.1} %",
        linear.at(100.0),
        weno.at(100.0)
    ));
    out.charts.push(chart);
    Ok(out)
}
