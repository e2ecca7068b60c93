use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Carry, CarryParams, LAYERS, Publish, PublishParams};

const SIZE: [u32; 2] = [37, 22];

fn pairs(rng: &mut Rng, count: usize, most: f32) -> Vec<[f32; 2]> {
    (0..count).map(|_| [rng.range(-most, most), rng.range(-most, most)]).collect()
}

fn carry(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let columns = (SIZE[0] * SIZE[1]) as usize;
    let velocity = exec.buffer_from("velocity", &pairs(rng, columns, 3.0))?;
    let from = exec.buffer_from("from", &pairs(rng, LAYERS * columns, 2.0))?;
    let back = exec.buffer_from("back", &pairs(rng, LAYERS * columns, 2.0))?;
    let to = exec.buffer_from("to", &vec![[9.0_f32; 2]; LAYERS * columns])?;
    let p = CarryParams {
        nx: SIZE[0],
        nz: SIZE[1],
        reach: rng.range(-1.0, 1.0),
        correction: 0.5,
        keep_0: 1.0,
        keep_1: 0.0,
        keep_2: 0.9,
    };
    let mut rec = exec.record();
    let kernel = Carry { velocity: &velocity, before: &from, returned: &back, after: &to };
    rec.run(&kernel, &p, Dispatch::Elements(LAYERS * columns))?;
    rec.submit()?;
    // Places up to 37, known to 4e-6, between values that differ by up to 8.
    out.f32("to", exec.read(&to)?.into_iter().flatten().collect(), Tolerance::Absolute(1e-4));
    Ok(())
}

fn publish(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let columns = (SIZE[0] * SIZE[1]) as usize;
    let offsets = exec.buffer_from("offsets", &pairs(rng, LAYERS * columns, 0.4))?;
    let words = exec.buffer_from("words", &vec![9.0_f32; 5 + 3 * LAYERS * columns])?;
    let p = PublishParams { nx: SIZE[0], nz: SIZE[1], head: 5, weight_0: 0.2, weight_1: 0.9, weight_2: 0.5 };
    let mut rec = exec.record();
    rec.run(&Publish { offsets: &offsets, words: &words }, &p, Dispatch::Elements(columns))?;
    rec.submit()?;
    let words = exec.read(&words)?;
    assert!(words[5..].chunks(3).any(|w| w[2] > 0.3) && words[5..].chunks(3).any(|w| w[2] < 0.05));
    // A root of a difference: half of its digits where both are alike.
    out.f32("words", words, Tolerance::Absolute(2e-3));
    Ok(())
}

thalweg_compute::parity_cases! {
    carry: 6 seeds,
    publish: 6 seeds,
}
