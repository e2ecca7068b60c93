//! Standing waves: how fast a scheme damps them, and whether f32 resolves a millimetre on a kilometre.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};
use thalweg_shallow::{InitialCell, Limiter, Order};

use crate::height_field::{HeightField, Spot, Uniform};
use crate::rig::{GRAVITY, Run, SECOND, slope};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "standing-wave-decay",
    about: "A standing wave of 20 cells: decay and period by order; a 1 mm wave on 1000 m of water keeps its size",
    source: "exact: linear long waves, period λ/√(g h), no decay",
    run,
};

/// A standing wave in a basin one wavelength long.
pub(super) struct Wave {
    pub(super) cells: u32,
    pub(super) cell: f64,
    pub(super) depth: f64,
    pub(super) height: f64,
    pub(super) periods: u32,
}

/// Amplitude over time (periods, relative) and phase over time.
pub(super) struct Record {
    pub(super) amplitude: Vec<[f64; 2]>,
    phase: Vec<[f64; 2]>,
    pub(super) drift: f64,
}

impl Record {
    /// Part of the amplitude lost per period.
    pub(super) fn decay(&self) -> f64 {
        self.amplitude.last().map_or(f64::NAN, |[t, a]| 1.0 - a.powf(1.0 / t))
    }

    /// Relative error of the frequency.
    pub(super) fn detuning(&self) -> f64 {
        (slope(&self.phase) / TAU - 1.0).abs()
    }

    /// Size of the wave that is missing at the end, in size and phase, as a share of the whole.
    pub(super) fn error(&self) -> f64 {
        let [Some([t, size]), Some([_, turned])] = [self.amplitude.last(), self.phase.last()] else { return f64::NAN };
        let lag = turned - TAU * t;
        (size * lag.cos() - 1.0).hypot(size * lag.sin())
    }
}

impl Wave {
    pub(super) fn length(&self) -> f64 {
        f64::from(self.cells) * self.cell
    }

    /// Bed and water at the start.
    pub(super) fn crest(&self, x: f64) -> InitialCell {
        let surface = self.height * (TAU / self.length() * x).cos();
        InitialCell { bed: -self.depth, surface, velocity: [0.0; 2] }
    }

    fn run(&self, exec: &Arc<Executor>, order: Order) -> Result<Record> {
        let run = Run::channel(exec, self.cells, self.cell, order, &|x| self.crest(x))?;
        self.record(&mut Uniform::new(run, &[], &[])?)
    }

    /// Lets the wave swing.
    pub(super) fn record(&self, water: &mut dyn HeightField) -> Result<Record> {
        let (k, c) = (TAU / self.length(), (GRAVITY * self.depth).sqrt());
        let mode = |spot: &Spot| {
            // Cells hold means, which are lower than crests.
            let (half, x) = (0.5 * k * spot.size, k * spot.at[0]);
            let mean = half.sin() / half;
            Shape { surface: mean * x.cos(), velocity: mean * x.sin() * c / self.depth, depth: self.depth }
        };
        swing(water, self.length() / c, self.periods, &mode)
    }
}

/// A mode of a basin in one of its cells, for an amplitude of 1 m: surface, velocity a quarter of a period later, and
/// depth.
pub(super) struct Shape {
    pub(super) surface: f64,
    pub(super) velocity: f64,
    pub(super) depth: f64,
}

/// Follows a mode over periods: the one that fits best to surface and velocity.
pub(super) fn swing(
    water: &mut dyn HeightField,
    period: f64,
    periods: u32,
    mode: &dyn Fn(&Spot) -> Shape,
) -> Result<Record> {
    let fit = |water: &mut dyn HeightField| -> Result<[f64; 2]> {
        let (mut found, mut whole) = ([0.0; 2], [0.0; 2]);
        for spot in water.spots()? {
            let (shape, area) = (mode(&spot), spot.size * spot.size);
            found[0] += area * spot.surface * shape.surface;
            whole[0] += area * shape.surface.powi(2);
            found[1] += area * shape.depth * spot.velocity * shape.velocity;
            whole[1] += area * shape.depth * shape.velocity.powi(2);
        }
        Ok([found[0] / whole[0], found[1] / whole[1]])
    };
    let start = fit(water)?[0];
    let mut record = Record { amplitude: vec![[0.0, 1.0]], phase: vec![[0.0, 0.0]], drift: 0.0 };
    for n in 1..=periods * 16 {
        let time = f64::from(n) / 16.0;
        water.to(time * period)?;
        let [a, b] = fit(water)?;
        record.amplitude.push([time, a.hypot(b) / start]);
        let turned = b.atan2(a);
        record.phase.push([time, turned + TAU * (time - turned / TAU).round()]);
    }
    record.drift = water.drift()?;
    Ok(record)
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

    // A millimetre and a metre on a kilometre of water, 100 km long: in f32 both must be damped alike.
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
