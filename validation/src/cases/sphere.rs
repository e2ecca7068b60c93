//! A sphere at the surface: what carries it, what moves with it, how it bobs; with the settings that a scene has by
//! default.

use std::f64::consts::PI;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};

use crate::data::{Curve, table};
use crate::floating::{Basin, WATER};
use crate::rig::{GRAVITY, is_software};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "sphere-afloat",
    about: "A sphere in shallow and deep water, default settings: still lift, added mass from rest, period of small heave",
    source: "Archimedes; added mass of a half-sunk sphere at high frequency, ½ of the displaced mass, more between walls (image dipoles); 6.22 √(R/g) from the first to the third crossing",
    run,
};

pub(crate) const LONG: Case = Case {
    about: "A half-sunk sphere on cubic and tall cells: added mass (5, 10, 20 cells a radius), period and decay of heave, draft (5, 10)",
    source: "added mass ½ of the displaced mass; heave by Hulme's coefficients (1982) and the Cummins equation; Archimedes",
    run: run_long,
    ..CASE
};

/// m.
const RADIUS: f64 = 1.0;
const HELD: &str = "lock = ['x', 'y', 'z', 'turn-x', 'turn-y', 'turn-z']";

fn sphere(middle: [f64; 3], density: f64, more: &str) -> String {
    format!("shape = 'sphere'\nradius = {RADIUS:?}\ncenter = {middle:?}\ndensity = {density:?}\ndrag = 0\n{more}")
}

/// Of the basin that an added mass is measured in, radii: walls 5 radii away add 0.007 of the mass displaced in deep water,
/// walls 4 radii away 0.013.
const WIDTH: f64 = 10.0;

/// A sphere's cells along its radius, and the solver.
type Grid = (f64, &'static str);

const TALL: &str = "tall-cells";

/// A basin of a width, with its sphere in the middle but for `aside` and `up`, m.
fn basin(
    (cells, solver): Grid,
    [width, depth]: [f64; 2],
    [aside, up]: [f64; 2],
    density: f64,
    more: &str,
) -> Basin<'static> {
    let middle = [0.5 * width + aside, depth + up, 0.5 * width];
    let bodies = vec![sphere(middle, density, more)];
    let size = [width, depth + 2.0 * RADIUS, width];
    Basin { size, cell: RADIUS / cells, level: depth, solver, options: "", bodies }
}

/// Lift of still water on a held sphere over the weight of the water that it displaces, less 1.
fn lift(exec: &Arc<Executor>, cells: f64, place: [f64; 2]) -> Result<f64> {
    let basin = basin((cells, TALL), [5.0, 3.0], place, 500.0, HELD);
    let forces = basin.watch(exec, 0.04, 0.02, |water| Ok(water.bodies()[0].force[1]))?;
    let sunk = (RADIUS - place[1]).clamp(0.0, 2.0 * RADIUS);
    let displaced = PI * sunk * sunk * (RADIUS - sunk / 3.0);
    Ok(forces[forces.len() - 1] / (WATER * GRAVITY * displaced) - 1.0)
}

/// Mass of the water that goes with a half-sunk sphere when it is let go, over that which it displaces: from the
/// velocity that a short step gives it.
fn added_mass(exec: &Arc<Executor>, grid: Grid, [width, depth]: [f64; 2], [aside, up]: [f64; 2]) -> Result<f64> {
    let (density, dt) = (300.0, 1e-3);
    let basin = basin(grid, [width * RADIUS, depth * RADIUS], [aside, up], density, "");
    let speeds = basin.watch(exec, dt, dt, |water| Ok(water.bodies()[0].velocity[1]))?;
    let acceleration = speeds[1] / dt;
    let mass = 2.0 * density / WATER; // over the displaced
    Ok((1.0 - 1.5 * up / RADIUS - mass) * GRAVITY / acceleration - mass)
}

