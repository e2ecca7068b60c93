use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{SLOTS, Trial, TrialParams};
use crate::testing::Water;

pub(super) fn params(water: &Water) -> TrialParams {
    let [nx, nz, samples] = water.size();
    TrialParams {
        nx,
        nz,
        samples,
        salt: 77,
        depth: 1.5,
        cells_per_speed: 0.4,
        falling: 0.3,
        fallen: 0.05,
        breaking: 0.6,
        calm: 0.5,
        from_x: 0,
        to_x: nx,
        from_z: 0,
        to_z: nz,
    }
}

/// Lookups of eight values, and a quotient of their differences.
fn trial(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let water = Water::random(rng);
    // Two columns of nine along x and three of seven along z are left out.
    let whole = params(&water);
    let p = TrialParams { from_x: 1, to_x: whole.nx - 1, from_z: 2, to_z: whole.nz - 1, ..whole };
    let b = water.upload(exec)?;
    let trials = exec.buffer_from("trials", &vec![[9.0_f32; 4]; 2 * SLOTS * water.shape.columns()])?;
    let mut rec = exec.record();
    let kernel = Trial { heights: &b.heights, phi: &b.phi, velocity: &b.velocity, solid: &b.solid, trials: &trials };
    rec.run(&kernel, &p, Dispatch::Elements(SLOTS * water.shape.columns()))?;
    rec.submit()?;
    let trials = exec.read(&trials)?;
    assert!(trials.iter().any(|t| t[3] == 1.0) && trials.iter().filter(|t| t[3] > 0.0).count() > 20);
    for (column, trials) in trials.chunks(2 * SLOTS).enumerate() {
        let (x, z) = (column as u32 % p.nx, column as u32 / p.nx);
        let is_led = x < 1 || x > p.nx - 2 || z < 2 || z > p.nz - 2;
        assert!(!is_led || trials.iter().all(|t| *t == [0.0; 4]), "{x} {z} on {}", exec.describe());
    }
    out.f32("trials", trials.concat(), Tolerance::Absolute(2e-4));
    Ok(())
}

thalweg_compute::parity_cases! {
    trial: 6 seeds,
}
