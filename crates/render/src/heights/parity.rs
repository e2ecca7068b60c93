use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{HeightColumns, HeightsParams};

/// Islands, films and water, also of one row.
fn height_columns(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let [nx, nz] = [1 + rng.below(70), 1 + rng.below(40)];
    let count = (nx * nz) as usize;
    let bed = rng.f32s(count, -3.0, 2.0);
    let depth = |kind: u32, deep: f32| [0.0, 1e-3, deep, deep][kind as usize];
    let level = |bed: &f32| depth(rng.below(4), rng.range(0.1, 2.0)) + bed.min(0.0);
    let level: Vec<f32> = bed.iter().map(level).collect();
    let params = HeightsParams { nx, nz, per_metre: 2.0, datum: 7.5, film: 2e-3 };
    let (level, bed) = (exec.buffer_from("level", &level)?, exec.buffer_from("bed", &bed)?);
    let ground = exec.buffer("ground", count)?;
    let mut rec = exec.record();
    rec.run(&HeightColumns { level: &level, bed: &bed, ground: &ground }, &params, Dispatch::Elements(count))?;
    rec.submit()?;
    // A product and sums of numbers of some ten.
    out.f32("columns", exec.read(&ground)?.concat(), Tolerance::Absolute(1e-5));
    Ok(())
}

thalweg_compute::parity_cases! {
    height_columns: 6 seeds,
}
