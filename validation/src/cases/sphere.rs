//! A sphere at the surface: what carries it, what moves with it, how it bobs; with the settings that a scene has by default.

use std::f64::consts::PI;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};

use crate::afloat::{Basin, WATER};
use crate::rig::{GRAVITY, is_software};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "sphere-afloat",
    about: "A sphere in shallow and deep water, default settings: still lift, added mass from rest, period of small heave",
    source: "Archimedes; added mass of a half-sunk sphere at high frequency, ½ of the displaced mass; 6.22 √(R/g) from the first to the third crossing",
    run,
};

/// m.
const RADIUS: f64 = 1.0;
const HELD: &str = "lock = ['x', 'y', 'z', 'turn-x', 'turn-y', 'turn-z']";

fn sphere(middle: [f64; 3], density: f64, more: &str) -> String {
    format!("shape = 'sphere'\nradius = {RADIUS:?}\ncenter = {middle:?}\ndensity = {density:?}\ndrag = 0\n{more}")
}

/// A basin of a width, with its sphere in the middle but for `aside` and `up`, m.
fn basin(cells: f64, [width, depth]: [f64; 2], [aside, up]: [f64; 2], density: f64, more: &str) -> Basin<'static> {
    let middle = [0.5 * width + aside, depth + up, 0.5 * width];
    let bodies = vec![sphere(middle, density, more)];
    let size = [width, depth + 2.0 * RADIUS, width];
    Basin { size, cell: RADIUS / cells, level: depth, solver: "tall-cells", options: "", bodies }
}

/// Lift of still water on a held sphere over the weight of the water that it displaces, less 1.
fn lift(exec: &Arc<Executor>, cells: f64, place: [f64; 2]) -> Result<f64> {
    let basin = basin(cells, [5.0, 3.0], place, 500.0, HELD);
    let forces = basin.watch(exec, 0.04, 0.02, |water| Ok(water.bodies()[0].force[1]))?;
    let sunk = (RADIUS - place[1]).clamp(0.0, 2.0 * RADIUS);
    let displaced = PI * sunk * sunk * (RADIUS - sunk / 3.0);
    Ok(forces[forces.len() - 1] / (WATER * GRAVITY * displaced) - 1.0)
}

/// Mass of the water that goes with a half-sunk sphere when it is let go, over that which it displaces: from the velocity that a short step gives it.
fn added_mass(exec: &Arc<Executor>, cells: f64, depth: f64, aside: f64) -> Result<f64> {
    let (density, dt) = (300.0, 1e-3);
    let basin = basin(cells, [8.0 * RADIUS, depth * RADIUS], [aside, 0.0], density, "");
    let speeds = basin.watch(exec, dt, dt, |water| Ok(water.bodies()[0].velocity[1]))?;
    let acceleration = speeds[1] / dt;
    let mass = 2.0 * density / WATER; // over the displaced
    Ok((1.0 - mass) * GRAVITY / acceleration - mass)
}

/// Times at which a record of heights crosses 0, s.
fn crossings(record: &[[f64; 2]]) -> Vec<f64> {
    let crosses = record.windows(2).filter(|pair| (pair[0][1] > 0.0) != (pair[1][1] > 0.0));
    crosses.map(|pair| pair[0][0] + (pair[1][0] - pair[0][0]) * pair[0][1] / (pair[0][1] - pair[1][1])).collect()
}

/// Speed of a sphere of twice the density of water that sinks in deep water, after a second, over that without friction, less 1. Columns grow below it
/// on the way.
fn sinking(exec: &Arc<Executor>) -> Result<f64> {
    let (cells, radius, depth) = (5.0, 0.5, 9.0);
    let body =
        format!("shape = 'sphere'\nradius = {radius}\ncenter = [1.7, {}, 1.7]\ndensity = 2000\ndrag = 0", depth - 1.5);
    let size = [3.4, depth + 1.0, 3.4];
    let basin =
        Basin { size, cell: radius / cells, level: depth, solver: "tall-cells", options: "", bodies: vec![body] };
    let seen = basin.watch(exec, 1.0, 1.0 / 30.0, |water| Ok([water.time(), water.bodies()[0].velocity[1]]))?;
    let [time, speed] = seen[seen.len() - 1];
    // (ρ − 1)/(ρ + ½) g
    Ok(-speed / (0.4 * GRAVITY * time) - 1.0)
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let software = is_software(exec);
    let places = [[0.0, 0.0], [0.03, 0.02], [0.05, 0.05], [0.01, 0.37], [0.02, -0.47], [0.0, 0.55]];
    let mut errors = Vec::new();
    for [aside, up] in places.into_iter().take(if software { 2 } else { places.len() }) {
        errors.push([up, lift(exec, 10.0, [aside, up])?]);
    }
    let worst = errors.iter().fold(0.0f64, |worst, error| worst.max(error[1].abs()));
    out.charts.push(
        Chart::new("Still lift of a held sphere, 10 cells a radius")
            .axes("middle over the level (radii)", "error")
            .with(Series::new("error", errors)),
    );
    out.ratio("error of the still lift, 10 cells a radius, the worst of some places", worst, Limit::AtMost(0.003));
    let sizes: &[f64] = if software { &[] } else { &[5.0, 10.0, 20.0] };
    for (cells, depth) in sizes.iter().flat_map(|cells| [(*cells, 3.0), (*cells, 30.0)]) {
        let found = added_mass(exec, cells, depth, 0.03)?;
        let name = format!("added mass over the displaced, {cells} cells a radius, {depth} radii deep");
        let limit = if cells < 10.0 { Limit::Within(0.46, 0.54) } else { Limit::Within(0.48, 0.52) };
        out.ratio(name, found, limit);
    }
    if !software {
        let basin = basin(6.0, [16.0, 3.0], [0.0, 0.1], 500.0, "");
        let heights = basin
            .watch(exec, 2.75, 1.0 / 60.0, |water| Ok([water.time(), water.bodies()[0].pose.position[1] - 3.0]))?;
        let times = crossings(&heights);
        let period = if times.len() > 2 { times[2] - times[0] } else { f64::NAN };
        let theory = 6.22 * (RADIUS / GRAVITY).sqrt();
        out.ratio("error of the period of heave, 6 cells a radius", period / theory - 1.0, Limit::Within(-0.02, 0.02));
        let name = "speed of a sphere that sinks for a second, over that without friction, less 1";
        out.ratio(name, sinking(exec)?, Limit::Within(-0.25, 0.02));
        out.notes.push(format!("heave: period {period:.3} s (theory {theory:.3} s)"));
        let heave = heights.into_iter().map(|[time, height]| [time, 10.0 * height]);
        out.charts.push(
            Chart::new("Heave of a half-sunk sphere")
                .axes("t (s)", "height over that at the start")
                .with(Series::new("6 cells a radius", heave)),
        );
    }
    Ok(out)
}
