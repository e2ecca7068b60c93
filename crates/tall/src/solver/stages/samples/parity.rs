use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{KeepSamples, SampleBuffers, SampleParams, TakeSamples};
use crate::solver::stages::advect::AdvectParams;
use crate::testing::random_scene;

fn vectors(rng: &mut Rng, len: usize) -> Vec<[f32; 4]> {
    (0..len).map(|_| [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0]).collect()
}

fn take_and_keep(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for everywhere in 0..2 {
        let rng = &mut rng.clone();
        let len = 777;
        let cells = exec.buffer_from("cells", &rng.f32s(len + 100, -1.0, 1.0))?;
        let samples = exec.buffer_from("samples", &rng.f32s(3 * len, -1.0, 1.0))?;
        let before = vectors(rng, len);
        let centres = exec.buffer_from("centres", &before)?;
        let changes = exec.buffer_from("changes", &vectors(rng, len))?;
        let p = SampleParams { len: len as u32, diagonal_at: 100, everywhere };
        let mut rec = exec.record();
        let take = TakeSamples { cells: &cells, samples: &samples, centres: &centres };
        rec.run(&take, &p, Dispatch::Elements(len))?;
        rec.submit()?;
        let (taken, state, diagonals) = (exec.read(&centres)?, exec.read(&samples)?, exec.read(&cells)?);
        for at in 0..len {
            let is_taken = everywhere != 0 || diagonals[100 + at] > 0.0;
            let own = [state[at], state[len + at], state[2 * len + at], 0.0];
            assert_eq!(taken[at], if is_taken { own } else { before[at] });
        }
        let mut rec = exec.record();
        let keep = KeepSamples { centres: &centres, changes: &changes, samples: &samples };
        rec.run(&keep, &p, Dispatch::Elements(len))?;
        rec.submit()?;
        out.f32("centres", taken.into_iter().flatten().collect(), Tolerance::Exact);
        out.f32("samples", exec.read(&samples)?, Tolerance::Exact);
    }
    Ok(())
}

/// A uniform velocity is that of every face inside the grid, and a linear one keeps its line along tall cells.
fn faces_are_means_of_samples(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let scene = random_scene(rng, 0);
    let (len, columns) = (scene.shape.len(), scene.shape.columns());
    let heights = exec.buffer_from("heights", &scene.heights)?;
    let cells = exec.buffer_from("cells", &vec![1.0; len])?;
    let u: Vec<f32> = [0.3, -0.2, 0.7].into_iter().flat_map(|u| vec![u; len]).collect();
    let samples = exec.buffer_from("samples", &u)?;
    let centres = exec.buffer("centres", len)?;
    let faces = exec.buffer_from("faces", &vec![9.0; 3 * len])?;
    let inner = exec.buffer_from("inner", &vec![9.0; columns])?;
    let p = AdvectParams {
        nx: scene.shape.nx as u32,
        nz: scene.shape.nz as u32,
        samples: scene.shape.samples() as u32,
        cells_per_speed: 0.0,
        band: 0.0,
        sharp: 0.0,
    };
    let mut rec = exec.record();
    let buffers = SampleBuffers { cells: (&cells, 0), samples: &samples, centres: &centres };
    buffers.mean_faces(&mut rec, &heights, [&faces, &inner], &p)?;
    rec.submit()?;
    let faces = exec.read(&faces)?;
    for (plane, wanted) in [0.3_f32, -0.2, 0.7].into_iter().enumerate() {
        let of_plane = &faces[plane * len..(plane + 1) * len];
        assert!(of_plane.iter().all(|u| *u == 0.0 || (u - wanted).abs() < 1e-6));
        assert!(of_plane.iter().filter(|u| **u != 0.0).count() > len / 2);
    }
    assert!(exec.read(&inner)?.iter().all(|v| (v + 0.2).abs() < 1e-6));
    out.f32("faces", faces, Tolerance::Absolute(1e-6));
    Ok(())
}

thalweg_compute::parity_cases! {
    take_and_keep: 4 seeds,
    faces_are_means_of_samples: 4 seeds,
}
