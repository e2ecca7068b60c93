use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::Survey;
use crate::constants::survey;
use crate::testing::{Sorted, params};

fn extremes(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for is_broken in [false, true] {
        let p = params(3000);
        let mut sorted = Sorted::random(&p, rng);
        if is_broken {
            sorted.motions[700][1] = f32::NAN;
        }
        let b = sorted.upload(exec)?;
        let density = exec.buffer_from("density", &rng.f32s(sorted.places.len(), 0.3, 1.2))?;
        let extremes = exec.zeros("extremes", survey::WORDS)?;
        let kernel = Survey {
            extent: &b.extent,
            places: &b.places,
            motions: &b.motions,
            density: &density,
            extremes: &extremes,
        };
        let mut rec = exec.record();
        rec.run(&kernel, &p, Dispatch::Elements(sorted.places.len()))?;
        rec.submit()?;
        let found = exec.read(&extremes)?;
        assert_eq!(found[survey::SPEED2] == u32::MAX, is_broken, "{}", exec.describe());
        if !is_broken {
            // A sum of three squares.
            out.f32("speed2", vec![f32::from_bits(found[survey::SPEED2])], Tolerance::Relative(3e-7));
        }
        out.f32("density", vec![f32::from_bits(found[survey::DENSITY])], Tolerance::Exact);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    extremes: 4 seeds,
}
