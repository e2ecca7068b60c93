use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Flatten, FlattenParams};

fn flatten(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let (count, side) = (2 * 64 * 64, 64_usize);
    let phase = rng.f32s(2, 0.0, 6.0);
    // Smooth shifts, as those of waves are: a place that jumps would not be found.
    let smooth = |at: usize, n: usize| {
        let (x, z) = ((at % side) as f32, (at / side % side) as f32);
        let step = std::f32::consts::TAU / side as f32;
        (step * (2.0 * x + z + n as f32) + phase[n % 2]).sin()
    };
    let moved: Vec<[f32; 4]> = (0..count).map(|at| std::array::from_fn(|n| smooth(at, n))).collect();
    let bent: Vec<[f32; 4]> = (0..count).map(|at| std::array::from_fn(|n| 0.5 * smooth(at, n + 2))).collect();
    let (moved, bent) = (exec.buffer_from("moved", &moved)?, exec.buffer_from("bent", &bent)?);
    let words = exec.buffer_from("words", &vec![9.0_f32; 3 + 4 * count])?;
    let p = FlattenParams {
        points: 64,
        tiles: 2,
        head: 3,
        per_metre_0: 2.0,
        per_metre_1: 0.7,
        per_metre_2: 0.0,
        per_metre_3: 0.0,
        cos_0: 1.0,
        cos_1: 0.6,
        cos_2: 1.0,
        cos_3: 1.0,
        sin_0: 0.0,
        sin_1: 0.8,
        sin_2: 0.0,
        sin_3: 0.0,
    };
    let mut rec = exec.record();
    rec.run(&Flatten { moved: &moved, bent: &bent, words: &words }, &p, Dispatch::Elements(count))?;
    rec.submit()?;
    // Four steps of an inversion, each with the rounding of places up to 64.
    out.f32("words", exec.read(&words)?, Tolerance::Absolute(5e-5));
    Ok(())
}

thalweg_compute::parity_cases! {
    flatten: 4 seeds,
}
