//! A cylinder falls flat into water.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};

use crate::data::{Curve, table};
use crate::floating::Basin;
use crate::rig::{GRAVITY, rms};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "water-entry",
    about: "A cylinder of half the density of water falls flat into it: depth of penetration",
    source: "measured: Greenhow & Lin 1983, MIT report 83-19; computed: boundary elements and SPH in Sun et al. 2018, Appl. Ocean Res. 72",
    run,
};

/// Diameter of the cylinder, m.
const DIAMETER: f64 = 0.11;
/// Speed at which it touches the water, m/s.
const SPEED: f64 = 2.955;
/// Depth of the water, m.
const DEPTH: f64 = 0.3;
/// End of the run, and of the first part, in units of √(D/g).
const END: f64 = 1.25;
const EARLY: f64 = 0.8;

fn fall(exec: &Arc<Executor>, across: usize) -> Result<Curve> {
    let cell = DIAMETER / across as f64;
    let size = [1.0, 0.6, cell].map(|length| (length / cell).round().max(1.0) * cell);
    let [x, y] = [0.5 * size[0], DEPTH + 0.5 * DIAMETER];
    let body = format!(
        "shape = 'cylinder'\nfrom = [{x:?}, {y:?}, 0.0]\nto = [{x:?}, {y:?}, {cell:?}]\nradius = {:?}\ndensity = 500\n\
         velocity = [0, {:?}, 0]\ndrag = 0",
        0.5 * DIAMETER,
        -SPEED
    );
    let basin = Basin { size, cell, level: DEPTH, solver: "uniform", options: "max_cfl = 1", bodies: vec![body] };
    let unit = (DIAMETER / GRAVITY).sqrt();
    let frame = 0.01 * unit;
    let record = basin.record(exec, END * unit, frame)?;
    let sunk = record.iter().map(|now| [now.time / unit, (y - now.bodies[0].pose.position[1]) / DIAMETER]);
    Ok(Curve { points: sunk.collect() })
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut chart = Chart::new("Depth of a cylinder that falls into water").axes("t √(g/D)", "depth over the diameter");
    let data = table!("greenhow_lin1983_cylinder_rho500")?;
    let known = |series: &str| -> Result<Vec<[f64; 2]>> {
        let points = data.curve("t_star", "s_star", |row| row[0] == series)?.points;
        Ok(points.into_iter().filter(|p| p[0] >= 0.0 && p[0] < END).collect())
    };
    let [measured, elements, sph] = [known("experimental")?, known("BEM")?, known("SPH")?];
    for (name, points) in [("measured", &measured), ("boundary elements", &elements), ("SPH", &sph)] {
        chart = chart.with(Series::new(name, points.clone()).mark(Mark::Points));
    }
    let across = 20;
    let curve = fall(exec, across)?;
    let errors = |points: &[[f64; 2]]| -> Vec<[f64; 2]> {
        points.iter().map(|p| [p[0], curve.at(p[0]) - p[1]]).filter(|p| p[1].is_finite()).collect()
    };
    let worst =
        |errors: &[[f64; 2]]| errors.iter().map(|p| p[1]).fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
    let (early, late): (Vec<_>, Vec<_>) = errors(&measured).into_iter().partition(|p| p[0] <= EARLY);
    let name = format!("{across} cells across");
    out.ratio(format!("worst error up to 0.8, diameters, {name}"), worst(&early), Limit::Within(-0.095, 0.095));
    out.ratio(format!("error at 1.13, diameters, {name}"), worst(&late), Limit::Within(-0.25, 0.25));
    let apart = rms(errors(&elements).iter().map(|p| p[1]));
    out.ratio(format!("rms difference to boundary elements, diameters, {name}"), apart, Limit::AtMost(0.053));
    out.notes.push("boundary elements themselves err by 0.03 diameters up to 0.8 and by 0.15 at 1.13".into());
    out.charts.push(chart.with(Series::new(name, curve.points)));
    Ok(out)
}
