//! A solitary wave on a conical island (Briggs et al. 1995, case A; NTHMP benchmark problem 6).
//!
//! The wave enters where its height was measured, on the line of gauges 1 to 4, and the flow is taken as symmetric
//! about the island's axis, so half the basin is simulated. The model has no dispersion and no friction.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_shallow::{FarField, InitialCell, Order, Setup};

use crate::data::{Curve, table};
use crate::height_field::{HeightField, Uniform};
use crate::rig::{Edge, GRAVITY, Run, SECOND, channel_edges, is_software, options, rms, sides_and_far_fields};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "conical-island",
    about: "A solitary wave of H/d = 0.045 around a conical island: four gauges and the run-up all around",
    source: "measured: Briggs et al. 1995 (NTHMP benchmark problem 6), run-up also as tabulated from Liu et al. 1995",
    run,
};

pub(super) const DEPTH: f64 = 0.32;
const HEIGHT: f64 = 0.045 * DEPTH;
/// Island's axis, west edge (the line of gauges 1 to 4), east edge, m.
const AXIS: [f64; 2] = [12.96, 13.80];
const WEST: f64 = 5.76;
const EAST: f64 = 25.0;
/// Gauges in the order g6, g9, g16, g22.
pub(super) const NAMES: [&str; 4] = ["g6", "g9", "g16", "g22"];
const GAUGES: [[f64; 2]; 4] = [[9.36, 13.80], [10.36, 13.80], [12.96, 11.22], [15.56, 13.80]];
const FRAME: f64 = 0.04;
/// The crest enters at this time, and the first wave has passed every gauge at that one, s.
const CREST: f64 = 4.5;
const END: f64 = 14.0;
/// A cell counts as flooded from this depth on, m.
const FLOODED: f64 = 5e-4;

fn bed(x: f64, y: f64) -> f64 {
    let r = (x - AXIS[0]).hypot(y - AXIS[1]);
    ((3.6 - r) / 4.0).clamp(0.0, 0.625)
}

pub(super) struct Record {
    /// Rise of the surface at each gauge over time.
    pub(super) gauges: Vec<Curve>,
    /// Angle from the front of the island, degrees, and highest water there above the still level, m.
    runup: Vec<[f64; 2]>,
}

impl Record {
    /// Run-up at an angle: the highest of the shore's cells within two degrees.
    fn runup_at(&self, angle: f64) -> f64 {
        self.runup.iter().filter(|p| (p[0] - angle).abs() <= 2.0).map(|p| p[1]).fold(0.0, f64::max)
    }

    /// Run-up all around.
    pub(super) fn runup_around(&self) -> Vec<[f64; 2]> {
        (0..=90).map(|n| 2.0 * f64::from(n)).map(|angle| [angle, self.runup_at(angle)]).collect()
    }
}

/// The part of the basin that is simulated, by cells: its north side is the island's axis.
pub(super) struct Part {
    pub(super) nx: u32,
    pub(super) nz: u32,
    pub(super) cell: f64,
}

impl Part {
    /// Place of a point that is given from the low corner.
    pub(super) fn place(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [WEST + x, AXIS[1] - f64::from(self.nz) * self.cell + z]
    }

    fn middle(&self, i: u32, k: u32) -> [f64; 2] {
        [i, k].map(|n| (f64::from(n) + 0.5) * self.cell)
    }

    /// Bed and water at the start, at a point from the low corner.
    pub(super) fn initial(&self, at: [f64; 2]) -> InitialCell {
        let [x, y] = self.place(at);
        InitialCell { bed: bed(x, y), surface: DEPTH, velocity: [0.0; 2] }
    }

    pub(super) fn edges(&self) -> [Edge; 4] {
        let steepness = (0.75 * HEIGHT / DEPTH.powi(3)).sqrt() * (GRAVITY * (DEPTH + HEIGHT)).sqrt(); // 1/s
        let level = move |t: f64| DEPTH + HEIGHT / (steepness * (t - CREST)).cosh().powi(2);
        let west = FarField { level: Box::new(level), rest: DEPTH, layer: 0 };
        let layer = (12.0 * 0.05 / self.cell).round().max(12.0) as u32;
        let east = FarField { level: Box::new(|_| DEPTH), rest: DEPTH, layer };
        channel_edges(Edge::FarField(west), Edge::FarField(east))
    }

