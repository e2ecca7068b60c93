use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Drift, DriftParams};
use crate::testing::random_scene;

fn drift(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..4 {
        let rng = &mut rng.clone();
        let scene = random_scene(rng, number);
        let (shape, b) = (scene.shape, scene.upload(exec));
        let faces = exec.buffer_from("faces", &rng.f32s(3 * shape.len(), -1.0, 1.0))?;
        let velocity = exec.buffer_from("velocity", &vec![[9.0_f32; 2]; shape.columns()])?;
        let p = DriftParams { nx: shape.nx as u32, nz: shape.nz as u32, samples: shape.samples() as u32 };
        let mut rec = exec.record();
        let kernel = Drift { heights: &b.heights, phi: &b.phi, faces: &faces, velocity: &velocity };
        rec.run(&kernel, &p, Dispatch::Elements(shape.columns()))?;
        rec.submit()?;
        let values = exec.read(&velocity)?.concat();
        assert!(values.iter().any(|v| *v != 0.0), "some column is wet");
        // A line between two faces, fused or not.
        out.f32("velocity", values, Tolerance::Absolute(1e-6));
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    drift: 4 seeds,
}
