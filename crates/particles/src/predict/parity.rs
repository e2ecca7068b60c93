use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::Predict;
use crate::params::StepParams;
use crate::testing::{Sorted, params};
use crate::walls::parity::solids;

fn paths(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let free = params(3000);
    let sorted = Sorted::random(&free, rng);
    let solids = solids(exec, rng, free.spacing)?;
    let p = StepParams { friction: 0.3, most_speed: 3.0, dt: 0.03, ..solids.params(&free) };
    let b = sorted.upload(exec)?;
    let predicted = exec.buffer("predicted", sorted.places.len())?;
    let mut rec = exec.record();
    let kernel = Predict {
        extent: &b.extent,
        places: &b.places,
        motions: &b.motions,
        solids: &solids.words,
        distances: &solids.distances,
        ground: &solids.ground,
        predicted: &predicted,
    };
    rec.run(&kernel, &p, Dispatch::Elements(sorted.places.len()))?;
    rec.submit()?;
    // A path is cut where a distance meets a margin, by steps that end at 0.01 spacings: rounding may make one more.
    let places: Vec<[f32; 3]> = exec.read(&predicted)?.iter().map(|[x, y, z, _]| [*x, *y, *z]).collect();
    out.most_of_f32("predicted", &places, Tolerance::Absolute(2e-5), 0.01);
    Ok(())
}

thalweg_compute::parity_cases! {
    paths: 4 seeds,
}
