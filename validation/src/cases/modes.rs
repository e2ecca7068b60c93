//! Natural periods of a rectangular basin.

use std::f64::consts::PI;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};
use thalweg_tall::Options;

use crate::data::{Table, table};
use crate::rig::{GRAVITY, is_software};
use crate::tank::{Tank, cubes, oscillation, surface};
use crate::{Case, Limit, Outcome, Result, ValidationError};

pub(crate) const CASE: Case = Case {
    name: "basin-modes",
    about: "Small waves in a basin of 20 × 8 × 14 cells, along it and across: period and decay",
    source: "exact: ω² = g k tanh(k h), no decay",
    run,
};

/// Cells along x, up and along z: the water is 8 of them deep.
const CELLS: [usize; 3] = [20, 14, 14];

/// A mode of a basin.
struct Mode {
    /// Lengths along x and z and depth, m.
    basin: [f64; 3],
    /// Half waves along x and z.
    waves: [f64; 2],
    /// By theory, s.
    period: f64,
}

impl Mode {
    fn read(basins: &Table, row: usize) -> Result<Self> {
        let value = |name: &str| {
            let what = format!("has no row {row}");
            let missing = || ValidationError::Data { table: "seiche_rectangular_basin", what };
            basins.column(name)?.get(row).copied().ok_or_else(missing)
        };
        let basin = [value("Lx")?, value("Ly")?, value("h")?];
        Ok(Self { basin, waves: [value("m")?, value("n")?], period: value("period_s")? })
    }

    /// The mode over time in periods, as a share of what it began with.
    fn record(&self, exec: &Arc<Executor>) -> Result<Vec<[f64; 2]>> {
        let ([lx, lz, depth], [m, n]) = (self.basin, self.waves);
        let cell = lx / CELLS[0] as f64;
        let form = move |x: f64, z: f64| (m * PI * x / lx).cos() * (n * PI * z / lz).cos();
        let level_set = move |[x, y, z]: [f64; 3]| y - depth - 0.02 * depth * form(x, z);
        let options = Options { band: None, gravity: GRAVITY, hold_volume: false, ..Default::default() };
        let mut water = Tank { shape: cubes(CELLS), cell, level_set: &level_set, options }.fill(exec)?;
        let share = |heights: &[f64]| {
            let at = |i: usize| (i as f64 + 0.5) * cell;
            let weight = |c: usize| form(at(c % CELLS[0]), at(c / CELLS[0]));
            heights.iter().enumerate().map(|(c, h)| (h - depth) * weight(c)).sum::<f64>()
        };
        let whole = share(&surface(&water)?);
        let mut record = vec![[0.0, 1.0]];
        for _ in 0..150 {
            water.step(self.period / 60.0)?;
            record.push([water.time() / self.period, share(&surface(&water)?) / whole]);
        }
        Ok(record)
    }
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let basins = table!("seiche_rectangular_basin")?;
    let mut chart = Chart::new("Modes of a basin").axes("time (periods)", "mode (share)");
    let rows = [(0, [0.003, 0.0012]), (2, [0.0072, 0.0026])];
    for (row, [detuned, lost]) in rows.into_iter().take(if is_software(exec) { 1 } else { 2 }) {
        let mode = Mode::read(&basins, row)?;
        let ([lx, lz, depth], [m, n]) = (mode.basin, mode.waves);
        let name = format!("mode ({m}, {n}) of {lx} × {lz} × {depth} m");
        let record = mode.record(exec)?;
        let found = oscillation(&record)?;
        out.ratio(format!("period error, {name}"), (found.period - 1.0).abs(), Limit::AtMost(detuned));
        out.ratio(format!("decay per period, {name}"), found.decay, Limit::Within(-0.001, lost));
        chart = chart.with(Series::new(name, record));
    }
    out.charts.push(chart);
    Ok(out)
}
