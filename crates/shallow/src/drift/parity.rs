use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Drift, DriftParams};
use crate::testing::{Case, SIZES, case, launch};

/// Velocities of all cells.
pub(super) fn drift(exec: &Executor, c: &Case) -> Result<Vec<[f32; 2]>> {
    let state = &exec.buffer_from("test.state", &c.state)?;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let velocity = &exec.buffer("test.velocity", c.bed.len())?;
    let params = DriftParams { cells: c.bed.len() as u32, h_eps: c.params.h_eps };
    launch(exec, &Drift { state, bed, velocity }, &params, Dispatch::Elements(c.bed.len()))?;
    exec.read(velocity)
}

fn velocities(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        let c = case(rng, size, 0.9);
        // A product and a quotient (2.5 units in the last place).
        out.f32(&format!("velocity {size:?}"), drift(exec, &c)?.concat(), Tolerance::Relative(1e-6));
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    velocities: 4 seeds,
}
