//! A disc and a sphere drawn out into sheets and back again (LeVeque 1996; Enright et al. 2002).

use std::f64::consts::PI;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};

use super::baselines;
use crate::rig::is_software;
use crate::shapes::{ClosedFlow, by};
use crate::{Case, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "deformation-3d",
    about: "A disc in a vortex and a sphere in a deforming flow, there and back: loss of volume, misplaced volume",
    source: "exact: the shape itself; baselines: plain level sets without reinitialisation, computed independently",
    run,
};

/// LeVeque's flow in the unit box, without its swing.
fn deforming([x, y, z]: [f64; 3]) -> [f64; 3] {
    let [sx, sy, sz] = [x, y, z].map(|c| (PI * c).sin().powi(2));
    let [dx, dy, dz] = [x, y, z].map(|c| (2.0 * PI * c).sin());
    [2.0 * sx * dy * dz, -dx * sy * dz, -dx * dy * sz]
}

fn vortex([x, y, _]: [f64; 3]) -> [f64; 3] {
    [-(PI * x).sin().powi(2) * (2.0 * PI * y).sin(), (PI * y).sin().powi(2) * (2.0 * PI * x).sin(), 0.0]
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let software = is_software(exec);
    let mut chart = Chart::new("A disc in a vortex, 128 cells, period 2").axes("x", "y");
    // Cells, period, whether the surface is read by cubics; what may be lost and misplaced.
    let discs = [
        (128, 2.0, false, [0.143, 0.18]),
        (128, 2.0, true, [0.014, 0.0175]),
        (128, 8.0, false, [0.72, 1.34]),
        (128, 8.0, true, [0.52, 0.58]),
        (256, 2.0, false, [0.07, 0.09]),
    ];
    for (n, period, cubic, most) in discs.into_iter().take(if software { 2 } else { 5 }) {
        let journey = ClosedFlow {
            cells: [n, n, 1],
            cell: 1.0 / n as f64,
            shape: Box::new(|[x, y, _]| (x - 0.5).hypot(y - 0.75) - 0.15),
            flow: Box::new(vortex),
            swing: Box::new(move |t| (PI * t / period).cos()),
            seconds: period,
            steps: (period * n as f64) as u32,
            cubic,
        };
        let mut water = journey.begin(exec)?;
        let begin = journey.outline(&water)?;
        journey.travel(&mut water, 0..journey.steps / 2)?;
        let drawn = journey.outline(&water)?;
        journey.travel(&mut water, journey.steps / 2..journey.steps)?;
        journey.arrival(&water)?.report(&mut out, &format!("disc, {n} cells, period {period}{}", by(cubic)), most);
        if (n, period, cubic) == (128, 2.0, false) {
            for (name, points) in [("exact", begin), ("farthest", drawn), ("back", journey.outline(&water)?)] {
                chart.series.push(Series::new(name, points).mark(Mark::Points));
            }
        }
    }
    let bodies = [(100, 1.0, true, [0.84, 0.87]), (100, 4.0, false, [0.86, 0.91]), (100, 4.0, true, [0.44, 0.46])];
    let period = 3.0;
    for (n, cells_per_step, cubic, most) in bodies.into_iter().take(if software { 0 } else { 3 }) {
        let journey = ClosedFlow {
            cells: [n; 3],
            cell: 1.0 / n as f64,
            shape: Box::new(|p| p.iter().map(|c| (c - 0.35).powi(2)).sum::<f64>().sqrt() - 0.15),
            flow: Box::new(deforming),
            swing: Box::new(move |t| (PI * t / period).cos()),
            seconds: period,
            steps: (period * 2.0 * n as f64 / cells_per_step) as u32,
            cubic,
        };
        let arrival = journey.complete(exec)?;
        arrival.report(&mut out, &format!("sphere, {n} cells, {cells_per_step} cells per step{}", by(cubic)), most);
    }
    for (cubic, most) in [(false, 0.72), (true, 0.52)] {
        baselines::report(&mut out, "vortex_T8", 128.0, &format!("disc, 128 cells, period 8{}", by(cubic)), most)?;
    }
    out.charts.push(chart);
    Ok(out)
}
