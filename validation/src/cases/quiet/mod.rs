//! Bodies dropped into small basins come to rest and stay there.

mod drifter;

use std::cell::RefCell;
use std::sync::Arc;

use drifter::{Drifter, Form, LetGo};
use thalweg_compute::{Executor, Rng};
use thalweg_io::plot::{Chart, Scale, Series};

use crate::afloat::Basin;
use crate::rig::is_software;
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "quiet",
    about: "Three bodies let go at an angle, 60 s each, no drag: energy of the body late over that soon after",
    source: "still water gives no energy to anything",
    run,
};

pub(crate) const LONG: Case = Case {
    about: "Twenty random bodies of 0.05 to 0.95 of the density of water, 60 s each, no drag: none of them gains energy",
    run: run_long,
    ..CASE
};

const BODIES: [LetGo; 3] = [
    LetGo {
        form: Form::Box([0.5, 0.5, 0.4]),
        axis: [1.0, 0.2, 0.4],
        degrees: 75.0,
        density: 430.0,
        up: 0.1,
        depth: 2.4,
    },
    LetGo { form: Form::Capsule(0.4, 0.2), axis: [0.2, 1.0, 0.7], degrees: 60.0, density: 700.0, up: 0.1, depth: 3.0 },
    LetGo { form: Form::Ball(0.3), axis: [0.0, 0.0, 1.0], degrees: 0.0, density: 660.0, up: 0.1, depth: 2.4 },
];

/// How many bodies the long form has.
const MANY: usize = 20;

/// How long they are watched, s.
const SECONDS: f64 = 60.0;

/// Energy of a body by time, J, over the least that it comes to: kinetic, and all of it.
fn energies(exec: &Arc<Executor>, body: &LetGo, seconds: f64) -> Result<Vec<[f64; 3]>> {
    let (width, depth) = (1.6, body.depth);
    let size = [width, depth + 1.2, width];
    let bodies = vec![body.keys([0.82, 0.79])];
    let basin = Basin { size, cell: 0.1, level: depth, solver: "tall-cells", options: "", bodies };
    let drifter = RefCell::new(Drifter::new(body.form, width * width, depth));
    let mut seen = basin.watch(exec, seconds, 1.0 / 30.0, |water| {
        let [kinetic, potential] = drifter.borrow_mut().energy(&water.bodies()[0]);
        Ok([water.time(), kinetic, kinetic + potential])
    })?;
    let least = seen.iter().map(|[_, kinetic, all]| all - kinetic).fold(f64::INFINITY, f64::min);
    seen.iter_mut().for_each(|now| now[2] -= least);
    Ok(seen)
}

/// The most energy in a span of time.
fn most(energies: &[[f64; 3]], [from, to]: [f64; 2], of: usize) -> f64 {
    energies.iter().filter(|e| e[0] >= from && e[0] < to).map(|e| e[of]).fold(0.0, f64::max)
}

fn run_long(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut rng = Rng::new(1);
    for _ in 0..MANY {
        let body = LetGo::random(&mut rng);
        let e = energies(exec, &body, SECONDS)?;
        let all: Vec<String> = [[0.0, 0.01], [0.01, 5.0], [5.0, 15.0], [15.0, 30.0], [30.0, 45.0], [45.0, 61.0]]
            .into_iter()
            .map(|w| format!("{:.2e}/{:.2e}", most(&e, w, 1), most(&e, w, 2)))
            .collect();
        let note = format!("{}: {}", body.name(), all.join("  "));
        eprintln!("{note}");
        out.notes.push(note);
    }
    Ok(out)
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut chart = Chart::new("Kinetic energy of bodies let go").axes("t (s)", "J").scales(Scale::Linear, Scale::Log);
    let (seconds, count) = if is_software(exec) { (0.5, 1) } else { (SECONDS, BODIES.len()) };
    for body in BODIES.into_iter().take(count) {
        let energies = energies(exec, &body, seconds)?;
        let name = body.name();
        if !is_software(exec) {
            let label = format!("energy from 45 to 60 s over that from 5 to 15 s, {name}");
            out.ratio(label, most(&energies, [45.0, 60.0], 1) / most(&energies, [5.0, 15.0], 1), Limit::AtMost(1.0));
        }
        chart = chart.with(Series::new(name, energies.into_iter().map(|[time, energy, _]| [time, energy.max(1e-6)])));
    }
    out.charts.push(chart);
    Ok(out)
}
