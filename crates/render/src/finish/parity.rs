use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Finish, FinishParams};
use crate::splat::ONE;

/// Powers and exponentials differ in their last bits: a byte may round the other way.
fn finish(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let image: Vec<[f32; 4]> = (0..700).map(|_| std::array::from_fn(|_| rng.range(0.0, 3.0).powi(3))).collect();
    let spray: Vec<u32> = (0..700).map(|at| if at % 3 == 0 { rng.below(3 * ONE as u32) } else { 0 }).collect();
    let (image, spray) = (exec.buffer_from("image", &image)?, exec.buffer_from("spray", &spray)?);
    let pixels = exec.buffer("pixels", 700)?;
    let p = FinishParams { pixels: 700, exposure: 0.8, spray_r: 0.9, spray_g: 1.0, spray_b: 1.1 };
    let mut rec = exec.record();
    rec.run(&Finish { image: &image, spray: &spray, pixels: &pixels }, &p, Dispatch::Elements(700))?;
    rec.submit()?;
    let bytes = exec.read(&pixels)?.into_iter().flat_map(u32::to_le_bytes).map(f32::from).collect();
    out.f32("bytes", bytes, Tolerance::Absolute(1.0));
    Ok(())
}

thalweg_compute::parity_cases! {
    finish: 3 seeds,
}
