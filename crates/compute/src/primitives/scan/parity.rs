use super::Scan;
use crate::parity::{Outputs, Rng};
use crate::{Executor, Result};

/// What is past the end of an output, and stays.
pub(super) const SENTINEL: u32 = 0xdead_beef;

pub(super) fn scan(exec: &Executor, counts: &[u32]) -> Result<(Vec<u32>, u32)> {
    let input = exec.buffer_from("counts", counts)?;
    let offsets = exec.buffer_from("offsets", &vec![SENTINEL; counts.len()])?;
    let total = exec.buffer_from("total", &[SENTINEL])?;
    let mut rec = exec.record();
    Scan::new(exec, counts.len())?.exclusive_with_total(&mut rec, &input, &offsets, &total)?;
    rec.submit()?;
    Ok((exec.read(&offsets)?, exec.read(&total)?[0]))
}

fn any_length(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let len = rng.below(40_000) as usize;
    let (offsets, total) = scan(exec, &rng.u32s(len, u32::MAX))?;
    out.u32("offsets", offsets);
    out.u32("total", vec![total]);
    Ok(())
}

crate::parity_cases! {
    any_length: 8 seeds,
}
