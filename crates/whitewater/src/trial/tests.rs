use thalweg_compute::Dispatch;
use thalweg_compute::parity::test_executors;

use super::parity::params;
use super::{SLOTS, Trial, TrialParams};
use crate::testing::Water;

/// Flat water 4.25 cells deep that moves at 2 m/s: all trial particles begin in its highest cell, and fall as they
/// should.
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
