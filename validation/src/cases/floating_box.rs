//! Boxes of several densities find their draft.

use std::sync::Arc;

use thalweg::Simulation;
use thalweg::rigid::BodyState;
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};

use crate::floating::{Basin, WATER, block};
use crate::rig::is_software;
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "floating-box",
    about: "Boxes of 50 to 900 kg/m³, dropped into one tank: the draft at which they come to rest",
    source: "exact: Archimedes, the draft is the ratio of the densities times the height",
    run,
};

/// Length, height and width of a box, m.
const BOX: [f64; 3] = [0.5, 0.25, 0.5];
/// Densities in kg/m³, and where in the tank the boxes are, m.
const BOXES: [(f64, [f64; 2]); 4] = [(50.0, [0.5, 0.5]), (250.0, [1.5, 0.5]), (500.0, [0.5, 1.5]), (900.0, [1.5, 1.5])];
/// Length, height and width of the tank, m.
const TANK: [f64; 3] = [2.0, 1.0, 2.0];
/// Level of the water before the boxes come, m: no whole number of cells in either grid.
const LEVEL: f64 = 0.62;
/// The boxes begin so much higher than they will float, m.
const OFF: f64 = 0.03;
/// Time of a run, and from when on drafts count, s.
const SECONDS: [f64; 2] = [4.0, 2.0];
const FRAME: f64 = 1.0 / 30.0;
/// What is asked for: 2 % of the height, at any size of the cells.
const ASKED: f64 = 0.02;

/// What is seen of the boxes at a time.
struct Seen {
    /// s.
    time: f64,
    /// Drafts over the height of a box, from the mean level of the water between them.
    drafts: Vec<f64>,
    /// m³.
    volume: f64,
}

fn look(simulation: &mut Simulation) -> Result<Seen> {
    let water = simulation.water_surface()?;
    let bodies = simulation.bodies();
    let is_clear = |column: &usize| {
        let [i, k] = [column % water.size[0], column / water.size[0]].map(|n| (n as f64 + 0.5) * water.cell);
        let apart = |body: &BodyState| {
            let [x, _, z] = body.pose.position;
            (i - x).abs().max((k - z).abs()) > 0.5 * BOX[0] + water.cell
        };
        bodies.iter().all(apart)
    };
    let clear: Vec<f64> =
        (0..water.surface.len()).filter(is_clear).map(|column| f64::from(water.surface[column])).collect();
    let level = clear.iter().sum::<f64>() / clear.len() as f64;
    let draft = |body: &BodyState| (level - body.pose.position[1]) / BOX[1] + 0.5;
    let statistics = simulation.statistics()?;
    Ok(Seen { time: statistics.time, drafts: bodies.iter().map(draft).collect(), volume: statistics.volume })
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut chart = Chart::new("Boxes find their draft").axes("t (s)", "draft over height");
    // Tall cells begin seven cells under the surface.
    let tall = "regular_cells = 20\nbelow = 7\nabove = 5\nstep = 3";
    let runs = [
        ("uniform, cells of 0.1 m", 0.1, "uniform", ""),
        ("uniform, cells of 0.05 m", 0.05, "uniform", ""),
        ("tall cells of 0.05 m", 0.05, "tall-cells", tall),
    ];
    let count = if is_software(exec) { 1 } else { runs.len() };
    for (grid, cell, solver, options) in runs.into_iter().take(count) {
        let put = |(density, [x, z]): (f64, [f64; 2])| {
            let middle = LEVEL + BOX[1] * (0.5 - density / WATER) + OFF;
            block(BOX, [x, middle, z], 0.0, density, 1.0)
        };
        let basin = Basin { size: TANK, cell, level: LEVEL, solver, options, bodies: BOXES.map(put).into() };
        let record = basin.watch(exec, SECONDS[0], FRAME, look)?;
        for (number, (density, _)) in BOXES.into_iter().enumerate() {
            let points: Vec<[f64; 2]> = record.iter().map(|now| [now.time, now.drafts[number]]).collect();
            let late: Vec<f64> = points.iter().filter(|p| p[0] > SECONDS[1]).map(|p| p[1]).collect();
            let mean = late.iter().sum::<f64>() / late.len() as f64;
            let title = format!("error of the draft over the height, {density} kg/m³, {grid}");
            out.ratio(title, mean - density / WATER, Limit::Within(-ASKED, ASKED));
            if cell < 0.1 || count == 1 {
                chart = chart.with(Series::new(format!("{density} kg/m³, {grid}"), points));
            }
        }
        let change = record.iter().map(|now| now.volume / record[0].volume - 1.0).fold(0.0, |a: f64, b| a.max(b.abs()));
        out.ratio(format!("change of the volume, {grid}"), change, Limit::AtMost(0.005));
    }
    out.notes.push("drafts are means over the last two seconds; boxes still bob by a few mm".into());
    out.charts.push(chart);
    Ok(out)
}
