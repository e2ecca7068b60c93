use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::Reinitialise;
use crate::testing::{Scene, random_scene};

/// The level set after a number of reinitialisations.
pub(super) fn reinitialised(exec: &Executor, scene: &Scene, times: usize) -> Vec<f32> {
    let buffers = scene.upload(exec);
    let stage = Reinitialise::new(exec, scene.shape).expect("memory");
    let mut rec = exec.record();
    for _ in 0..times {
        stage.record(&mut rec, &buffers.heights, &buffers.aperture, &buffers.phi).expect("recorded");
    }
    rec.submit().expect("done");
    exec.read(&buffers.phi).expect("a buffer")
}

pub(super) fn clamped(exec: &Executor, scene: &Scene) -> Vec<f32> {
    let buffers = scene.upload(exec);
    let stage = Reinitialise::new(exec, scene.shape).expect("memory");
    let mut rec = exec.record();
    stage.record_clamp(&mut rec, &buffers.heights, &buffers.aperture, &buffers.phi).expect("recorded");
    rec.submit().expect("done");
    exec.read(&buffers.phi).expect("a buffer")
}

/// Roots and divisions, in seven sweeps after each other.
fn reinitialisation(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        for _ in 0..number {
            rng.next_u64(); // another scene for every number
        }
        let scene = random_scene(rng, number);
        out.f32("phi", reinitialised(exec, &scene, 1), Tolerance::Absolute(1e-5));
        out.f32("clamped", clamped(exec, &scene), Tolerance::Exact);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    reinitialisation: 2 seeds,
}
