use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::clock::word;
use crate::physics::depth;
use crate::testing::{Case, SIZES, case, launch};

/// A layer along a random part of a side.
fn layer(rng: &mut Rng, c: &Case, side: u32) -> AbsorbParams {
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
        ledger_start: 3,
    }
}

/// State and ledger after the layer acted.
fn absorb(exec: &Executor, c: &Case, p: &AbsorbParams, booked: f32) -> Result<(Vec<f32>, Vec<f32>)> {
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let clock = &exec.buffer_from("test.clock", &c.clock)?;
    let state = &exec.buffer_from("test.state", &c.state)?;
    let count = (p.width * p.height) as usize;
    let ledger = &exec.buffer_from("test.ledger", &vec![booked; count + 5])?;
    launch(exec, &Absorb { bed, clock, state, ledger }, p, Dispatch::Elements(count))?;
    Ok((exec.read(state)?, exec.read(ledger)?))
}

#[test]
fn layers_parity() {
    assert_parity(5, |exec, rng, out| {
        for size in SIZES {
            for side in 0..4 {
                let c = case(rng, size, 0.9);
                let (state, ledger) = absorb(exec, &c, &layer(rng, &c, side), 0.5)?;
                // Differences of celerities of up to 4 m/s, rounded to 2.4e-7 each, times depths below 1.5 m.
                let tolerance = Tolerance::Absolute(4e-6);
                out.f32(&format!("state {size:?} side {side}"), state, tolerance);
                out.f32(&format!("ledger {size:?} side {side}"), ledger, tolerance);
            }
        }
        Ok(())
    });
}

#[test]
fn a_long_step_reaches_the_far_field_and_books_it() {
    for exec in test_executors() {
        for side in 0..4 {
            let rng = &mut Rng::new(u64::from(side));
            let mut c = case(rng, (23, 17), 0.9);
            c.clock[word::DT] = 1e9;
            let p = layer(rng, &c, side);
            let level = c.clock[word::SIDE_VALUES + side as usize];
            let (state, ledger) = absorb(exec, &c, &p, 0.0).unwrap();
            let cells = c.bed.len();
            for at in 0..cells {
                let (i, k) = (at as u32 % p.nx, at as u32 / p.nx);
                let inside = (p.x0..p.x0 + p.width).contains(&i) && (p.z0..p.z0 + p.height).contains(&k);
                let (s, z) = (state[at], c.bed[at]);
                if !inside || level <= z {
                    assert_eq!(s, c.state[at], "only water of the layer is touched");
                    continue;
                }
                let h = level - z;
                assert!((depth(s, z) - h).abs() < 1e-5, "side {side}: {} of {h} m", depth(s, z));
                let entering = 2.0 * ((9.81 * h).sqrt() - (9.81 * (0.1 - z).max(0.0)).sqrt());
                let inward = if side & 1 == 0 { 1.0 } else { -1.0 };
                let (normal, tangent) = if side < 2 { (1, 2) } else { (2, 1) };
                assert!((state[at + normal * cells] - inward * h * entering).abs() < 1e-4, "side {side}");
                assert_eq!(state[at + tangent * cells], c.state[at + tangent * cells], "tangential flow is left alone");
                let n = ((i - p.x0) + p.width * (k - p.z0) + p.ledger_start) as usize;
                assert!((ledger[n] - p.area * (s - c.state[at])).abs() < 1e-6);
            }
        }
    }
}
