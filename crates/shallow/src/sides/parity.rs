use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::{Case, SIZES, case, launch};

/// A curve of three points, after one that is another side's.
pub(crate) const CURVES: [f32; 8] = [0.0, 5.0, -0.9, 0.0, 0.1, 4.0, 0.7, 30.0];

/// A side of a case with a rule of its own.
pub(crate) fn side(rng: &mut Rng, c: &Case, number: u32, rule: u32) -> SideParams {
    let length = if number < 2 { c.params.nz } else { c.params.nx };
    let start = rng.below(length);
    SideParams {
        side: number,
        rule,
        nx: c.params.nx,
        nz: c.params.nz,
        start,
        stop: start + 1 + rng.below(length - start),
        levels: 1,
        face: c.params.cell,
        gravity: c.params.gravity,
        h_eps: c.params.h_eps,
        memory: [0.0, 3.0][rng.below(2) as usize],
        conveyance: rng.range(0.5, 9.0),
        curve_start: 1,
        curve_len: 3,
    }
}

/// Levels after the kernel.
pub(super) fn settle(exec: &Executor, c: &Case, p: &SideParams, before: &[f32]) -> Result<Vec<f32>> {
    let state = &exec.buffer_from("test.state", &c.state)?;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let clock = &exec.buffer_from("test.clock", &c.clock)?;
    let curves = &exec.buffer_from("test.curves", &CURVES)?;
    let levels = &exec.buffer_from("test.levels", before)?;
    launch(exec, &Sides { state, bed, clock, curves, levels }, p, Dispatch::Groups([1, 1, 1]))?;
    exec.read(levels)
}

/// Random levels; some faces remember nothing yet.
pub(crate) fn random_levels(rng: &mut Rng, faces: usize) -> Vec<f32> {
    let mut levels = rng.f32s(2 * faces, -1.0, 1.0);
    for kept in levels[faces..].iter_mut().filter(|_| rng.below(3) == 0) {
        *kept = UNSET;
    }
    levels
}

fn levels(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        for rule in [rule::GIVEN, rule::RATING, rule::NORMAL] {
            let c = case(rng, size, 0.9);
            let number = rng.below(4);
            let p = side(rng, &c, number, rule);
            let before = random_levels(rng, 2 * (c.params.nx + c.params.nz) as usize);
            let after = settle(exec, &c, &p, &before)?;
            // Celerities of up to 4 m/s, rounded to 2.4e-7 each; a level found by halving differs by the last digits of
            // the sum of discharges that it is weighed against, over the slope of the curve.
            out.f32(&format!("levels {size:?} rule {rule}"), after, Tolerance::Absolute(1e-5));
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    levels: 6 seeds,
}
