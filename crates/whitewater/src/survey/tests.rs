use thalweg_compute::parity::{Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{CLEARANCE, NO_CEILING, Survey, SurveyParams};
use crate::events::{DEPOSITS, LIVED, Layout, MADE};
use crate::testing::Water;
use crate::trial::SLOTS;

/// Particles that there may be: two blocks of workgroups.
const CAPACITY: usize = 20_000;

struct Surveyed {
    ceilings: Vec<i32>,
    freed: Vec<u32>,
    events: Vec<u32>,
}

fn surveyed(exec: &Executor, water: &Water, trials: &[[f32; 4]]) -> Result<(Surveyed, Layout)> {
    let [nx, nz, samples] = water.size();
    let columns = water.shape.columns();
    let layout = Layout::new(columns, CAPACITY);
    let Layout { made, blocks, block_count, .. } = layout;
    let params = SurveyParams { nx, nz, samples, per_trial: 5, clearance: CLEARANCE, made, blocks, block_count };
    // What the last step left; the last kernel of a step has taken back the drops made.
    let mut before = vec![99_u32; layout.len()];
    before[MADE] = 0;
    let b = water.upload(exec)?;
    let trials = exec.buffer_from("trials", trials)?;
    let (ceilings, freed) = (exec.buffer_from("ceilings", &vec![-9; columns])?, exec.buffer("freed", columns)?);
    let events = exec.buffer_from("events", &before)?;
    let mut rec = exec.record();
    let kernel = Survey {
        heights: &b.heights,
        phi: &b.phi,
        solid: &b.solid,
        trials: &trials,
        ceilings: &ceilings,
        freed: &freed,
        events: &events,
    };
    rec.run(&kernel, &params, Dispatch::Elements(columns))?;
    rec.submit()?;
    Ok((Surveyed { ceilings: exec.read(&ceilings)?, freed: exec.read(&freed)?, events: exec.read(&events)? }, layout))
}

#[test]
fn survey_parity() {
    assert_parity(6, |exec, rng, out| {
        let water = Water::random(rng);
        let place = |_| [rng.range(-1.0, 10.0), rng.range(4.0, 16.0), rng.range(-1.0, 8.0), rng.range(-0.1, 0.8)];
        let mut trials: Vec<[f32; 4]> = (0..2 * SLOTS * water.shape.columns()).map(place).collect();
        trials.iter_mut().skip(1).step_by(2).for_each(|motion| motion[3] = if motion[0] > 5.0 { 1.0 } else { 0.0 });
        let (Surveyed { ceilings, freed, events }, layout) = surveyed(exec, &water, &trials)?;
        let drops: u32 = freed.iter().map(|bits| 5 * bits.count_ones()).sum();
        assert!(freed.contains(&0) && drops > 50 && events[MADE] == drops && events[layout.made as usize] == drops);
        assert!(events[..=LIVED].iter().chain(&events[DEPOSITS..layout.made as usize]).all(|word| *word == 0));
        assert!(events[layout.blocks as usize..] == [0, 0] && events[layout.lived as usize] == 99);
        out.u32("freed", freed);
        out.u32("ceilings", ceilings.into_iter().map(|c| c as u32).collect());
        out.u32("events", events);
        Ok(())
    });
}

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
