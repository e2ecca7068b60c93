use thalweg_compute::parity::{Outputs, Rng};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{CLEARANCE, Survey, SurveyParams};
use crate::constants::event::{DEPOSITS, LIVED, MADE};
use crate::events::Layout;
use crate::testing::Water;
use crate::trial::SLOTS;

/// Particles that there may be: two blocks of workgroups.
const CAPACITY: usize = 20_000;

pub(super) struct Surveyed {
    pub(super) ceilings: Vec<i32>,
    pub(super) freed: Vec<u32>,
    pub(super) events: Vec<u32>,
}

pub(super) fn surveyed(exec: &Executor, water: &Water, trials: &[[f32; 4]]) -> Result<(Surveyed, Layout)> {
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

fn survey(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
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
}

thalweg_compute::parity_cases! {
    survey: 6 seeds,
}
