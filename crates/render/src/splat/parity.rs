use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{ONE, Splat, SplatParams};

pub(super) fn params(count: u32) -> SplatParams {
    SplatParams {
        count,
        width: 48,
        height: 32,
        eye_x: 0.0,
        eye_y: 0.0,
        eye_z: 10.0,
        right_x: 0.6,
        right_y: 0.0,
        right_z: 0.0,
        up_x: 0.0,
        up_y: 0.4,
        up_z: 0.0,
        forward_x: 0.0,
        forward_y: 0.0,
        forward_z: -1.0,
    }
}

/// Every drop is rounded down once per pixel, and up to a few dozen meet in one.
fn splat(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let drops: Vec<[f32; 4]> = (0..300)
        .map(|_| {
            [
                rng.range(-5.0, 5.0),
                rng.range(-4.0, 4.0),
                rng.range(-5.0, 12.0),
                rng.below(3) as f32 + rng.range(0.001, 0.6),
            ]
        })
        .collect();
    let image: Vec<[f32; 4]> = (0..48 * 32).map(|_| [0.0, 0.0, 0.0, rng.range(2.0, 16.0)]).collect();
    let (drops, image) = (exec.buffer_from("drops", &drops)?, exec.buffer_from("image", &image)?);
    let spray = exec.zeros("spray", 48 * 32)?;
    let mut rec = exec.record();
    let kernel = Splat { drops: &drops, image: &image, spray: &spray };
    rec.run(&kernel, &params(300), Dispatch::Elements(300))?;
    rec.submit()?;
    let spray: Vec<f32> = exec.read(&spray)?.into_iter().map(|v| v as f32).collect();
    assert!(spray.iter().any(|v| *v > ONE), "drops are in the picture");
    out.f32("spray", spray, Tolerance::Absolute(24.0));
    Ok(())
}

thalweg_compute::parity_cases! {
    splat: 3 seeds,
}
