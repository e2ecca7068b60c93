//! Bodies dropped into small basins come to rest and stay there.

mod drifter;

use std::sync::Arc;

use drifter::{Drifter, Form, Release};
use thalweg::rigid::BodyState;
use thalweg_compute::{Executor, Rng};
use thalweg_io::plot::{Chart, Scale, Series};

use crate::floating::Basin;
use crate::rig::is_software;
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "quiet",
    about: "Three bodies let go at an angle, 30 s each, no drag: their energy late over that soon after",
    source: "still water gives no energy to anything",
    run,
};

pub(crate) const LONG: Case = Case {
    about: "Twenty random bodies of 0.05 to 0.95 of the density of water, 60 s each, no drag: none of them gains energy",
    run: run_long,
    ..CASE
};

const BODIES: [Release; 3] = [
    Release {
        form: Form::Box([0.5, 0.5, 0.4]),
        axis: [1.0, 0.2, 0.4],
        degrees: 75.0,
        density: 430.0,
        up: 0.1,
        depth: 2.4,
    },
    Release {
        form: Form::Capsule(0.4, 0.2),
        axis: [0.2, 1.0, 0.7],
        degrees: 60.0,
        density: 700.0,
        up: 0.1,
        depth: 3.0,
    },
    Release { form: Form::Sphere(0.3), axis: [0.0, 0.0, 1.0], degrees: 0.0, density: 660.0, up: 0.1, depth: 2.4 },
];

/// How many bodies the long form has.
const MANY: usize = 20;

/// Of the random bodies.
const SEED: u64 = 1;

/// Edge of a cell, m.
const CELL: f64 = 0.1;

/// How long the random ones are watched, s.
const SECONDS: f64 = 60.0;

/// How long those of the short form are, s.
const SHORT: f64 = 30.0;

/// What became of a body.
struct Watched {
    /// Time, s, and kinetic and potential energy, J; the latter over the least that it comes to, see
    /// [`Drifter::energy`].
    energies: Vec<[f64; 2]>,
    /// How much too high it floats in the end, cells.
    too_high: f64,
}

fn watch(exec: &Arc<Executor>, body: &Release, seconds: f64) -> Result<Watched> {
    let (width, depth) = (1.6, body.depth);
    let size = [width, depth + 1.2, width];
    let bodies = vec![body.keys([0.82, 0.79])];
    let basin = Basin { size, cell: CELL, level: depth, solver: "tall-cells", options: "", bodies };
    let seen = basin.watch(exec, seconds, 1.0 / 30.0, |water| {
        Ok((water.time(), water.bodies().swap_remove(0), water.statistics()?.volume))
    })?;
    let states: Vec<BodyState> = seen.iter().map(|(_, state, _)| state.clone()).collect();
    let mut drifter = Drifter::new(body.form, width * width, depth);
    let at_rest = &states[states.len() - (states.len() / 4).max(1)..];
    let too_high = drifter.find_rest(&states[0], at_rest) / CELL;
    let all = seen.iter().map(|(time, state, counted)| (*time, drifter.energy(state, *counted)));
    let all: Vec<(f64, [f64; 2])> = all.collect();
    let least = all.iter().map(|(_, [_, potential])| *potential).fold(f64::INFINITY, f64::min);
    let energies = all.into_iter().map(|(time, [kinetic, potential])| [time, kinetic + potential - least]).collect();
    Ok(Watched { energies, too_high })
}

/// The most energy in a span of time, J.
fn most(energies: &[[f64; 2]], from: f64, to: f64) -> f64 {
    energies.iter().filter(|e| e[0] >= from && e[0] < to).map(|e| e[1]).fold(0.0, f64::max)
}

/// The most energy that a body has later on, over the most that it had when it had been let go for a while. It never is
/// more than that: waves in the basin may give some of it back, but they got it from the body.
fn late_over_early(energies: &[[f64; 2]]) -> f64 {
    most(energies, 15.0, f64::INFINITY) / most(energies, 5.0, 15.0)
}

fn run_long(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut chart = chart();
    let mut rng = Rng::new(SEED);
    for number in 1..=MANY {
        let body = Release::random(&mut rng);
        let Watched { energies, too_high } = watch(exec, &body, SECONDS)?;
        let name = format!("{number}, a {}", body.name());
        // What heave by a hundredth of a cell has: less than that a grid does not know of a body that is let go where
        // it floats.
        let floor = body.heave_energy(0.01 * CELL);
        let had = most(&energies, 0.0, 15.0) + floor;
        let late = most(&energies, 15.0, f64::INFINITY) / had;
        out.ratio(format!("energy from 15 s on over that before: {name}"), late, Limit::AtMost(1.0));
        let end = most(&energies, SECONDS - 15.0, f64::INFINITY) / (energies[0][1] + floor);
        out.ratio(format!("energy from 45 to 60 s over that at the start: {name}"), end, Limit::AtMost(1.0));
        out.measure(format!("floats too high by: {name}"), too_high, Limit::Within(-0.15, 0.15), "cells");
        chart = chart.with(series(number.to_string(), energies));
    }
    out.charts.push(chart);
    Ok(out)
}

fn chart() -> Chart {
    Chart::new("Energy of bodies let go, over the least that they come to")
        .axes("t (s)", "J")
        .scales(Scale::Linear, Scale::Log)
}

fn series(name: String, energies: Vec<[f64; 2]>) -> Series {
    Series::new(name, energies.into_iter().map(|[time, energy]| [time, energy.max(1e-6)]))
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut chart = chart();
    let (seconds, count) = if is_software(exec) { (0.5, 1) } else { (SHORT, BODIES.len()) };
    for body in BODIES.into_iter().take(count) {
        let Watched { energies, .. } = watch(exec, &body, seconds)?;
        let name = body.name();
        if !is_software(exec) {
            let label = format!("energy from 15 s on over that from 5 to 15 s: {name}");
            out.ratio(label, late_over_early(&energies), Limit::AtMost(1.0));
        }
        chart = chart.with(series(name, energies));
    }
    out.charts.push(chart);
    Ok(out)
}