/// The same in theory, with walls and ground. With `φ = 0` on the surface the flow is that of a whole sphere, mirrored in
/// the walls, and with the opposite sign in the ground: a lattice of dipoles. Where a sphere of speed `U` is, the others
/// make a flow of `−s U/(1 − s)`, and its added mass is `½ + 3/2 s/(1 − s)` of what it displaces.
fn added_mass_in_theory([width, depth]: [f64; 2]) -> f64 {
    // The sum is then exact to 2·10⁻⁵.
    let (far, layers) = (100, 40);
    let mut share = 0.0;
    for (i, k) in (-far..=far).flat_map(|i| (-far..=far).map(move |k| (f64::from(i), f64::from(k)))) {
        let across = width * width * (i * i + k * k);
        if across > (width * f64::from(far)).powi(2) {
            continue;
        }
        for layer in -layers..=layers {
            let up = 2.0 * depth * f64::from(layer);
            let square = across + up * up;
            if square > 0.0 {
                let sign = if layer % 2 == 0 { 1.0 } else { -1.0 };
                share += sign * 0.5 * (1.0 - 3.0 * up * up / square) / square.powf(1.5);
            }
        }
    }
    0.5 + 1.5 * share / (1.0 - share)
}

/// What is allowed of it: ½, a little less exactly on coarse grids.
fn of_added_mass(cells: f64) -> Limit {
    if cells < 10.0 { Limit::Within(0.46, 0.54) } else { Limit::Within(0.48, 0.52) }
}

/// Heights over those at rest of a sphere let go a tenth of a radius too high, in shares of that, by time, s. Nothing
/// comes back from the walls until the third crossing.
fn heave(exec: &Arc<Executor>, grid: Grid) -> Result<Vec<[f64; 2]>> {
    let (depth, up) = (3.0, 0.1);
    let basin = basin(grid, [16.0, depth], [0.0, up], 500.0, "");
    basin.watch(exec, 2.75, 1.0 / 60.0, |water| Ok([water.time(), (water.bodies()[0].pose.position[1] - depth) / up]))
}

/// Error of the time from the first to the third crossing.
fn period_error(heave: &[[f64; 2]]) -> f64 {
    let times = crossings(heave);
    let period = if times.len() > 2 { times[2] - times[0] } else { f64::NAN };
    period / (6.22 * (RADIUS / GRAVITY).sqrt()) - 1.0
}

/// The lowest and then the highest of a curve, after its start.
fn trough_and_crest(curve: &[[f64; 2]]) -> [f64; 2] {
    let lowest = curve.iter().enumerate().min_by(|a, b| a.1[1].total_cmp(&b.1[1])).map_or(0, |(at, _)| at);
    let crest = curve[lowest..].iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max);
    [curve[lowest][1], crest]
}

/// How much deeper a sphere of half the density of water lies than half, over its radius: the mean of a period that
/// begins 2 s after it was put there.
fn draft_error(exec: &Arc<Executor>, grid: Grid) -> Result<f64> {
    let depth = 3.0;
    let basin = basin(grid, [5.0, depth], [0.03, 0.0], 500.0, "");
    let seen = basin.watch(exec, 4.0, 1.0 / 30.0, |water| Ok(water.bodies()[0].pose.position[1] - depth))?;
    let late = &seen[seen.len() / 2 + 1..];
    Ok(-late.iter().sum::<f64>() / late.len() as f64 / RADIUS)
}

/// Heave in linear theory: time in s, height over that at the start.
fn theory() -> Result<Curve> {
    let known = table!("hemisphere_heave")?.curve("t", "z_over_z0", |_| true)?;
    let scale = (RADIUS / GRAVITY).sqrt();
    Ok(Curve { points: known.points.into_iter().map(|[t, z]| [t * scale, z]).collect() })
}

/// Times at which a record of heights crosses 0, s.
fn crossings(record: &[[f64; 2]]) -> Vec<f64> {
    let crosses = record.windows(2).filter(|pair| (pair[0][1] > 0.0) != (pair[1][1] > 0.0));
    crosses.map(|pair| pair[0][0] + (pair[1][0] - pair[0][0]) * pair[0][1] / (pair[0][1] - pair[1][1])).collect()
}

/// Speed of a sphere of twice the density of water that sinks in deep water, after a second, over that without
/// friction, less 1. Columns grow below it on the way.
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

