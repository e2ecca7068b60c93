//! A dam breaks onto a tall square column (Yeh & Petroff; Raad & Bidoae 2005).

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_tall::{Obstacle, Options, Setup, TallWater};

use crate::data::{Curve, table};
use crate::rig::{GRAVITY, is_software, rms};
use crate::tank::{best_shift, cubes};
use crate::{Case, Limit, Outcome, Result, ValidationError};

pub(crate) const CASE: Case = Case {
    name: "dam-break-3d",
    about: "A dam breaks onto a tall square column: velocity of the bore ahead of it, force on the column",
    source: "measured: Yeh & Petroff, in Raad & Bidoae 2005, J. Comput. Phys. 203, figures 17 and 18 (two transcriptions)",
    run,
};

/// Length, height that is simulated, and half of the width of the tank, m: the other half mirrors it.
const TANK: [f64; 3] = [1.6, 0.5, 0.305];
/// Length and height of the water behind the gate, m.
const DAM: [f64; 2] = [0.4, 0.3];
/// Depth of the water that was left on the floor, m: less than a cell here. In cells over 2 cm it is lost, the floor is
/// dry.
const LAYER: f64 = 0.01;
/// Centre and width of the column, m.
const COLUMN: [f64; 2] = [0.96, 0.12];
/// Distance from the back wall and height of the probe, mid-width, m.
const PROBE: [f64; 2] = [0.814, 0.026];
/// The bore reaches the probe at this time after the release, s (by the authors of the transcription).
const ARRIVAL: f64 = 0.238;
/// Density of water, kg/m³.
const DENSITY: f64 = 1000.0;
/// The column is struck when the force passes this, N: the record oscillates by up to 4 N before.
const STRUCK: f64 = 5.0;
/// The bore pushes the column between these times, s.
const PUSHED: [f64; 2] = [0.34, 1.3];
/// The wave that comes back from the end of the tank pulls it, s.
const PULLED: [f64; 2] = [1.45, 1.9];
/// Time between readings, s.
const FRAME: f64 = 0.01;

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

/// What a run gives, over the time since the release.
struct Bore {
    /// Velocity at the probe once it is wet, m/s.
    velocity: Curve,
    /// When that happens, s.
    arrival: f64,
    /// Force on the column along the tank, N.
    force: Curve,
    /// Relative change of the volume.
    change: f64,
}

fn bore(exec: &Arc<Executor>, across: usize, seconds: f64) -> Result<Bore> {
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
    let (mut points, mut forces) = (Vec::new(), Vec::new());
    let mut arrival = f64::NAN;
    while water.time() < seconds {
        water.advance(FRAME)?;
        let half = water.pressures()?.force(0).map_or(f64::NAN, |f| f[0]);
        forces.push([water.time(), 2.0 * DENSITY * half]);
        if is_wet(&water, PROBE)? {
            if arrival.is_nan() {
                arrival = water.time();
            }
            points.push([water.time(), probe(&water, PROBE)?]);
        }
    }
    let change = water.statistics()?.volume / began - 1.0;
    Ok(Bore { velocity: Curve { points }, arrival, force: Curve { points: forces }, change })
}

/// First time at which a force is one of water, s.
fn struck(force: &Curve) -> Result<f64> {
    let missing = || ValidationError::Missing { what: "water at the column".into() };
    Ok(force.points.iter().find(|p| p[1] > STRUCK).ok_or_else(missing)?[0])
}

/// The largest force, N.
fn peak(force: &Curve) -> f64 {
    force.points.iter().map(|p| p[1]).fold(0.0, f64::max)
}

/// What is allowed of a run.
struct Limits {
    velocity: f64,
    arrival: f64,
    change: f64,
    /// Largest force over the measured one.
    peak: [f64; 2],
    /// Impulse over the measured one, over the same time since the arrival, and by the clock.
    impulse: [[f64; 2]; 2],
    /// Rms error of the force over the measured peak.
    force: f64,
}

