//! A dam breaks against a wall (Zhou, De Kat & Buchner 1999; Buchner 2002).

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_tall::{Band, Options};

use crate::data::{Curve, table};
use crate::rig::{GRAVITY, is_software, rms};
use crate::tank::{GRIDS, Tank, best_shift, cubes};
use crate::{Case, Limit, Outcome, Result, ValidationError};

pub(crate) const CASE: Case = Case {
    name: "dam-break-pressure",
    about: "A dam breaks against a wall: pressure at a point of the wall",
    source: "measured: Buchner 2002, PhD thesis TU Delft, appendix II (digitised)",
    run,
};

/// Height of the column, m: the unit of all lengths.
const HEIGHT: f64 = 0.6;
/// Length of the column and of the tank, and the height that is simulated, in heights.
const TANK: [f64; 3] = [2.0, 5.366, 3.0];
/// Height of the probe at the far wall, in heights, and of points below and above it: the transducer is a disc of an
/// area of its own.
const PROBES: [f64; 3] = [0.2, 0.15, 0.25];
/// The water is at the probe when its pressure passes this.
const ARRIVED: f64 = 0.1;
/// Times `t √(g/H)` between which the pressure is nearly constant.
const PLATEAU: [f64; 2] = [3.2, 5.0];
/// Times of the comparison by rms error: from shortly before the arrival until the water that ran up the wall falls
/// back.
const COMPARED: [f64; 2] = [2.4, 5.2];
/// Largest shift of the clock that may be asked for.
const MOST_SHIFT: f64 = 0.5;

/// `p/(ρ g H)` over `t √(g/H)` at the probes, and the change of the volume.
fn strike(exec: &Arc<Executor>, per_height: usize, band: Option<Band>, end: f64) -> Result<([Curve; 3], f64)> {
    let cell = HEIGHT / per_height as f64;
    let level_set = |[x, y, _]: [f64; 3]| {
        let [dx, dy] = [x - TANK[0] * HEIGHT, y - HEIGHT];
        dx.max(dy).min(0.0) + dx.max(0.0).hypot(dy.max(0.0))
    };
    let size = [TANK[1], TANK[2]].map(|l| (l * per_height as f64).round() as usize);
    let options = Options { band, max_cfl: 1.0, gravity: GRAVITY, ..Default::default() };
    let mut water = Tank { shape: cubes([size[0], size[1], 1]), cell, level_set: &level_set, options }.fill(exec)?;
    let began = water.statistics()?.volume;
    let unit = (HEIGHT / GRAVITY).sqrt();
    let wall = size[0] as f64 * cell;
    let mut curves = PROBES.map(|_| Curve { points: Vec::new() });
    while water.time() < end * unit {
        water.advance(0.02 * unit)?;
        let pressures = water.pressures()?;
        for (curve, height) in curves.iter_mut().zip(PROBES) {
            let pressure = pressures.at([wall, height * HEIGHT, 0.5 * cell]).unwrap_or(f64::NAN);
            curve.points.push([water.time() / unit, pressure / (GRAVITY * HEIGHT)]);
        }
    }
    Ok((curves, water.statistics()?.volume / began - 1.0))
}

/// What a record of the pressure says.
struct Reading {
    arrival: f64,
    /// Largest until the pressure is nearly constant.
    first: f64,
    /// Mean while it is.
    plateau: f64,
    /// Time and size of the largest afterwards.
    second: Option<[f64; 2]>,
}

impl Reading {
    fn of(points: &[[f64; 2]]) -> Result<Self> {
        let between = |[from, to]: [f64; 2]| points.iter().copied().filter(move |p| p[0] >= from && p[0] <= to);
        let largest = |span: [f64; 2]| between(span).max_by(|a, b| a[1].total_cmp(&b[1]));
        let dry = || ValidationError::Missing { what: "water at the wall".into() };
        // The record oscillates before the water arrives.
        let arrival = between([2.0, 5.0]).find(|p| p[1] > ARRIVED).ok_or_else(dry)?[0];
        let plateau: Vec<f64> = between(PLATEAU).map(|p| p[1]).collect();
        Ok(Self {
            arrival,
            first: largest([arrival, PLATEAU[0]]).ok_or_else(dry)?[1],
            plateau: plateau.iter().sum::<f64>() / plateau.len() as f64,
            second: largest([COMPARED[1], f64::MAX]),
        })
    }
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let measured = table!("buchner2002_wall_pressure")?.curve("t_star", "p_star", |_| true)?.points;
    let truth = Reading::of(&measured)?;
    let compared: Vec<[f64; 2]> =
        measured.iter().copied().filter(|p| p[0] >= COMPARED[0] && p[0] <= COMPARED[1]).collect();
    let software = is_software(exec);
    let (per_height, end) = if software { (16, 5.3) } else { (40, 7.36) };
    // Most that is allowed of the arrival, the mean over the measured one, the rms error and the shift.
    let [late, mean, error, earlier] = if software { [0.4, 1.18, 0.24, 0.44] } else { [0.25, 1.1, 0.17, 0.26] };
    let mut chart = Chart::new(format!("Pressure at the wall, {per_height} cells high")).axes("t √(g/H)", "p/(ρ g H)");
    chart = chart.with(Series::new("measured", measured.clone()).mark(Mark::Points));
    for (grid, band) in GRIDS.into_iter().take(if software { 1 } else { 2 }) {
        let (curves, change) = strike(exec, per_height, band, end)?;
        let found = Reading::of(&curves[0].points)?;
        out.ratio(format!("arrival, late by, {grid}"), found.arrival - truth.arrival, Limit::Within(0.0, late));
        let first = found.first / truth.first;
        out.ratio(format!("first crest over the measured one, {grid}"), first, Limit::Within(0.65, 1.0));
        let plateau = found.plateau / truth.plateau;
        out.ratio(format!("mean from 3.2 to 5 over the measured one, {grid}"), plateau, Limit::Within(0.95, mean));
        if let (false, Some([t, p]), Some([time, size])) = (software, found.second, truth.second) {
            out.ratio(format!("second crest, late by, {grid}"), t - time, Limit::Within(0.0, 0.8));
            out.ratio(format!("second crest over the measured one, {grid}"), p / size, Limit::Within(0.9, 1.5));
        }
        let (shift, left) = best_shift(&curves[0], &compared, MOST_SHIFT);
        out.ratio(
            format!("rms error over the first crest, 2.4 to 5.2, {grid}"),
            left / truth.first,
            Limit::AtMost(error),
        );
        out.ratio(format!("shift of its clock, {grid}"), shift, Limit::Within(-earlier, 0.0));
        out.ratio(format!("change of the volume, {grid}"), change.abs(), Limit::AtMost(0.0125));
        for (curve, height) in curves.iter().zip(PROBES).skip(1) {
            let Reading { arrival, first, plateau, .. } = Reading::of(&curve.points)?;
            out.notes.push(format!(
                "{grid}, {height} H high: arrival {arrival:.2}, first crest {first:.2}, then {plateau:.2}"
            ));
        }
        let [curve, ..] = curves;
        chart = chart.with(Series::new(grid, curve.points));
    }
    let quiet = rms(measured.iter().filter(|p| p[0] < COMPARED[0]).map(|p| p[1]));
    out.notes.push(format!(
        "measured: arrival {:.2}, first crest {:.2}, then {:.2}; before the water comes its rms is {quiet:.2}",
        truth.arrival, truth.first, truth.plateau
    ));
    out.charts.push(chart);
    Ok(out)
}
