//! Standing waves: how fast a scheme wears them down, and whether f32 carries a millimetre on a kilometre.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};
use thalweg_shallow::{InitialCell, Limiter, Order};

use crate::rig::{GRAVITY, Run, SECOND, center, slope};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "standing-wave-decay",
    about: "A standing wave of 20 cells: decay and period by order; a 1 mm wave on 1000 m of water keeps its size",
    source: "exact: linear long waves, period λ/√(g h), no decay",
    run,
};

/// A standing wave in a basin one wavelength long.
struct Wave {
    cells: u32,
    cell: f64,
    depth: f64,
    height: f64,
    periods: u32,
}

/// Amplitude over time (periods, relative) and phase over time.
struct Record {
    amplitude: Vec<[f64; 2]>,
    phase: Vec<[f64; 2]>,
    drift: f64,
}

impl Record {
    /// Part of the amplitude lost per period.
    fn decay(&self) -> f64 {
        self.amplitude.last().map_or(f64::NAN, |[t, a]| 1.0 - a.powf(1.0 / t))
    }

    /// Relative error of the frequency.
    fn detuning(&self) -> f64 {
        (slope(&self.phase) / TAU - 1.0).abs()
    }
}

impl Wave {
    fn run(&self, exec: &Arc<Executor>, order: Order) -> Result<Record> {
        let length = f64::from(self.cells) * self.cell;
        let k = TAU / length;
        let c = (GRAVITY * self.depth).sqrt();
        let crest = |x: f64| InitialCell { bed: -self.depth, surface: self.height * (k * x).cos(), velocity: [0.0; 2] };
        let mut run = Run::channel(exec, self.cells, self.cell, order, &crest)?;
        let mut record = Record { amplitude: vec![[0.0, 1.0]], phase: vec![[0.0, 0.0]], drift: 0.0 };
        for n in 1..=self.periods * 16 {
            let time = f64::from(n) / 16.0;
            run.to(time * length / c)?;
            let fields = run.fields()?;
            let (mut a, mut b) = (0.0, 0.0);
            for i in 0..self.cells {
                let (x, at) = (center(i, self.cell), i as usize);
                a += f64::from(fields.surface[at]) * (k * x).cos();
                b += f64::from(fields.u[at]) * (k * x).sin() * self.depth / c;
            }
            let scale = 2.0 / (f64::from(self.cells) * self.height);
            record.amplitude.push([time, scale * a.hypot(b)]);
            let turned = b.atan2(a);
            record.phase.push([time, turned + TAU * (time - turned / TAU).round()]);
        }
        record.drift = run.drift()?;
        Ok(record)
    }
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut drift = 0.0f64;
    let mut chart = Chart::new("Standing wave of 20 cells: amplitude left").axes("time (periods)", "amplitude (share)");
    let wave = Wave { cells: 20, cell: 1.0, depth: 1.0, height: 1e-3, periods: 10 };
    let mc = Order::Second { limiter: Limiter::Mc };
    for (name, order, decay, detuning) in [
        ("first order", Order::First, 0.4, 0.0025),
        ("second order, minmod", SECOND, 0.057, 6e-4),
        ("second order, MC", mc, 0.0135, 1e-3),
    ] {
        let record = wave.run(exec, order)?;
        drift = drift.max(record.drift);
        out.ratio(format!("decay per period, 20 cells, {name}"), record.decay(), Limit::AtMost(decay));
        out.ratio(format!("frequency error, 20 cells, {name}"), record.detuning(), Limit::AtMost(detuning));
        chart = chart.with(Series::new(name, record.amplitude));
    }
    out.charts.push(chart);

    // A millimetre and a metre on a kilometre of water, 100 km long: in f32 both must live alike.
    let swell = |height: f64| Wave { cells: 100, cell: 1000.0, depth: 1000.0, height, periods: 5 };
    let (small, large) = (swell(1e-3).run(exec, SECOND)?, swell(1.0).run(exec, SECOND)?);
    drift = drift.max(small.drift).max(large.drift);
    let left = |r: &Record| r.amplitude.last().map_or(f64::NAN, |a| a[1]);
    out.ratio("1 mm on 1000 m: amplitude left after 5 periods", left(&small), Limit::AtLeast(0.995));
    out.ratio("1 mm on 1000 m: frequency error", small.detuning(), Limit::AtMost(1e-4));
    let apart = (left(&small) / left(&large) - 1.0).abs();
    out.ratio("1 mm on 1000 m: amplitude against that of a 1 m wave", apart, Limit::AtMost(2e-4));
    out.mass(drift);
    out.charts.push(
        Chart::new("A wave of 100 km on 1000 m of water: amplitude left")
            .axes("time (periods)", "amplitude (share)")
            .with(Series::new("1 mm", small.amplitude))
            .with(Series::new("1 m", large.amplitude)),
    );
    Ok(out)
}
