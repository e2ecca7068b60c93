//! A standing wave on deep water: its period and how fast it decays, with and without tall cells.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_tall::{Band, Options};

use crate::rig::is_software;
use crate::tank::{Tank, airy, oscillation, surface};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "standing-wave",
    about: "A standing wave of 64 cells on water of 64 cells: period and decay, uniform and with tall cells",
    source: "exact: Airy, ω² = g k tanh(k h), no decay",
    run,
};

const CELL: f64 = 0.1;
const WAVELENGTH: f64 = 64.0 * CELL;
const DEPTH: f64 = 64.0 * CELL;
/// Amplitude, m: a k = 0.06, which changes the period by less than 0.1 %.
const AMPLITUDE: f64 = 0.01 * WAVELENGTH;
const STEPS_PER_PERIOD: u32 = 60;

/// Share of the mode over time in periods.
fn mode(exec: &Arc<Executor>, band: Option<Band>, periods: u32) -> Result<Vec<[f64; 2]>> {
    let k = TAU / WAVELENGTH;
    let level_set = move |[x, y, _]: [f64; 3]| y - DEPTH - AMPLITUDE * (k * x).cos();
    let regular = band.map_or(70, |band| band.below as usize + 16);
    let shape = Shape { nx: 32, nz: 1, regular };
    let options = Options { band, hold_volume: false, ..Default::default() };
    let mut water = Tank { shape, cell: CELL, level_set: &level_set, options }.fill(exec)?;
    let share = |heights: &[f64]| {
        let part = |(i, h): (usize, &f64)| (h - DEPTH) * (k * (i as f64 + 0.5) * CELL).cos();
        heights.iter().enumerate().map(part).sum::<f64>() * 2.0 / (heights.len() as f64 * AMPLITUDE)
    };
    let period = TAU / airy(k, DEPTH);
    let mut record = vec![[0.0, share(&surface(&water)?)]];
    for n in 1..=periods * STEPS_PER_PERIOD {
        water.step(period / f64::from(STEPS_PER_PERIOD))?;
        record.push([f64::from(n) / f64::from(STEPS_PER_PERIOD), share(&surface(&water)?)]);
    }
    Ok(record)
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let periods = if is_software(exec) { 2 } else { 6 };
    let mut chart = Chart::new("A standing wave on deep water").axes("time (periods)", "mode (share)");
    let exact = (0..=periods * 32).map(|n| f64::from(n) / 32.0).map(|t| [t, (TAU * t).cos()]);
    chart = chart.with(Series::new("exact", exact).mark(Mark::Dashed));
    let tall = |below| Some(Band { below, ..Band::default() });
    let grids = [
        ("uniform", None, [0.002, 0.0045]),
        ("8 cells over tall ones", tall(8), [0.053, 0.01]),
        ("16 cells over tall ones", tall(16), [0.009, 0.0045]),
    ];
    for (name, band, [detuned, lost]) in grids {
        let record = mode(exec, band, periods)?;
        let found = oscillation(&record)?;
        out.ratio(format!("period error, {name}"), (found.period - 1.0).abs(), Limit::AtMost(detuned));
        out.ratio(format!("decay per period, {name}"), found.decay, Limit::Within(-0.001, lost));
        chart = chart.with(Series::new(name, record));
    }
    out.charts.push(chart);
    Ok(out)
}
