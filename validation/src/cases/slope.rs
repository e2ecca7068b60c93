//! Still water over a slope that rises out of it: nothing moves, and the pressure is that of the depth.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Scale, Series};
use thalweg_tall::{Options, Setup, TallWater};

use crate::rig::{GRAVITY, is_software, largest};
use crate::tank::GRIDS;
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "hydrostatic-slope",
    about: "Still water over a slope that rises out of it: largest velocity and error of the pressure",
    source: "exact: p = ρ g d, no motion",
    run,
};

const CELL: f64 = 0.1;
/// Not a whole number of cells.
const LEVEL: f64 = 3.234;
const COLUMNS: [usize; 2] = [64, 4];
/// Rise of the ground per length: the shore is where the fourth quarter begins.
const SLOPE: f64 = 0.67;
const DT: f64 = 0.02;

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let [nx, nz] = COLUMNS;
    let terrain: Vec<f64> = (0..nx * nz).map(|c| ((c % nx) as f64 + 0.5) * CELL * SLOPE).collect();
    let steps = if is_software(exec) { 60 } else { 600 };
    let mut chart = Chart::new("Still water over a slope")
        .axes("step", "largest velocity (g Δt)")
        .scales(Scale::Linear, Scale::Log);
    for (grid, band) in GRIDS {
        let regular = if band.is_some() { 20 } else { 42 };
        let setup = Setup {
            shape: Shape { nx, nz, regular },
            cell: CELL,
            height: 5.0,
            terrain: &terrain,
            level_set: &|[_, y, _]| y - LEVEL,
            obstacles: &[],
            velocity: [0.0; 2],
            options: Options { band, gravity: GRAVITY, ..Default::default() },
        };
        let mut water = TallWater::new(Arc::clone(exec), &setup)?;
        let began = water.statistics()?.volume;
        let mut speeds = Vec::new();
        for step in 1..=steps {
            water.step(DT)?;
            if step % (steps / 20) == 0 {
                speeds.push([f64::from(step), f64::from(water.statistics()?.speed) / (GRAVITY * DT)]);
            }
        }
        let (saved, end) = (water.snapshot()?, water.statistics()?);
        // The solver's unknown is (Δt/ρ) p less that of still water under the mean level: what is left of it is the
        // error.
        let error = largest(saved.pressure.iter().map(|q| f64::from(*q))) / (GRAVITY * DT * LEVEL);
        let levels: Vec<f64> = water.surface()?.iter().flatten().map(|h| f64::from(*h) * CELL - LEVEL).collect();
        out.ratio(
            format!("largest velocity over g Δt, {grid}"),
            largest(speeds.iter().map(|p| p[1])),
            Limit::AtMost(1e-4),
        );
        out.ratio(format!("error of the pressure over that of the depth, {grid}"), error, Limit::AtMost(1e-5));
        out.measure(format!("error of the surface, {grid}"), largest(levels), Limit::AtMost(1e-4), "m");
        out.ratio(format!("change of the volume, {grid}"), (end.volume / began - 1.0).abs(), Limit::AtMost(1e-5));
        chart = chart.with(Series::new(grid, speeds.into_iter().map(|[n, v]| [n, v.max(1e-12)])));
    }
    out.charts.push(chart);
    Ok(out)
}
