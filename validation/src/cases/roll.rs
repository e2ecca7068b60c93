//! A floating box is let go tilted and rolls.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};

use crate::data::table;
use crate::floating::{Basin, block, turn_around_z};
use crate::rig::{GRAVITY, is_software};
use crate::tank::oscillation;
use crate::{Case, Limit, Outcome, Result, ValidationError};

pub(crate) const CASE: Case = Case {
    name: "roll",
    about: "A floating box of 400 kg/m³ is let go tilted by 5 degrees: period of its roll",
    source: "linear theory: metacentric height, added inertia by boundary elements (Capytaine 3.0.0)",
    run,
};

/// Beam, height and length of the box, m: it rolls around its length.
const BOX: [f64; 3] = [0.8, 0.2, 0.4];
const DENSITY: f64 = 400.0;
const DEPTH: f64 = 0.8;
const TANK: [f64; 3] = [3.0, 1.2, 1.6];
/// Tilt at the start, degrees.
const TILT: f64 = 5.0;
const SECONDS: f64 = 1.4;

/// Periods with the added inertia of the table, and without any, s. The added inertia is that at the rate of the roll
/// itself.
fn periods() -> Result<[f64; 2]> {
    let added = table!("box_roll_frequency")?.curve("omega", "added_inertia", |_| true)?;
    let draft = BOX[1] * DENSITY / 1000.0;
    let mass = DENSITY * BOX.iter().product::<f64>();
    let metacentre = 0.5 * draft + BOX[0].powi(2) / (12.0 * draft) - 0.5 * BOX[1];
    let (stiffness, dry) = (mass * GRAVITY * metacentre, mass * (BOX[0].powi(2) + BOX[1].powi(2)) / 12.0);
    let mut rate = (stiffness / dry).sqrt();
    let period = |rate: f64| 2.0 * std::f64::consts::PI / rate;
    let alone = period(rate);
    for _ in 0..50 {
        rate = (stiffness / (dry + added.at(rate))).sqrt();
    }
    if !rate.is_finite() {
        return Err(ValidationError::Missing { what: "the added inertia at the rate of the roll".into() });
    }
    Ok([period(rate), alone])
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let [with_water, alone] = periods()?;
    let mut chart = Chart::new("Roll of a floating box").axes("t (s)", "tilt (degrees)");
    let grids: &[(f64, f64)] = if is_software(exec) { &[(0.1, 0.02)] } else { &[(0.1, 0.02), (0.05, 0.0125)] };
    for (cell, frame) in grids.iter().copied() {
        let middle = DEPTH + BOX[1] * (0.5 - DENSITY / 1000.0);
        let bodies = vec![block(BOX, [0.5 * TANK[0], middle, 0.5 * TANK[2]], TILT, DENSITY, 0.0)];
        let basin = Basin { size: TANK, cell, level: DEPTH, solver: "uniform", options: "", bodies };
        let record = basin.record(exec, SECONDS, frame)?;
        let tilts: Vec<[f64; 2]> = record.iter().map(|now| [now.time, turn_around_z(&now.bodies[0])]).collect();
        let found = oscillation(&tilts)?;
        let name = format!("cells of {cell} m");
        out.ratio(format!("error of the period, {name}"), found.period / with_water - 1.0, Limit::Within(-0.1, 0.1));
        out.notes.push(format!(
            "{name}: period {:.3} s; {with_water:.3} s with the added inertia, {alone:.3} s without water",
            found.period
        ));
        chart = chart.with(Series::new(name, tilts));
    }
    out.charts.push(chart);
    Ok(out)
}
