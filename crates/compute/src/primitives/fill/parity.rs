use super::{Fill, FillParams};
use crate::parity::{Outputs, Rng};
use crate::{Dispatch, Executor, Result};

fn every_word(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let values = exec.buffer::<u32>("values", 1000 + rng.below(70_000) as usize)?;
    let mut rec = exec.record();
    rec.run(&Fill { values: &values }, &FillParams { value: rng.next_u32() }, Dispatch::Elements(values.len()))?;
    rec.submit()?;
    out.u32("values", exec.read(&values)?);
    Ok(())
}

crate::parity_cases! {
    every_word: 4 seeds,
}
