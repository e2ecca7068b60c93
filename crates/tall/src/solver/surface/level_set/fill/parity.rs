use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::{FillSolids, MOSTLY, Reach};
use crate::testing_heights::{Scene, random_scene};

pub(super) fn filled(exec: &Executor, scene: &Scene, solid: &[f32], layers: u32) -> Vec<f32> {
    let fill = FillSolids::new(exec, scene.shape).expect("memory");
    let heights = exec.buffer_from("heights", &scene.heights).expect("memory");
    let solid = exec.buffer_from("solid", solid).expect("memory");
    let phi = exec.buffer_from("phi", &scene.phi).expect("memory");
    let mut rec = exec.record();
    fill.record(&mut rec, &heights, &solid, &phi, Reach { layers, mostly: MOSTLY }).expect("recorded");
    rec.submit().expect("done");
    exec.read(&phi).expect("a buffer")
}

/// Means of up to six numbers, five times over.
fn fill(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let scene = random_scene(rng, number);
        let n = scene.shape.samples();
        let solid: Vec<f32> = (0..scene.shape.len())
            .map(|at| match rng.below(3) {
                _ if at % n < 2 && thalweg_columns::grid::is_tall(scene.heights[at / n]) => 0.0,
                0 => rng.range(0.0, 0.99),
                _ => 1.0,
            })
            .collect();
        out.f32("phi", filled(exec, &scene, &solid, 5), Tolerance::Absolute(1e-5));
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    fill: 4 seeds,
}
