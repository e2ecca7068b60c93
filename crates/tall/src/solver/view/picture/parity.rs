use thalweg_columns::Shape;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Ground, PictureParams, Unfold};

pub(super) fn params(shape: Shape, ny: u32) -> PictureParams {
    let (nx, nz, samples) = (shape.nx as u32, shape.nz as u32, shape.samples() as u32);
    PictureParams { nx, nz, samples, ny, reach: 6.0, keeps: 0.5 }
}

/// Two lookups of one line.
fn picture(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let shape = Shape { nx: 9, nz: 7, regular: 8 };
    let heights: Vec<[i32; 2]> = (0..shape.columns())
        .map(|_| {
            let bottom = rng.below(4) as i32;
            [bottom, bottom + 2 + rng.below(5) as i32]
        })
        .collect();
    let terrain: Vec<f32> = heights.iter().map(|h| h[0] as f32 + 0.3).collect();
    let phi = rng.f32s(shape.len(), -8.0, 8.0);
    let before: Vec<[f32; 4]> = (0..shape.columns()).map(|_| [0.0, rng.range(0.0, 1.0), 0.0, 0.0]).collect();
    let heights = exec.buffer_from("heights", &heights)?;
    let terrain = exec.buffer_from("terrain", &terrain)?;
    let phi = exec.buffer_from("phi", &phi)?;
    let foam = exec.buffer_from("foam", &rng.f32s(shape.columns(), -0.2, 1.2))?;
    let lattice = exec.buffer("lattice", shape.columns() * 20)?;
    let ground = exec.buffer_from("ground", &before)?;
    let p = params(shape, 20);
    let mut rec = exec.record();
    rec.run(&Unfold { heights: &heights, phi: &phi, lattice: &lattice }, &p, Dispatch::Elements(63 * 20))?;
    let kernel = Ground { heights: &heights, terrain: &terrain, phi: &phi, foam: &foam, ground: &ground };
    rec.run(&kernel, &p, Dispatch::Elements(63))?;
    rec.submit()?;
    out.f32("lattice", exec.read(&lattice)?, Tolerance::Absolute(1e-5));
    out.f32("ground", exec.read(&ground)?.concat(), Tolerance::Absolute(1e-5));
    Ok(())
}

thalweg_compute::parity_cases! {
    picture: 3 seeds,
}
