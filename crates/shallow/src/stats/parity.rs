use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::{Case, SIZES, case, launch, left_alone};

pub(super) fn params(c: &Case) -> StatsParams {
    StatsParams { cells: c.bed.len() as u32, gravity: 9.81, h_eps: c.params.h_eps, wet_depth: 5e-5 }
}

pub(super) fn stats(exec: &Executor, c: &Case) -> Result<Vec<f32>> {
    let state = &exec.buffer_from("test.state", &c.state)?;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let sums = &left_alone(exec, (c.bed.len().div_ceil(CHUNK) + 1) * WORDS)?;
    launch(exec, &Stats { state, bed, sums }, &params(c), Dispatch::Elements(c.bed.len()))?;
    exec.read(sums)
}

fn sums(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        // 256 terms of up to 10, summed in pairs on a GPU: eight roundings of 1.2e-7 on up to 500, and
        // terms that rounded differently.
        let tolerance = Tolerance::Mixed { absolute: 2e-4, relative: 3e-6 };
        out.f32(&format!("sums {size:?}"), stats(exec, &case(rng, size, 0.9))?, tolerance);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    sums: 5 seeds,
}
