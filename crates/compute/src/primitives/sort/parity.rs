use super::Sort;
use crate::parity::{Outputs, Rng};
use crate::{Executor, Result};

/// Sorts keys whose values are where they came from.
pub(super) fn sort(exec: &Executor, keys: &[u32], bits: u32) -> Result<(Vec<u32>, Vec<u32>)> {
    let values: Vec<u32> = (0..keys.len() as u32).collect();
    let (keys, values) = (exec.buffer_from("keys", keys)?, exec.buffer_from("values", &values)?);
    let mut rec = exec.record();
    Sort::new(exec, keys.len())?.by_key(&mut rec, &keys, &values, keys.len(), bits)?;
    rec.submit()?;
    Ok((exec.read(&keys)?, exec.read(&values)?))
}

fn any_length_and_bits(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let (len, bits) = (rng.below(20_000) as usize, rng.below(33));
    let (keys, values) = sort(exec, &rng.u32s(len, u32::MAX), bits)?;
    out.u32("keys", keys);
    out.u32("values", values);
    Ok(())
}

crate::parity_cases! {
    any_length_and_bits: 8 seeds,
}
