//! Bodies dropped into small basins come to rest and stay there.

use std::sync::Arc;

use thalweg_compute::Executor;
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

/// A body, the axis and angle (°) of its turn at the start, its density (kg/m³) and the depth of the water (m).
struct LetGo {
    name: &'static str,
    shape: &'static str,
    axis: [f64; 3],
    degrees: f64,
    density: f64,
    depth: f64,
}

const BODIES: [LetGo; 3] = [
    LetGo {
        name: "box",
        shape: "shape = 'box'\nsize = [0.5, 0.5, 0.4]",
        axis: [1.0, 0.2, 0.4],
        degrees: 75.0,
        density: 430.0,
        depth: 2.4,
    },
    LetGo {
        name: "capsule",
        shape: "shape = 'capsule'\nfrom = [-0.2, 0, 0]\nto = [0.2, 0, 0]\nradius = 0.2",
        axis: [0.2, 1.0, 0.7],
        degrees: 60.0,
        density: 700.0,
        depth: 3.0,
    },
    LetGo {
        name: "ball",
        shape: "shape = 'sphere'\nradius = 0.3\ncenter = [0, 0, 0]",
        axis: [0.0, 0.0, 1.0],
        degrees: 0.0,
        density: 660.0,
        depth: 2.4,
    },
];

/// Kinetic energy of a body by time, J; turns count by the square of the radius of a ball of its volume.
fn energies(exec: &Arc<Executor>, body: &str, depth: f64, seconds: f64) -> Result<Vec<[f64; 2]>> {
    let size = [1.6, depth + 1.2, 1.6];
    let basin =
        Basin { size, cell: 0.1, level: depth, solver: "tall-cells", options: "", bodies: vec![body.to_owned()] };
    basin.watch(exec, seconds, 1.0 / 30.0, |water| {
        let body = &water.bodies()[0];
        let square = |v: [f64; 3]| v.iter().map(|v| v * v).sum::<f64>();
        let radius = (0.239 * body.volume).cbrt();
        Ok([water.time(), 0.5 * body.mass * (square(body.velocity) + 0.4 * radius * radius * square(body.rates))])
    })
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut chart = Chart::new("Kinetic energy of bodies let go").axes("t (s)", "J").scales(Scale::Linear, Scale::Log);
    let (seconds, count) = if is_software(exec) { (0.5, 1) } else { (60.0, BODIES.len()) };
    for LetGo { name, shape, axis, degrees, density, depth } in BODIES.into_iter().take(count) {
        let place = [0.82, depth + 0.1, 0.79];
        let body = format!(
            "{shape}\nposition = {place:?}\nrotation = {{ axis = {axis:?}, degrees = {degrees:?} }}\ndensity = {density:?}\ndrag = 0"
        );
        let energies = energies(exec, &body, depth, seconds)?;
        let most = |from: f64, to: f64| {
            let part = energies.iter().filter(|e| e[0] >= from && e[0] < to);
            part.map(|e| e[1]).fold(0.0, f64::max)
        };
        if !is_software(exec) {
            let label = format!("energy from 45 to 60 s over that from 5 to 15 s, {name}");
            out.ratio(label, most(45.0, 60.0) / most(5.0, 15.0), Limit::AtMost(1.0));
        }
        chart = chart.with(Series::new(name, energies.into_iter().map(|[time, energy]| [time, energy.max(1e-6)])));
    }
    out.charts.push(chart);
    Ok(out)
}
