//! A dam breaks onto a tall square column (Yeh & Petroff; Raad & Bidoae 2005).

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_pressure::Shape;
use thalweg_tall::{Obstacle, Options, Setup, TallWater};

use crate::data::{Curve, table};
use crate::rig::{GRAVITY, is_software, rms};
use crate::tank::cubes;
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "dam-break-3d",
    about: "A dam breaks onto a tall square column: velocity of the bore ahead of it",
    source: "measured: Yeh & Petroff, in Raad & Bidoae 2005, J. Comput. Phys. 203, figure 17",
    run,
};

/// Length, height that is simulated, and half of the width of the tank, m: the other half mirrors it.
const TANK: [f64; 3] = [1.6, 0.5, 0.305];
/// Length and height of the water behind the gate, m.
const DAM: [f64; 2] = [0.4, 0.3];
/// Depth of the water that was left on the floor, m: less than a cell here. In cells over 2 cm it is lost, the floor is dry.
const LAYER: f64 = 0.01;
/// Centre and width of the column, m.
const COLUMN: [f64; 2] = [0.96, 0.12];
/// Distance from the back wall and height of the probe, mid-width, m.
const PROBE: [f64; 2] = [0.814, 0.026];
/// The bore reaches the probe at this time after the release, s (by the authors of the transcription).
const ARRIVAL: f64 = 0.238;

/// Velocity along x at a point `[x, y]` over the middle of the tank's width, of a uniform grid.
fn probe(water: &TallWater, [x, y]: [f64; 2]) -> Result<f64> {
    let faces = water.snapshot()?.faces;
    let Shape { nx, .. } = water.shape();
    let n = water.shape().samples();
    let (x, y) = (x / water.cell(), y / water.cell() - 0.5);
    let (i, j) = ((x as usize).min(nx - 2), (y.max(0.0) as usize).min(n - 2));
    let (fx, fy) = (x - i as f64, (y - j as f64).max(0.0));
    let u = |i: usize, j: usize| f64::from(faces[i * n + j]);
    Ok((u(i, j) * (1.0 - fx) + u(i + 1, j) * fx) * (1.0 - fy) + (u(i, j + 1) * (1.0 - fx) + u(i + 1, j + 1) * fx) * fy)
}

/// Whether there is water at the probe.
fn is_wet(water: &TallWater, [x, y]: [f64; 2]) -> Result<bool> {
    let (i, j) = ((x / water.cell()) as usize, (y / water.cell()) as usize);
    Ok(water.level_set()?[i * water.shape().samples() + j] < 0.0)
}

/// Velocity at the probe once it is wet, over the time since the release, and the time at which that happens.
fn bore(exec: &Arc<Executor>, across: usize, seconds: f64) -> Result<(Curve, f64, f64)> {
    let cell = TANK[2] / across as f64;
    let shape = cubes([(TANK[0] / cell).round() as usize, (TANK[1] / cell).round() as usize, across]);
    let [centre, width] = COLUMN.map(|c| c as f32);
    let column = Obstacle::Box { centre: [centre, 0.0, 0.0], half: [0.5 * width, 1.0, 0.5 * width] };
    let level_set = |[x, y, _]: [f64; 3]| {
        let [dx, dy] = [x - DAM[0], y - DAM[1]];
        let dam = dx.max(dy).min(0.0) + dx.max(0.0).hypot(dy.max(0.0));
        dam.min(y - LAYER)
    };
    let setup = Setup {
        shape,
        cell,
        height: TANK[1],
        terrain: &vec![0.0; shape.columns()],
        level_set: &level_set,
        obstacles: &[column],
        velocity: [0.0; 2],
        options: Options { band: None, max_cfl: 1.0, gravity: GRAVITY, ..Default::default() },
    };
    let mut water = TallWater::new(Arc::clone(exec), &setup)?;
    let began = water.statistics()?.volume;
    let mut points = Vec::new();
    let mut arrival = f64::NAN;
    while water.time() < seconds {
        water.advance(0.01)?;
        if is_wet(&water, PROBE)? {
            if arrival.is_nan() {
                arrival = water.time();
            }
            points.push([water.time(), probe(&water, PROBE)?]);
        }
    }
    Ok((Curve { points }, arrival, water.statistics()?.volume / began - 1.0))
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let measured = table!("yeh_petroff_velocity")?.curve("t_s", "u_m_per_s", |_| true)?;
    let data: Vec<[f64; 2]> = measured.points.iter().map(|[t, u]| [t + ARRIVAL, *u]).collect();
    let mut chart =
        Chart::new("Velocity ahead of a column in a dam break").axes("time since the release (s)", "u (m/s)");
    chart = chart.with(Series::new("measured", data.clone()).mark(Mark::Points));
    let software = is_software(exec);
    let seconds = if software { 0.6 } else { 1.3 };
    let runs: &[(usize, [f64; 3])] = match software {
        true => &[(12, [0.17, 0.07, 0.06])],
        false => &[(20, [0.22, 0.03, 0.0115]), (28, [0.145, 0.016, 0.0115])],
    };
    for &(across, [rms_error, late, lost]) in runs {
        let (curve, arrival, change) = bore(exec, across, seconds)?;
        let name = format!("{} cells across", 2 * across);
        let range = data.iter().map(|p| p[1]).fold(0.0, f64::max);
        let error = rms(data.iter().map(|[t, u]| curve.at(*t) - u).filter(|e| e.is_finite()));
        out.ratio(
            format!("rms error of the velocity over its largest, {name}"),
            error / range,
            Limit::AtMost(rms_error),
        );
        out.measure(format!("error of the arrival, {name}"), (arrival - ARRIVAL).abs(), Limit::AtMost(late), "s");
        out.ratio(format!("change of the volume, {name}"), change.abs(), Limit::AtMost(lost));
        chart = chart.with(Series::new(name, curve.points));
    }
    out.charts.push(chart);
    Ok(out)
}
