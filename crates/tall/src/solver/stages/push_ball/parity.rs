use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{PushBall, PushBallParams};
use crate::testing::random_scene;

fn push_ball(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let number = u64::from(rng.below(8));
    let scene = random_scene(rng, number);
    let shape = scene.shape;
    let params = PushBallParams {
        nx: shape.nx as u32,
        nz: shape.nz as u32,
        samples: shape.samples() as u32,
        centre_x: rng.range(0.0, shape.nx as f32),
        centre_y: rng.range(-4.0, 8.0),
        centre_z: rng.range(0.0, shape.nz as f32),
        radius: rng.range(0.6, 6.0),
        velocity_x: rng.range(-2.0, 2.0),
        velocity_y: rng.range(-2.0, 2.0),
        velocity_z: rng.range(-2.0, 2.0),
    };
    let buffers = scene.upload(exec);
    let faces = exec.buffer_from("faces", &rng.f32s(3 * shape.len(), -1.0, 1.0))?;
    let mut rec = exec.record();
    let kernel = PushBall { heights: &buffers.heights, faces: &faces };
    rec.run(&kernel, &params, Dispatch::Elements(3 * shape.len()))?;
    rec.submit()?;
    // A sum of squares, fused or not, divided: a share of 1 is off by 1e-6, and multiplies a difference of up to 3.
    out.f32("faces", exec.read(&faces)?, Tolerance::Absolute(1e-5));
    Ok(())
}

thalweg_compute::parity_cases! {
    push_ball: 8 seeds,
}
