//! Bodies held fast in still water: the water lifts them by the weight of what they displace.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Series};
use thalweg_tall::{Obstacle, Options, Setup, TallWater};

use crate::rig::GRAVITY;
use crate::tank::GRIDS;
use crate::{Case, Limit, Outcome, Result, ValidationError};

pub(crate) const CASE: Case = Case {
    name: "buoyancy",
    about: "Bodies held fast in still water, below the surface and through it: the force on them",
    source: "exact: Archimedes, F = ρ g V upwards",
    run,
};

const CELL: f64 = 0.05;
/// Not a whole number of cells.
const LEVEL: f64 = 1.413;
const COLUMNS: usize = 24;
const DT: f64 = 0.02;
const STEPS: usize = 10;

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let depths = (1..=13).map(|n| 0.1 * f64::from(n));
    let mut chart = Chart::new("Pressure beside a sphere in still water")
        .axes("depth (m)", "p/(ρ g) (m)")
        .with(Series::new("exact", depths.clone().map(|d| [d, d])));
    for (grid, band) in GRIDS {
        for (name, solid, volume) in bodies() {
            let setup = Setup {
                shape: Shape { nx: COLUMNS, nz: COLUMNS, regular: 40 },
                cell: CELL,
                height: 1.9,
                terrain: &[0.0; COLUMNS * COLUMNS],
                level_set: &|[_, y, _]| y - LEVEL,
                obstacles: &[solid],
                velocity: [0.0; 2],
                options: Options { band, gravity: GRAVITY, ..Default::default() },
            };
            let mut water = TallWater::new(Arc::clone(exec), &setup)?;
            for _ in 0..STEPS {
                water.step(DT)?;
            }
            let none = || ValidationError::Missing { what: "a force after the first step".into() };
            let pressures = water.pressures()?;
            let [x, y, z] = pressures.force(0).ok_or_else(none)?;
            if name == "sphere" {
                let at = |d: f64| pressures.at([0.11, LEVEL - d, 0.17]).map(|p| [d, p / GRAVITY]);
                chart = chart.with(Series::new(grid, depths.clone().filter_map(at)));
            }
            let weight = GRAVITY * volume;
            out.ratio(format!("error of the lift, {name}, {grid}"), (y / weight - 1.0).abs(), Limit::AtMost(0.016));
            out.ratio(format!("force aside over the lift, {name}, {grid}"), x.hypot(z) / weight, Limit::AtMost(0.01));
        }
    }
    out.charts.push(chart);
    Ok(out)
}

/// Name, shape and the volume under water in m³. Nothing but the last box lies on borders of cells.
fn bodies() -> [(&'static str, Obstacle, f64); 3] {
    let (centre, radius, half) = ([0.61, 0.72, 0.58], 0.28f32, [0.23f32, 0.31, 0.17]);
    let volume_of_sphere = f64::from(4.0 / 3.0 * std::f32::consts::PI * radius.powi(3));
    let block = f64::from(8.0 * half[0] * half[1] * half[2]);
    [
        ("sphere", Obstacle::Sphere { centre, radius }, volume_of_sphere),
        ("box", Obstacle::Box { centre, half }, block),
        ("box through the surface", Obstacle::Box { centre: [0.6, 1.4, 0.6], half: [0.2; 3] }, 0.16 * (LEVEL - 1.2)),
    ]
}
