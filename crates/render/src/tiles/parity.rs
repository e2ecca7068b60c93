use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::{TilesParams, room};

/// Random waves, also of a thin domain and as a height field.
fn tiles(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let height_field = rng.below(2);
    let [nx, nz, per_cell] = [9 + rng.below(60), 1 + rng.below(40), 1 + rng.below(2)];
    let [x, y, z] = [nx * per_cell, 12 * per_cell, if nz == 1 { 1 } else { nz * per_cell }];
    let params =
        TilesParams { nx, nz, lattice_x: x, lattice_y: y, lattice_z: z, per_cell: per_cell as f32, height_field };
    let surface: Vec<f32> = (0..x * z).map(|_| rng.range(2.0, 0.8 * y as f32)).collect();
    let water: Vec<f32> = (0..x * y * z).map(|at| (at % y) as f32 - surface[(at / y) as usize]).collect();
    let ground: Vec<[f32; 4]> = (0..nx * nz).map(|_| std::array::from_fn(|_| rng.range(0.0, 5.0))).collect();
    let (water, ground) = (exec.buffer_from("water", &water)?, exec.buffer_from("ground", &ground)?);
    // The words of the sky in front are left alone.
    let table = exec.zeros("table", room([nx, nz]))?;
    let mut rec = exec.record();
    super::record(&mut rec, &params, (&water, &ground), &table)?;
    rec.submit()?;
    out.f32("tiles", exec.read(&table)?.into_iter().flatten().collect(), Tolerance::Relative(1e-6));
    Ok(())
}

thalweg_compute::parity_cases! {
    tiles: 6 seeds,
}
