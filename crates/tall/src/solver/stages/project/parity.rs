use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Mask, MaskParams, SurfaceParams, SurfaceRhs, SurfaceSamples, SurfaceUpdate};
use crate::testing::random_scene;

fn mask(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let cells = exec.buffer_from("cells", &rng.f32s(1500, -1.0, 1.0))?;
    let q = exec.buffer_from("q", &rng.f32s(1000, -1.0, 1.0))?;
    let mut rec = exec.record();
    rec.run(&Mask { cells: &cells, q: &q }, &MaskParams { len: 1000, diagonal_at: 500 }, Dispatch::Elements(1000))?;
    rec.submit()?;
    let masked = exec.read(&q)?;
    let diagonals = exec.read(&cells)?;
    assert!(masked.iter().zip(&diagonals[500..]).all(|(q, d)| (*d <= 0.0) == (*q == 0.0)));
    out.f32("q", masked, Tolerance::Exact);
    Ok(())
}

/// Sums of up to six products of conductances up to 10 with heights up to 40 cells.
fn surface(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        for _ in 0..number {
            rng.next_u64();
        }
        let scene = random_scene(rng, number);
        let len = scene.shape.len();
        let heights = &exec.buffer_from("heights", &scene.heights)?;
        let phi = &exec.buffer_from("phi", &scene.phi)?;
        let aperture = &exec.buffer_from("aperture", &scene.aperture)?;
        let conductances: Vec<f32> = scene.aperture.iter().map(|a| a * rng.range(1.0, 10.0)).collect();
        let matrix = &exec.buffer_from("matrix", &conductances)?;
        let diagonals: Vec<f32> = scene.phi.iter().map(|phi| f32::from(u8::from(*phi < 0.0))).collect();
        let cells = &exec.buffer_from("cells", &diagonals)?;
        let b = &exec.buffer_from("b", &rng.f32s(len, -1.0, 1.0))?;
        let faces = &exec.buffer_from("faces", &rng.f32s(3 * len, -1.0, 1.0))?;
        let samples = &exec.buffer_from("samples", &rng.f32s(3 * len, -1.0, 1.0))?;
        let inner = &exec.buffer_from("inner", &rng.f32s(scene.shape.columns(), -1.0, 1.0))?;
        let p = SurfaceParams {
            nx: scene.shape.nx as u32,
            nz: scene.shape.nz as u32,
            samples: scene.shape.samples() as u32,
            diagonal_at: 0,
            weight: 0.03,
            level: 9.3,
            per_cell: 10.0,
            aside_x: 0.01,
            aside_z: -0.02,
            fastest: if number % 2 == 0 { 0.8 } else { 1e9 },
            collocated: (number / 2 % 2) as u32,
        };
        let mut rec = exec.record();
        rec.run(&SurfaceRhs { heights, phi, matrix, aperture, cells, b }, &p, Dispatch::Elements(len))?;
        rec.run(&SurfaceUpdate { heights, phi, matrix, aperture, faces, inner }, &p, Dispatch::Elements(3 * len))?;
        let kernel = SurfaceSamples { heights, phi, matrix, aperture, cells, b, samples };
        rec.run(&kernel, &p, Dispatch::Elements(len))?;
        rec.submit()?;
        let close = Tolerance::Mixed { absolute: 2e-4, relative: 2e-5 };
        out.f32("b", exec.read(b)?, close);
        out.f32("faces", exec.read(faces)?, close);
        out.f32("inner", exec.read(inner)?, close);
        out.f32("samples", exec.read(samples)?, close);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    mask: 4 seeds,
    surface: 2 seeds,
}
