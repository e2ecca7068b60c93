//! Still water over a rough bed with islands stays still, in shallow and in deep water.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_compute::Rng;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_shallow::{Datum, InitialCell, Setup};

use crate::rig::{Run, SECOND, is_software, options, orders};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "lake-at-rest",
    about: "Water at rest over a random bed with islands, 10 000 sub-steps: any speed is an error of the scheme",
    source: "exact: still water; Delestre et al. 2013 (SWASHES) 3.1.1 and 3.1.2",
    run,
};

const SUBSTEPS: u64 = 10_000;

/// A random bed of waves: `scale` is the height of one wave, m.
fn bed(seed: u64, mean: f64, scale: f64) -> impl Fn(u32, u32) -> f64 + Sync {
    let mut rng = Rng::new(seed);
    let mut random = |size: f32| f64::from(rng.range(-size, size));
    let waves: Vec<[f64; 3]> = (0..12).map(|_| [random(0.4), random(0.4), random(3.1)]).collect();
    move |i, k| {
        mean + waves.iter().map(|[x, z, p]| scale * (x * f64::from(i) + z * f64::from(k) + p).sin()).sum::<f64>()
    }
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut drift = 0.0f64;
    let [nx, nz] = if is_software(exec) { [24, 20] } else { [56, 36] };
    // The solver would put its datum at the still level, where there is no rounding; "off the datum" puts it elsewhere.
    for (place, cell, seed, mean, scale, level, datum) in [
        ("basin", 0.5, 3, 0.0, 0.25, 0.2, Datum::Auto),
        ("basin off the datum", 0.5, 3, 0.0, 0.25, 0.2, Datum::Elevation(-0.737)),
        ("ocean 4 km deep", 1000.0, 5, -2000.0, 700.0, 0.0, Datum::Auto),
    ] {
        let z = bed(seed, mean, scale);
        let floor = if mean < 0.0 { -4000.0 } else { f64::NEG_INFINITY };
        let initial = |i, k| InitialCell { bed: z(i, k).max(floor), surface: level, velocity: [0.0; 2] };
        for (name, order, ()) in orders(exec, [(); 2]) {
            let mut setup = Setup::new(nx, nz, cell, &initial);
            setup.options = options(order);
            setup.datum = datum;
            let mut run = Run::new(exec, setup)?;
            // A short frame shows how many sub-steps a second needs.
            run.to(cell)?;
            let mut now = run.water.statistics()?;
            while now.substeps < SUBSTEPS {
                let rate = now.substeps as f64 / run.water.time();
                run.to(run.water.time() + (SUBSTEPS - now.substeps + 10) as f64 / rate)?;
                now = run.water.statistics()?;
            }
            drift = drift.max(run.drift()?);
            out.measure(format!("speed, {place}, {name}"), now.max_speed, Limit::AtMost(1e-4), "m/s");
            if order == SECOND {
                let (fields, bed) = (run.fields()?, run.water.bed());
                let row = |v: &[f32]| -> Vec<[f64; 2]> {
                    let middle = (nx * (nz / 2)) as usize;
                    let cells = v[middle..middle + nx as usize].iter().enumerate();
                    cells.map(|(i, &y)| [(i as f64 + 0.5) * cell, f64::from(y)]).collect()
                };
                out.charts.push(
                    Chart::new(format!("Lake at rest: {place}, after {} sub-steps", now.substeps))
                        .axes("x (m)", "elevation (m)")
                        .with(Series::new("bed", row(&bed)).mark(Mark::Dashed))
                        .with(Series::new("surface", row(&fields.surface))),
                );
            }
        }
    }
    out.mass(drift);
    Ok(out)
}
