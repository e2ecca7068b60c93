use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::{Case, SIZES, case, launch};

/// A layer along a random part of a side.
pub(super) fn layer(rng: &mut Rng, c: &Case, side: u32) -> AbsorbParams {
    let (nx, nz) = (c.params.nx, c.params.nz);
    let (across, along) = if side < 2 { (nx, nz) } else { (nz, nx) };
    let layer = 1 + rng.below(across.min(9));
    let from = rng.below(along);
    let length = 1 + rng.below(along - from);
    let first = if side & 1 == 0 { 0 } else { across - layer };
    let (x0, z0, width, height) = if side < 2 { (first, from, layer, length) } else { (from, first, length, layer) };
    AbsorbParams {
        nx,
        nz,
        x0,
        z0,
        width,
        height,
        side,
        layer: layer as f32,
        strength: rng.range(0.5, 20.0),
        rest: 0.1,
        gravity: 9.81,
        area: 0.25,
        exchanged_start: 3,
    }
}

/// State and volumes after the layer acted.
pub(super) fn absorb(exec: &Executor, c: &Case, p: &AbsorbParams, counted: f32) -> Result<(Vec<f32>, Vec<f32>)> {
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let clock = &exec.buffer_from("test.clock", &c.clock)?;
    let state = &exec.buffer_from("test.state", &c.state)?;
    let count = (p.width * p.height) as usize;
    let exchanged = &exec.buffer_from("test.exchanged", &vec![counted; count + 5])?;
    launch(exec, &Absorb { bed, clock, state, exchanged }, p, Dispatch::Elements(count))?;
    Ok((exec.read(state)?, exec.read(exchanged)?))
}

fn layers(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        for side in 0..4 {
            let c = case(rng, size, 0.9);
            let (state, exchanged) = absorb(exec, &c, &layer(rng, &c, side), 0.5)?;
            // Differences of celerities of up to 4 m/s, rounded to 2.4e-7 each, times depths below 1.5 m.
            let tolerance = Tolerance::Absolute(4e-6);
            out.f32(&format!("state {size:?} side {side}"), state, tolerance);
            out.f32(&format!("exchanged {size:?} side {side}"), exchanged, tolerance);
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    layers: 5 seeds,
}