    /// Gauges, and the cells of the shore, from the low corner.
    pub(super) fn places(&self) -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
        let [x0, y0] = self.place([0.0; 2]);
        let near_shore = |&at: &[f64; 2]| {
            let [x, y] = self.place(at);
            (-0.01..0.08).contains(&(bed(x, y) - DEPTH))
        };
        let cells = (0..self.nz).flat_map(|k| (0..self.nx).map(move |i| self.middle(i, k)));
        (GAUGES.iter().map(|[x, y]| [x - x0, y - y0]).collect(), cells.filter(near_shore).collect())
    }

    /// On a uniform grid.
    pub(super) fn uniform(&self, exec: &Arc<Executor>, order: Order) -> Result<Uniform> {
        let initial = |i: u32, k: u32| self.initial(self.middle(i, k));
        let mut setup = Setup::new(self.nx, self.nz, self.cell, &initial);
        setup.options = options(order);
        (setup.sides, setup.far_fields) = sides_and_far_fields(self.edges());
        let (gauges, shore) = self.places();
        Uniform::new(Run::new(exec, setup)?, &gauges, &shore)
    }

    /// Lets the wave pass.
    pub(super) fn record(&self, water: &mut dyn HeightField) -> Result<Record> {
        let mut record = Record { gauges: vec![Curve { points: Vec::new() }; GAUGES.len()], runup: Vec::new() };
        let angle = |&at: &[f64; 2]| {
            let [x, y] = self.place(at);
            (AXIS[1] - y).atan2(AXIS[0] - x).to_degrees()
        };
        record.runup = self.places().1.iter().map(|at| [angle(at), 0.0]).collect();
        for n in 1..=(END / FRAME) as u32 {
            let time = f64::from(n) * FRAME;
            water.to(time)?;
            for (curve, surface) in record.gauges.iter_mut().zip(water.gauges()?) {
                curve.points.push([time, surface - DEPTH]);
            }
            for (highest, now) in record.runup.iter_mut().zip(water.listed()?) {
                if now.depth > FLOODED {
                    highest[1] = highest[1].max(now.surface - DEPTH);
                }
            }
        }
        Ok(record)
    }
}

fn simulate(exec: &Arc<Executor>, cell: f64, order: Order) -> Result<Record> {
    // A wall 4 m nearer changes nothing before what it returns arrives, which is after the end; it saves a third.
    let south = if is_software(exec) { 4.0 } else { 0.0 };
    let (nx, nz) = (((EAST - WEST) / cell).round() as u32, ((AXIS[1] - south) / cell).round() as u32);
    let part = Part { nx, nz, cell };
    part.record(&mut part.uniform(exec, order)?)
}

/// Measured records, each from its level before the wave.
fn measured() -> Result<Vec<Curve>> {
    let table = table!("briggs1995_caseA_gauges")?;
    let level = |name: &str| {
        let mut curve = table.curve("t_s", &format!("{name}_m"), |_| true)?;
        let before: Vec<f64> = curve.points.iter().filter(|p| p[0] < 26.0).map(|p| p[1]).collect();
        let mean = before.iter().sum::<f64>() / before.len() as f64;
        curve.points.iter_mut().for_each(|p| p[1] -= mean);
        Ok(curve)
    };
    NAMES.iter().map(|n| level(n)).collect()
}

/// Times and heights of the crest.
fn crest(points: impl IntoIterator<Item = [f64; 2]>) -> [f64; 2] {
    points.into_iter().fold([0.0, 0.0], |best, p| if p[1] > best[1] { p } else { best })
}

/// Root mean square of the difference at one gauge over a span of laboratory time, the model's clock `shift` behind.
fn gauge_error(model: &Curve, lab: &Curve, shift: f64, span: [f64; 2]) -> f64 {
    let inside = |p: &&[f64; 2]| p[0] + shift >= span[0] && p[0] + shift <= span[1];
    rms(model.points.iter().filter(inside).map(|p| p[1] - lab.at(p[0] + shift)))
}

/// One of the errors of a run.
pub(super) struct Found {
    pub(super) what: String,
    pub(super) error: f64,
    /// What is allowed on a uniform grid.
    pub(super) limit: f64,
    pub(super) unit: &'static str,
}

/// What was measured in the laboratory.
pub(super) struct Laboratory {
    pub(super) gauges: Vec<Curve>,
    /// Times and heights of the crests.
    crests: Vec<[f64; 2]>,
    pub(super) runup: Vec<RunUp>,
}

/// Run-up by the angle from the front, as published.
pub(super) struct RunUp {
    pub(super) name: &'static str,
    pub(super) points: Vec<[f64; 2]>,
    /// What is allowed in the mean and at most.
    limits: [f64; 2],
}

impl Laboratory {
    pub(super) fn read() -> Result<Self> {
        let gauges = measured()?;
        let crests = gauges.iter().map(|l| crest(l.points.iter().copied().filter(|p| p[0] < 40.0))).collect();
        let table = table!("briggs1995_caseA_runup")?;
        let mut runup = Vec::new();
        for (name, limits) in [("Liu1995", [0.125, 0.19]), ("NTHMP", [0.55, 1.1])] {
            let mut points = table.curve("angle_deg", "runup_m", |row| row[2] == name)?.points;
            if name == "NTHMP" {
                // 270° is the front there, 90° the lee; both sides of the axis fall on one.
                points.iter_mut().for_each(|p| p[0] = ((p[0] - 90.0).rem_euclid(360.0) - 180.0).abs());
            }
            runup.push(RunUp { name, points, limits });
        }
        Ok(Self { gauges, crests, runup })
    }

    /// Error of the first wave at a gauge: from three seconds before the crest until half of it has passed.
    fn first_wave(&self, record: &Record, n: usize, shift: f64) -> f64 {
        let crest = self.crests[n][0];
        gauge_error(&record.gauges[n], &self.gauges[n], shift, [crest - 3.0, crest + 1.5])
    }

