use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::{Case, SIZES, case, fastest, launch, unwritten};

/// One step: the new state, volumes through edge faces, the fastest signal.
pub(super) fn step(exec: &Executor, c: &Case, second: bool, entered: &[f32]) -> Result<(Vec<f32>, Vec<f32>, f32)> {
    let state = &exec.buffer_from("test.state", &c.state)?;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let clock = &exec.buffer_from("test.clock", &c.clock)?;
    let levels = &exec.buffer_from("test.levels", &c.levels)?;
    let edges = &exec.buffer_from("test.edges", entered)?;
    let groups = c.params.groups();
    let next = &unwritten(exec, c.state.len())?;
    let speeds = &unwritten(exec, (groups[0] * groups[1]) as usize)?;
    let by = Dispatch::Groups(groups);
    if second {
        launch(exec, &HllcSecond { state, bed, clock, levels, next, speeds, edges }, &c.params, by)?;
    } else {
        launch(exec, &HllcFirst { state, bed, clock, levels, next, speeds, edges }, &c.params, by)?;
    }
    Ok((exec.read(next)?, exec.read(edges)?, fastest(&exec.read(speeds)?)))
}

pub(super) fn edge_faces(c: &Case) -> usize {
    2 * (c.params.nx + c.params.nz) as usize
}

fn steps(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for second in [false, true] {
        for size in SIZES {
            let c = case(rng, size, 0.9);
            let entered = rng.f32s(edge_faces(&c), -1.0, 1.0);
            let (next, edges, speed) = step(exec, &c, second, &entered)?;
            let name = |what: &str| format!("{what}, second order {second}, {size:?}");
            // Depths up to 2 m and discharges up to 2 m²/s after some fifty roundings of 1.2e-7, whose
            // divisions by differences of wave speeds magnify them about tenfold.
            let tolerance = Tolerance::Mixed { absolute: 2e-5, relative: 1e-5 };
            out.f32(&name("next"), next, tolerance);
            out.f32(&name("edges"), edges, tolerance);
            // A film's velocity is a quotient of two small numbers.
            out.f32(&name("fastest"), vec![speed], Tolerance::Relative(1e-3));
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    steps: 6 seeds,
}
