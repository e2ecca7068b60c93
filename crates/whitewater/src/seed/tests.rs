use thalweg_compute::Dispatch;
use thalweg_compute::parity::{Tolerance, assert_parity, test_executors};

use super::{Seed, SeedParams};
use crate::testing::Water;

fn params(water: &Water, slots: u32) -> SeedParams {
    let [nx, nz, samples] = water.size();
    SeedParams { nx, nz, samples, slots, per_trial: 5, clearance: 0.5 }
}

#[test]
fn seed_parity() {
    assert_parity(6, |exec, rng, out| {
        let water = Water::random(rng);
        let place = |_| [rng.range(-1.0, 10.0), rng.range(4.0, 16.0), rng.range(-1.0, 8.0), rng.range(-0.1, 0.8)];
        let mut trials: Vec<[f32; 4]> = (0..800).map(place).collect();
        trials.iter_mut().skip(1).step_by(2).for_each(|motion| motion[3] = if motion[0] > 5.0 { 1.0 } else { 0.0 });
        let b = water.upload(exec)?;
        let trials = exec.buffer_from("trials", &trials)?;
        let counts = exec.buffer_from("counts", &[99_u32; 400])?;
        let mut rec = exec.record();
        let kernel = Seed { heights: &b.heights, phi: &b.phi, solid: &b.solid, trials: &trials, counts: &counts };
        rec.run(&kernel, &params(&water, 400), Dispatch::Elements(400))?;
        rec.submit()?;
        let counts = exec.read(&counts)?;
        assert!(counts.contains(&0) && counts.contains(&5));
        out.u32("counts", counts, Tolerance::Exact);
        Ok(())
    });
}

#[test]
fn drops_are_made_where_trial_particles_are_clear_of_the_water() {
    let water = Water::plain([6, 12, 5], |[_, y, _]| y - 4.0, [0.0; 3]);
    let trials = [
        ([3.0, 5.0, 2.0, 0.4], 0.0, 5),  // 1 cell above, twice the radius is less
        ([3.0, 5.0, 2.0, 0.6], 0.0, 0),  // twice the radius is more
        ([3.0, 4.4, 2.0, 0.01], 0.0, 0), // small, but not clear of the surface
        ([3.0, 4.4, 2.0, 0.6], 1.0, 5),  // thrown off
        ([3.0, 3.9, 2.0, 0.01], 1.0, 0), // thrown off, and still in the water
        ([3.0, 6.0, 2.0, 0.0], 0.0, 0),  // none
        ([6.5, 6.0, 2.0, 0.1], 0.0, 0),  // outside
    ];
    for exec in test_executors() {
        let b = water.upload(exec).expect("memory");
        let entries: Vec<[f32; 4]> =
            trials.iter().flat_map(|(place, thrown, _)| [*place, [0.0, 0.0, 0.0, *thrown]]).collect();
        let list = exec.buffer_from("trials", &entries).expect("memory");
        let counts = exec.buffer("counts", trials.len()).expect("memory");
        let mut rec = exec.record();
        let kernel = Seed { heights: &b.heights, phi: &b.phi, solid: &b.solid, trials: &list, counts: &counts };
        rec.run(&kernel, &params(&water, 7), Dispatch::Elements(7)).expect("recorded");
        rec.submit().expect("run");
        assert_eq!(exec.read(&counts).expect("read"), trials.map(|(_, _, count)| count), "{}", exec.describe());
    }
}
