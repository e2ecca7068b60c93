use thalweg_columns::Shape;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Merge, Thicken, ThickenParams};
use crate::testing::{Scene, random_scene};

/// The level set `moved` after thickening, with velocities of samples.
pub(super) fn thickened(
    exec: &Executor,
    scene: &Scene,
    moved: &[f32],
    centres: &[[f32; 4]],
    cells_per_speed: f32,
) -> Result<Vec<f32>> {
    let Shape { nx, nz, .. } = scene.shape;
    let p = ThickenParams { nx: nx as u32, nz: nz as u32, samples: scene.shape.samples() as u32, cells_per_speed };
    let b = scene.upload(exec);
    let (centres, moved) = (exec.buffer_from("centres", centres)?, exec.buffer_from("moved", moved)?);
    let keys = exec.buffer("keys", scene.shape.len())?;
    let mut rec = exec.record();
    let all = || Dispatch::Elements(scene.shape.len());
    rec.run(&Thicken { heights: &b.heights, phi: &b.phi, centres: &centres, keys: &keys }, &p, all())?;
    rec.run(&Merge { keys: &keys, moved: &moved }, &p, all())?;
    rec.submit()?;
    exec.read(&moved)
}

/// Traces through interpolated velocities, then distances in steps of a millionth of a cell.
fn thicken(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let number = u64::from(rng.below(8));
    let mut scene = random_scene(rng, number);
    // Sheets: all water deeper than a cell and a half becomes air.
    scene.phi.iter_mut().for_each(|phi| *phi = phi.abs() - rng.range(0.6, 0.9));
    let centres: Vec<[f32; 4]> = (0..scene.shape.len())
        .map(|_| [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0])
        .collect();
    let moved = thickened(exec, &scene, &scene.phi, &centres, 0.7)?;
    assert!(number == 6 || moved.iter().zip(&scene.phi).any(|(a, b)| a < b), "something was thin in scene {number}");
    out.f32("moved", moved, Tolerance::Absolute(2e-4));
    Ok(())
}

thalweg_compute::parity_cases! {
    thicken: 8 seeds,
}
