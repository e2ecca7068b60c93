use thalweg_compute::Dispatch;
use thalweg_compute::parity::{Tolerance, assert_parity, test_executors};

use super::{SLOTS, Trial, TrialParams};
use crate::testing::Water;

fn params(water: &Water) -> TrialParams {
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
#[test]
fn trial_parity() {
    assert_parity(6, |exec, rng, out| {
        let water = Water::random(rng);
        // Two columns of nine along x and three of seven along z are left out.
        let whole = params(&water);
        let p = TrialParams { from_x: 1, to_x: whole.nx - 1, from_z: 2, to_z: whole.nz - 1, ..whole };
        let b = water.upload(exec)?;
        let trials = exec.buffer_from("trials", &vec![[9.0_f32; 4]; 2 * SLOTS * water.shape.columns()])?;
        let mut rec = exec.record();
        let kernel =
            Trial { heights: &b.heights, phi: &b.phi, velocity: &b.velocity, solid: &b.solid, trials: &trials };
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
    });
}

/// Flat water 4.25 cells deep that moves at 2 m/s: all trial particles begin in its highest cell, and fall as they should.
#[test]
fn trial_particles_begin_near_the_surface_with_its_velocity() {
    let water = Water::plain([6, 12, 5], |[_, y, _]| y - 4.25, [2.0, 1.0, 0.0]);
    for exec in test_executors() {
        let (p, b) = (TrialParams { depth: 0.9, ..params(&water) }, water.upload(exec).expect("memory"));
        let trials = exec.buffer("trials", 2 * SLOTS * 30).expect("memory");
        let mut rec = exec.record();
        let kernel =
            Trial { heights: &b.heights, phi: &b.phi, velocity: &b.velocity, solid: &b.solid, trials: &trials };
        rec.run(&kernel, &p, Dispatch::Elements(SLOTS * 30)).expect("recorded");
        rec.submit().expect("run");
        let trials = exec.read(&trials).expect("read");
        let made: Vec<_> = trials.chunks(2).enumerate().filter(|(_, t)| t[0][3] > 0.0).collect();
        // Cells whose middle is above the surface hold no trial particle, and the one below always does.
        assert_eq!(made.len(), 30, "{}", exec.describe());
        for (slot, trial) in made {
            let [place, motion] = [trial[0], trial[1]];
            let column = slot / SLOTS;
            assert!((place[0] - 0.8 - (column % 6) as f32 - 0.5).abs() <= 0.5001, "{place:?}");
            // -φ where it began, 0.4 s/m at 1 m/s up and the fall since.
            assert!((place[3] - (4.25 - (place[1] - 0.4 + 0.05))).abs() < 1e-4, "{place:?}");
            assert_eq!(motion, [2.0, 0.7, 0.0, 0.0], "the same velocity everywhere does not break");
        }
    }
}
