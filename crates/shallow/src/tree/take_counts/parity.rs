use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::{LEFT_ALONE, launch};
use crate::tree::layout::status;

/// Status and counts after they were taken, with a slot behind the last one.
pub(super) fn taken(exec: &Executor, status: &[f32], capacity: u32) -> Result<(Vec<f32>, Vec<[f32; 4]>)> {
    let status = &exec.buffer_from("test.status", status)?;
    let counted = &exec.buffer_from("test.counted", &vec![[LEFT_ALONE; 4]; capacity as usize + 1])?;
    let slots = Dispatch::Elements(capacity as usize + 1);
    launch(exec, &TakeCounts { status, counted }, &TakeCountsParams { capacity }, slots)?;
    Ok((exec.read(status)?, exec.read(counted)?))
}

/// Any counts of so many slots, and of one more.
pub(super) fn counts(rng: &mut Rng, capacity: u32) -> Vec<f32> {
    rng.f32s((capacity as usize + 1) * status::WORDS, -1.0, 1.0)
}

fn random_counts(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for capacity in [1, 7, 256, 300] {
        let (status, counted) = taken(exec, &counts(rng, capacity), capacity)?;
        out.f32(&format!("status of {capacity}"), status, Tolerance::Exact);
        out.f32(&format!("counts of {capacity}"), counted.concat(), Tolerance::Exact);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    random_counts: 4 seeds,
}