/// Force on the column against both transcriptions.
fn compare_forces(out: &mut Outcome, force: &Curve, name: &str, limits: &Limits, is_whole: bool) -> Result<()> {
    let measured = forces()?;
    let within = |[low, high]: [f64; 2]| Limit::Within(low, high);
    let early = struck(force)? - struck(&measured[0])?;
    out.measure(format!("force, late by, {name}"), early, Limit::Within(-0.09, 0.0), "s");
    out.ratio(
        format!("force, peak over the measured one, {name}"),
        peak(force) / peak(&measured[0]),
        within(limits.peak),
    );
    if !is_whole {
        return Ok(());
    }
    let impulse = measured[0].integral(PUSHED);
    let aligned = force.integral(PUSHED.map(|t| t + early)) / impulse;
    let title = format!("force, impulse of 0.96 s over the measured one, {name}");
    out.ratio(title, aligned, within(limits.impulse[0]));
    let title = format!("force, impulse from 0.34 to 1.3 s over the measured one, {name}");
    out.ratio(title, force.integral(PUSHED) / impulse, within(limits.impulse[1]));
    let back = force.integral(PULLED) / measured[0].integral(PULLED);
    out.ratio(
        format!("force of the wave that returns, impulse over the measured one, {name}"),
        back,
        within([0.8, 2.0]),
    );
    let points: Vec<[f64; 2]> = measured[0].points.iter().copied().filter(|p| p[0] < PUSHED[1]).collect();
    let (shift, left) = best_shift(force, &points, 0.1);
    let title = format!("force, rms error over the peak after a shift of the clock, {name}");
    out.ratio(title, left / peak(&measured[0]), Limit::AtMost(limits.force));
    out.notes.push(format!("{name}: the clock of the force is shifted by {shift:.3} s"));
    Ok(())
}

/// The measured force, N over s, in two transcriptions.
fn forces() -> Result<[Curve; 2]> {
    Ok([
        table!("yeh_petroff_force")?.curve("t_s", "Fx_N", |_| true)?,
        table!("yeh_petroff_force_alt")?.curve("t_s", "Fx_N", |_| true)?,
    ])
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let measured = table!("yeh_petroff_velocity")?.curve("t_s", "u_m_per_s", |_| true)?;
    let velocities = measured.points.iter().map(|[t, u]| [t + ARRIVAL, *u]);
    let data: Vec<[f64; 2]> = velocities.filter(|p| p[0] < PUSHED[1]).collect();
    let mut chart =
        Chart::new("Velocity ahead of a column in a dam break").axes("time since the release (s)", "u (m/s)");
    chart = chart.with(Series::new("measured", data.clone()).mark(Mark::Points));
    let software = is_software(exec);
    let seconds = if software { 0.6 } else { PULLED[1] };
    let mut push = Chart::new("Force on a column in a dam break").axes("time since the release (s)", "F (N)");
    let transcribed = forces()?;
    for (name, curve) in ["measured", "other transcription"].into_iter().zip(&transcribed) {
        let shown = curve.points.iter().copied().filter(|p| p[0] < seconds);
        push = push.with(Series::new(name, shown.collect::<Vec<_>>()).mark(Mark::Points));
    }
    for (across, limits) in runs(software) {
        let Bore { velocity: curve, arrival, force, change } = bore(exec, across, seconds)?;
        let name = format!("{} cells across", 2 * across);
        let range = data.iter().map(|p| p[1]).fold(0.0, f64::max);
        let error = rms(data.iter().map(|[t, u]| curve.at(*t) - u).filter(|e| e.is_finite()));
        let title = format!("rms error of the velocity over its largest, {name}");
        out.ratio(title, error / range, Limit::AtMost(limits.velocity));
        let late = (arrival - ARRIVAL).abs();
        out.measure(format!("error of the arrival, {name}"), late, Limit::AtMost(limits.arrival), "s");
        out.ratio(format!("change of the volume, {name}"), change.abs(), Limit::AtMost(limits.change));
        compare_forces(&mut out, &force, &name, &limits, !software)?;
        chart = chart.with(Series::new(name.clone(), curve.points));
        push = push.with(Series::new(name, force.points));
    }
    let [one, other] = &transcribed;
    out.notes.push(format!(
        "the transcriptions of the force: arrival {:.3} and {:.3} s, peak {:.1} and {:.1} N, impulse {:.2} and {:.2} N s",
        struck(one)?,
        struck(other)?,
        peak(one),
        peak(other),
        one.integral(PUSHED),
        other.integral(PUSHED)
    ));
    out.charts.extend([chart, push]);
    Ok(out)
}

/// Columns of cells across half the tank, and what is allowed with them.
fn runs(software: bool) -> Vec<(usize, Limits)> {
    // Too short for an impulse.
    let coarse =
        Limits { velocity: 0.17, arrival: 0.07, change: 0.06, peak: [0.6, 1.2], impulse: [[0.0; 2]; 2], force: 0.0 };
    let middle = Limits {
        velocity: 0.22,
        arrival: 0.03,
        change: 0.0115,
        peak: [0.6, 1.3],
        impulse: [[0.65, 1.0], [0.55, 1.0]],
        force: 0.175,
    };
    let fine = Limits {
        velocity: 0.145,
        arrival: 0.016,
        change: 0.0115,
        peak: [0.7, 1.2],
        impulse: [[0.75, 1.05], [0.7, 1.05]],
        force: 0.115,
    };
    if software { vec![(12, coarse)] } else { vec![(20, middle), (28, fine)] }
}
