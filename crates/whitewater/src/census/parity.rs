use thalweg_compute::parity::{Outputs, Rng};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Census, CensusParams};
use crate::testing::random_particles;

fn census(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let (places, _) = random_particles(rng, 1000);
    let kind = |n: f32| places.iter().filter(|p| p[3] > 0.0 && p[3].floor() == n).count() as u32;
    let wanted = [kind(0.0), kind(1.0), kind(2.0)];
    let (places, counts) = (exec.buffer_from("places", &places)?, exec.zeros("counts", 3)?);
    let mut rec = exec.record();
    let kernel = Census { places: &places, counts: &counts };
    rec.run(&kernel, &CensusParams { capacity: 1000 }, Dispatch::Elements(1000))?;
    rec.submit()?;
    let counts = exec.read(&counts)?;
    assert_eq!(counts, wanted);
    out.u32("counts", counts);
    Ok(())
}

thalweg_compute::parity_cases! {
    census: 3 seeds,
}
