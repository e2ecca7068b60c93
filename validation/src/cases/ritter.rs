//! A dam breaks onto a dry bed (Ritter 1892).

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Scale, Series};
use thalweg_shallow::InitialCell;

use crate::data::table;
use crate::rig::{GRAVITY, ORDERS, Run, largest, last_fall, order_of, profile, relative_l1};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "ritter",
    about: "A dam breaks onto a dry bed: error, its fall with the cell size, position of the front",
    source: "exact: Ritter 1892, parameters of Delestre et al. 2013 (SWASHES) 4.1.2",
    run,
};

pub(super) const DEPTH: f64 = 0.005;
pub(super) const DAM: f64 = 5.0;
pub(super) const LENGTH: f64 = 10.0;
pub(super) const TIME: f64 = 6.0;
const CELLS: [u32; 4] = [100, 200, 400, 800];
/// The front is where the depth falls below these parts of the dam's.
pub(super) const FRONTS: [f64; 2] = [1e-2, 1e-3];
/// How far it may lag, second order.
pub(super) const LAGS: [f64; 2] = [0.08, 0.2];

/// Depth at `x` after `t` seconds.
pub(super) fn exact(x: f64, t: f64) -> f64 {
    let c = (GRAVITY * DEPTH).sqrt();
    let speed = (x - DAM) / t;
    match speed {
        s if s <= -c => DEPTH,
        s if s >= 2.0 * c => 0.0,
        s => 4.0 / (9.0 * GRAVITY) * (c - 0.5 * s).powi(2),
    }
}

/// How far the front of a profile lags behind at the end, as a part of its way.
pub(super) fn lags(depth: &[[f64; 2]]) -> Result<[f64; 2]> {
    let c = (GRAVITY * DEPTH).sqrt();
    let lag = |part: f64| -> Result<f64> {
        let front = DAM + 2.0 * c * TIME * (1.0 - 1.5 * part.sqrt());
        Ok(((front - last_fall(depth, part * DEPTH)?) / (front - DAM)).abs())
    };
    Ok([lag(FRONTS[0])?, lag(FRONTS[1])?])
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let table = table!("ritter_dry_dam_break")?;
    let reference = table.curve("x_m", "h_m", |row| row[0] == "6")?;
    let disagreement = largest(reference.points.iter().map(|p| exact(p[0], TIME) - p[1]));
    out.measure("formula against table", disagreement, Limit::AtMost(1e-8), "m");

    let dam = |x: f64| InitialCell { surface: if x < DAM { DEPTH } else { 0.0 }, ..Default::default() };
    let mut drift = 0.0f64;
    let mut profiles = Chart::new("Dry dam break after 6 s").axes("x (m)", "depth (m)");
    profiles = profiles.with(Series::new("exact", reference.points).mark(Mark::Dashed));
    let mut errors =
        Chart::new("Dry dam break: error").axes("cell (m)", "relative L1 error").scales(Scale::Log, Scale::Log);
    let limits = [(0.0165, 0.70, [0.11, 0.23]), (0.0107, 0.85, LAGS)];
    for ((name, order), (l1, fall, most)) in ORDERS.into_iter().zip(limits) {
        let mut measured = Vec::new();
        let mut behind = [0.0; 2];
        for n in CELLS {
            let cell = LENGTH / f64::from(n);
            let mut run = Run::channel(exec, n, cell, order, &dam)?;
            run.to(TIME)?;
            drift = drift.max(run.drift()?);
            let depth = profile(&run.fields()?.depth, cell);
            measured.push([cell, relative_l1(&depth, |x| exact(x, TIME))]);
            behind = lags(&depth)?;
            if n == CELLS[1] {
                profiles = profiles.with(Series::new(format!("{name}, {n} cells"), depth));
            }
        }
        out.ratio(format!("L1 error of depth, {name}, 200 cells"), measured[1][1], Limit::AtMost(l1));
        out.ratio(format!("order of convergence, {name}"), order_of(&measured), Limit::AtLeast(fall));
        for ((lag, part), most) in behind.into_iter().zip(FRONTS).zip(most) {
            let label = format!("lag of the front, depth 1/{:.0} of the dam's, {name}, 800 cells", 1.0 / part);
            out.ratio(label, lag, Limit::AtMost(most));
        }
        errors = errors.with(Series::new(name, measured).mark(Mark::LinePoints));
    }
    out.mass(drift);
    out.charts.extend([profiles, errors]);
    Ok(out)
}
