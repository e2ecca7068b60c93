use super::Reduce;
use crate::parity::{Outputs, Rng, Tolerance};
use crate::primitives::testing::LENGTHS;
use crate::{Executor, Result};

pub(super) type Reduction =
    fn(&Reduce, &mut crate::Recording<'_>, &crate::Buffer<f32>, &crate::Buffer<f32>) -> Result<()>;

pub(super) fn reduce(exec: &Executor, values: &[f32], how: Reduction) -> Result<f32> {
    let input = exec.buffer_from("input", values)?;
    let output = exec.buffer_from("output", &[-7.0f32])?;
    let mut rec = exec.record();
    how(&Reduce::new(exec, values.len())?, &mut rec, &input, &output)?;
    rec.submit()?;
    Ok(exec.read(&output)?[0])
}

pub(super) fn sum_u32(exec: &Executor, values: &[u32]) -> Result<u32> {
    let input = exec.buffer_from("input", values)?;
    let output = exec.buffer_from("output", &[7u32])?;
    let mut rec = exec.record();
    Reduce::new(exec, values.len())?.sum_u32(&mut rec, &input, &output)?;
    rec.submit()?;
    Ok(exec.read(&output)?[0])
}

/// The same tree of additions on both.
fn every_length(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for len in LENGTHS {
        let rng = &mut rng.clone();
        let values = rng.f32s(len, -1e3, 1e3);
        out.f32("sum", vec![reduce(exec, &values, Reduce::sum_f32)?], Tolerance::Exact);
        out.f32("max", vec![reduce(exec, &values, Reduce::max_f32)?], Tolerance::Exact);
        out.f32("min", vec![reduce(exec, &values, Reduce::min_f32)?], Tolerance::Exact);
        out.u32("sum_u32", vec![sum_u32(exec, &rng.u32s(len, u32::MAX))?]);
    }
    Ok(())
}

crate::parity_cases! {
    every_length: 2 seeds,
}