/// Added masses in shallow and in deep basins, for so many cells a radius.
fn added_masses(exec: &Arc<Executor>, sizes: &[f64], out: &mut Outcome) -> Result<()> {
    for (cells, depth) in sizes.iter().flat_map(|cells| [(*cells, 3.0), (*cells, 30.0)]) {
        let found = added_mass(exec, (cells, TALL), [WIDTH, depth], [0.03, 0.0])?;
        let name = format!("added mass over the displaced, {cells} cells a radius, {depth} radii deep");
        out.ratio(&name, found, of_added_mass(cells));
        let less = found - added_mass_in_theory([WIDTH, depth]);
        out.ratio(format!("{name}, less theory with walls"), less, Limit::Within(-0.01, 0.01));
    }
    Ok(())
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
    added_masses(exec, if software { &[] } else { &[5.0, 10.0] }, &mut out)?;
    // Where the sphere begins between the cells may not matter.
    for up in if software { &[][..] } else { &[-1e-3, -5e-6, 5e-6, 3e-4] } {
        let found = added_mass(exec, (10.0, TALL), [WIDTH, 30.0], [0.03, *up])?;
        let name = format!("added mass over the displaced, 10 cells a radius, 30 radii deep, {up:e} m higher");
        out.ratio(name, found, of_added_mass(10.0));
    }
    if !software {
        let heights = heave(exec, (6.0, TALL))?;
        let name = "error of the period of heave, 6 cells a radius";
        out.ratio(name, period_error(&heights), Limit::Within(-0.02, 0.02));
        let name = "speed of a sphere that sinks for a second, over that without friction, less 1";
        out.ratio(name, sinking(exec)?, Limit::Within(-0.25, 0.02));
        let [trough, crest] = trough_and_crest(&heights);
        let [lower, upper] = trough_and_crest(&theory()?.points);
        out.notes.push(format!("heave: trough {trough:.3} (theory {lower:.3}), next crest {crest:.3} ({upper:.3})"));
        out.charts.push(
            Chart::new("Heave of a half-sunk sphere")
                .axes("t (s)", "height over that at the start")
                .with(Series::new("linear theory", theory()?.points))
                .with(Series::new("6 cells a radius", heights)),
        );
    }
    Ok(out)
}

fn run_long(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let known = theory()?;
    let [lower, upper] = trough_and_crest(&known.points);
    let mut chart = Chart::new("Heave of a half-sunk sphere")
        .axes("t (s)", "height over that at the start")
        .with(Series::new("linear theory", known.points));
    added_masses(exec, &[20.0], &mut out)?;
    for (solver, name) in [("uniform", "cubic cells"), (TALL, "tall cells")] {
        for cells in [5.0, 10.0, 20.0] {
            let grid = (cells, solver);
            let name = format!("{cells} cells a radius, {name}");
            // Cells of 20 a radius are too many for a wider basin.
            let width = if cells > 10.0 { WIDTH } else { 12.0 };
            let found = added_mass(exec, grid, [width, 3.0], [0.03, 0.0])?;
            out.ratio(format!("added mass over the displaced, {name}"), found, of_added_mass(cells));
            if cells > 10.0 {
                continue; // 10 million cells in a basin so wide that no wave comes back
            }
            let heights = heave(exec, grid)?;
            let error = period_error(&heights);
            out.ratio(format!("error of the period of heave, {name}"), error, Limit::Within(-0.02, 0.02));
            let [trough, crest] = trough_and_crest(&heights);
            out.ratio(
                format!("first trough of heave over that in theory, {name}"),
                trough / lower,
                Limit::Within(0.8, 1.1),
            );
            out.ratio(
                format!("next crest of heave over that in theory, {name}"),
                crest / upper,
                Limit::Within(0.75, 1.1),
            );
            let error = draft_error(exec, grid)?;
            out.ratio(format!("error of the draft over the radius, {name}"), error, Limit::Within(-0.003, 0.003));
            chart = chart.with(Series::new(name, heights));
        }
    }
    out.notes.push(format!("heave in linear theory: first trough {lower:.3}, next crest {upper:.3} of the start"));
    out.charts.push(chart);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_and_ground_add_to_what_moves_with_a_sphere() {
        let alone = added_mass_in_theory([1000.0, 1000.0]);
        assert!((alone - 0.5).abs() < 1e-6, "{alone}");
        // Walls alone: Σ 1/n³ of a square lattice is 9.0336.
        let share = 0.5 * 9.0336 / 512.0;
        let walls = added_mass_in_theory([8.0, 1000.0]);
        assert!((walls - 0.5 - 1.5 * share / (1.0 - share)).abs() < 2e-4, "{walls}");
        // Ground alone, images on an axis: −2 Σ (−1)ⁿ/(2 d n)³.
        let share = 2.0 * 0.901_543 / 216.0;
        let ground = added_mass_in_theory([1000.0, 3.0]);
        assert!((ground - 0.5 - 1.5 * share / (1.0 - share)).abs() < 1e-4, "{ground}");
    }
}
