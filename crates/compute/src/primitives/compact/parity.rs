use super::Compact;
use crate::parity::{Outputs, Rng};
use crate::{Executor, Result};

/// What is behind the list, and stays.
pub(super) const SENTINEL: u32 = 0xdead_beef;

pub(super) fn compact(exec: &Executor, flags: &[u32]) -> Result<(Vec<u32>, u32)> {
    let indices = exec.buffer_from("indices", &vec![SENTINEL; flags.len()])?;
    let count = exec.buffer_from("count", &[SENTINEL])?;
    let flags = exec.buffer_from("flags", flags)?;
    let mut rec = exec.record();
    Compact::new(exec, flags.len())?.indices(&mut rec, &flags, &indices, &count)?;
    rec.submit()?;
    Ok((exec.read(&indices)?, exec.read(&count)?[0]))
}

fn any_length(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let len = rng.below(40_000) as usize;
    let (indices, count) = compact(exec, &rng.u32s(len, 2))?;
    out.u32("indices", indices);
    out.u32("count", vec![count]);
    Ok(())
}

crate::parity_cases! {
    any_length: 8 seeds,
}
