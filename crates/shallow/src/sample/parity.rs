use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::{Case, SIZES, case, launch, unwritten};

pub(super) fn sample_cells(exec: &Executor, c: &Case, list: &[u32]) -> Result<Vec<f32>> {
    let state = &exec.buffer_from("test.state", &c.state)?;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let list = &exec.buffer_from("test.list", list)?;
    let values = &unwritten(exec, list.len() * WORDS)?;
    let params = SampleParams { cells: c.bed.len() as u32, h_eps: c.params.h_eps };
    launch(exec, &SampleCells { state, bed, list, values }, &params, Dispatch::Elements(list.len()))?;
    exec.read(values)
}

fn listed_cells(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        let c = case(rng, size, 0.9);
        let length = 1 + rng.below(700) as usize;
        let list = rng.u32s(length, c.bed.len() as u32);
        // Sums are rounded once; velocities are a product and a quotient (2.5 units in the last place).
        out.f32(&format!("values {size:?}"), sample_cells(exec, &c, &list)?, Tolerance::Relative(1e-6));
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    listed_cells: 5 seeds,
}