    /// The laboratory's clock less the model's, one for all gauges.
    pub(super) fn shift(&self, record: &Record) -> f64 {
        let total = |shift: f64| (0..NAMES.len()).map(|n| self.first_wave(record, n, shift)).sum::<f64>();
        let shifts = (0..800).map(|n| 20.0 + 0.01 * f64::from(n));
        shifts.min_by(|a, b| total(*a).total_cmp(&total(*b))).unwrap_or(f64::NAN)
    }

    /// Relative errors of the run-up at the points of a set.
    fn runup_errors(record: &Record, points: &[[f64; 2]]) -> Vec<f64> {
        points.iter().map(|p| (record.runup_at(p[0]) / p[1] - 1.0).abs()).collect()
    }

    /// All errors of a run.
    pub(super) fn errors(&self, record: &Record) -> Vec<Found> {
        let shift = self.shift(record);
        let mut all = Vec::new();
        let mut found = |what: String, error: f64, limit: f64, unit| all.push(Found { what, error, limit, unit });
        let limits = [(0.18, 0.17, 0.125), (0.18, 0.17, 0.12), (0.03, 0.13, 0.075), (0.31, 0.13, 0.165)];
        for (n, (peak, timing, overall)) in limits.into_iter().enumerate() {
            let (m, l, name) = (crest(record.gauges[n].points.iter().copied()), self.crests[n], NAMES[n]);
            found(format!("{name}: error of the crest"), (m[1] / l[1] - 1.0).abs(), peak, "");
            found(format!("{name}: error of the crest's time"), (m[0] + shift - l[0]).abs(), timing, "s");
            let first = self.first_wave(record, n, shift) / l[1];
            found(format!("{name}: rms error of the first wave"), first, overall, "");
        }
        for RunUp { name: set, points, limits: [mean_limit, max_limit] } in &self.runup {
            let errors = Self::runup_errors(record, points);
            found(format!("run-up, mean error against {set}"), mean(&errors), *mean_limit, "");
            let worst = errors.iter().copied().fold(0.0, f64::max);
            found(format!("run-up, largest error against {set}"), worst, *max_limit, "");
        }
        all
    }

    /// What was measured at a gauge while the model ran.
    pub(super) fn shown(&self, n: usize, shift: f64) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.gauges[n].points.iter().copied().filter(move |p| p[0] > 26.0 && p[0] < END + shift)
    }
}

fn mean(errors: &[f64]) -> f64 {
    errors.iter().sum::<f64>() / errors.len() as f64
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let lab = Laboratory::read()?;
    let record = simulate(exec, 0.05, SECOND)?;
    let coarse = if is_software(exec) { None } else { Some(simulate(exec, 0.1, SECOND)?) };
    let shift = lab.shift(&record);
    out.notes.push(format!("one time shift for all gauges: laboratory clock = model clock + {shift:.2} s"));
    for found in lab.errors(&record) {
        out.measure(found.what, found.error, Limit::AtMost(found.limit), found.unit);
    }
    for (n, name) in NAMES.into_iter().enumerate() {
        let (model, m, l) = (&record.gauges[n], crest(record.gauges[n].points.iter().copied()), lab.crests[n]);
        let all = gauge_error(model, &lab.gauges[n], shift, [26.0, END + shift]) / l[1];
        out.notes.push(format!(
            "{name}: crest {:.1} mm, measured {:.1} mm; rms error with the trough {:.1} % of the crest",
            1e3 * m[1],
            1e3 * l[1],
            100.0 * all
        ));
        out.charts.push(
            Chart::new(format!("Conical island, gauge {name}"))
                .axes("time (s)", "surface (m)")
                .with(Series::new("measured", lab.shown(n, shift)).mark(Mark::Points))
                .with(Series::new("computed", model.points.iter().map(|p| [p[0] + shift, p[1]]))),
        );
    }
    out.notes.push("the measured wave draws a trough behind it that a solitary wave does not have".into());
    let mut chart = Chart::new("Conical island: run-up").axes("angle from the front (degrees)", "run-up (m)");
    chart = chart.with(Series::new("computed", record.runup_around()));
    for RunUp { name: set, points, .. } in &lab.runup {
        if let Some(coarse) = &coarse {
            let [rough, fine] = [coarse, &record].map(|r| 100.0 * mean(&Laboratory::runup_errors(r, points)));
            let what =
                format!("run-up against {set}: mean error {rough:.1} % with cells of 10 cm, {fine:.1} % with 5 cm");
            out.notes.push(what);
        }
        chart = chart.with(Series::new(format!("measured ({set})"), points.clone()).mark(Mark::Points));
    }
    out.notes.push(
        "the model of Liu et al. (1995) differs from the Liu1995 set by 4.3 % on average and 13.6 % at most; the two \
         published sets differ from each other by 30 to 50 %"
            .into(),
    );
    out.charts.push(chart);
    Ok(out)
}
