//! Waves that meet a side with a level: all of them come back where it is held strictly, few where it absorbs.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg::{Scene, Simulation};
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_scene::Files;

use crate::rig::{GRAVITY, center};
use crate::{Case, Limit, Outcome, Result, ValidationError};

pub(crate) const CASE: Case = Case {
    name: "level-waves",
    about: "Waves that meet a side with a level, held strictly and with `absorb`: what comes back, and the level in the mean, uniform grid and quadtree",
    source: "exact: 1 from a level that is held, 1/√(1 + ω² T²) from one with a memory of T",
    run,
};

const CELLS: u32 = 128;
const CELL: f64 = 1.0;
const DEPTH: f64 = 2.0;
const AMPLITUDE: f64 = 0.01;
/// Of the waves, s; and what the side remembers, four times as long.
const PERIOD: f64 = 9.0;
const MEMORY: f64 = 4.0 * PERIOD;
/// Until nothing changes any more but the phase, periods.
const START: u32 = 24;
const SAMPLES: u32 = 48;

fn scene(absorb: f64, is_tree: bool) -> String {
    let (solver, rows) = if is_tree { ("quadtree", 16) } else { ("shallow", 1) };
    format!(
        r#"
[scene]
name = "Waves at a level"
duration = 1000.0

[domain]
size = [{long:?}, 4.0, {width:?}]
cell = {CELL:?}

[terrain]
shapes = [{{ shape = "plane", height = -{DEPTH:?} }}]

[water]
solver = "{solver}"
level = 0.0

[boundary]
west = {{ kind = "inflow", surface = {{ sine = {{ amplitude = {AMPLITUDE:?}, period = {PERIOD:?}, ramp = {PERIOD:?} }} }} }}
east = {{ kind = "level", level = 0.0, absorb = {absorb:?} }}
"#,
        long = f64::from(CELLS) * CELL,
        width = f64::from(rows) * CELL,
    )
}

/// What comes back over what comes in along the canal, and the mean level before the side over the amplitude.
fn reflected(exec: &Arc<Executor>, absorb: f64, is_tree: bool) -> Result<(Vec<[f64; 2]>, f64)> {
    let failed = |error: thalweg::Error| ValidationError::Simulation(Arc::new(error));
    let scene = Scene::with_files(&scene(absorb, is_tree), "waves.toml", &Files::Table(&[]));
    let mut simulation = Simulation::on(exec.clone(), scene.map_err(|e| failed(e.into()))?).map_err(failed)?;
    for _ in 0..START {
        simulation.step(PERIOD).map_err(failed)?;
    }
    let count = CELLS as usize;
    // Sums over a period of the two waves that pass each place, times cosine and sine; they are simple waves, η ± u
    // √(h/g).
    let mut sums = vec![[0.0; 4]; count];
    let mut mean = 0.0;
    for n in 0..SAMPLES {
        simulation.step(PERIOD / f64::from(SAMPLES)).map_err(failed)?;
        let water = simulation.water_surface().map_err(failed)?;
        let first = count * (water.size[1] / 2);
        let (sin, cos) = (TAU * f64::from(n) / f64::from(SAMPLES)).sin_cos();
        for (i, sums) in sums.iter_mut().enumerate() {
            let (eta, u) = (f64::from(water.surface[first + i]), f64::from(water.velocity[0][first + i]));
            let way = u * (DEPTH / GRAVITY).sqrt();
            for (sum, part) in
                sums.iter_mut().zip([(eta + way) * cos, (eta + way) * sin, (eta - way) * cos, (eta - way) * sin])
            {
                *sum += part;
            }
        }
        mean += f64::from(water.surface[first + count - 1]) / f64::from(SAMPLES);
    }
    let ratio = |[a, b, c, d]: [f64; 4]| c.hypot(d) / a.hypot(b);
    Ok(((0..CELLS).zip(sums).map(|(i, sums)| [center(i, CELL), ratio(sums)]).collect(), mean.abs() / AMPLITUDE))
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut chart =
        Chart::new("Waves that come back from a level").axes("x (m)", "height over that of those that come in");
    let theory = 1.0 / (1.0 + (TAU * MEMORY / PERIOD).powi(2)).sqrt();
    for (name, is_tree) in [("uniform", false), ("quadtree", true)] {
        let (strict, _) = reflected(exec, 0.0, is_tree)?;
        let (open, mean) = reflected(exec, MEMORY, is_tree)?;
        // Four wavelengths in all; the half before the side.
        let half = |points: &[[f64; 2]]| points[points.len() / 2..].to_vec();
        let most = half(&open).iter().fold(0.0f64, |most, p| most.max(p[1]));
        let least = half(&strict).iter().fold(f64::INFINITY, |least, p| least.min(p[1]));
        out.ratio(format!("what comes back, `absorb` of four periods, {name}"), most, Limit::AtMost(0.05));
        out.ratio(format!("what comes back, held strictly, {name}"), least, Limit::AtLeast(0.9));
        out.ratio(format!("mean level at the side over the amplitude, {name}"), mean, Limit::AtMost(0.05));
        chart = chart
            .with(Series::new(format!("absorb, {name}"), open))
            .with(Series::new(format!("strict, {name}"), strict));
    }
    let curve: Vec<[f64; 2]> = (0..CELLS).map(|i| [center(i, CELL), theory]).collect();
    out.charts.push(chart.with(Series::new("theory, absorb", curve).mark(Mark::Dashed)));
    out.notes.push(format!("theory: {theory:.4} with `absorb`, 1 without"));
    Ok(out)
}
