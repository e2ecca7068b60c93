use thalweg_compute::parity::test_executors;

use super::NO_CEILING;
use super::parity::surveyed;
use crate::constants::event::MADE;
use crate::testing::Water;
use crate::trial::SLOTS;

#[test]
fn drops_are_made_where_trial_particles_are_clear_of_the_water() {
    let water = Water::plain([6, 12, 5], |[_, y, _]| y - 4.0, [0.0; 3]);
    let cases = [
        ([3.0, 5.0, 2.0, 0.4], 0.0, true),   // 1 cell above, twice the radius is less
        ([3.0, 5.0, 2.0, 0.6], 0.0, false),  // twice the radius is more
        ([3.0, 4.4, 2.0, 0.01], 0.0, false), // small, but not clear of the surface
        ([3.0, 4.4, 2.0, 0.6], 1.0, true),   // thrown off
        ([3.0, 3.9, 2.0, 0.01], 1.0, false), // thrown off, and still in the water
        ([3.0, 6.0, 2.0, 0.0], 0.0, false),  // none
        ([6.5, 6.0, 2.0, 0.1], 0.0, false),  // outside
    ];
    let mut trials = vec![[0.0; 4]; 2 * SLOTS * 30];
    for (slot, (place, thrown, _)) in cases.iter().enumerate() {
        (trials[2 * slot], trials[2 * slot + 1]) = (*place, [0.0, 0.0, 0.0, *thrown]);
    }
    for exec in test_executors() {
        let (found, _) = surveyed(exec, &water, &trials).expect("surveyed");
        for (slot, (_, _, wanted)) in cases.iter().enumerate() {
            let bit = found.freed[slot / SLOTS] >> (slot % SLOTS) & 1;
            assert_eq!(bit == 1, *wanted, "case {slot} on {}", exec.describe());
        }
        assert!(found.freed[2..].iter().all(|bits| *bits == 0) && found.events[MADE] == 10);
    }
}

/// Above its ceiling a column has neither water nor solids, and half a cell below it there is some.
#[test]
fn ceilings_are_just_above_water_solids_and_ground() {
    let mut water = Water::plain([5, 12, 1], |[_, y, _]| y - 4.0, [0.0; 3]);
    let n = water.shape.samples();
    water.solid[n + 7] = 0.1; // a beam over the second column
    water.solid[3 * n - 1] = 1.0; // the highest sample counts for all above
    water.phi[3 * n..4 * n].fill(2.0); // no water in the fourth
    water.heights[4] = [3, 8]; // a tall cell, wet at both ends, under cells that are dry
    water.phi[4 * n..5 * n].fill(1.0);
    water.phi[4 * n..4 * n + 2].fill(-1.0);
    let trials = vec![[0.0; 4]; 2 * SLOTS * 5];
    for exec in test_executors() {
        let (found, _) = surveyed(exec, &water, &trials).expect("surveyed");
        assert_eq!(found.ceilings, [4, 8, NO_CEILING, 0, 8], "{}", exec.describe());
    }
}
