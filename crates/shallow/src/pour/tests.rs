use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::clock::word;
use crate::physics::depth;
use crate::testing::{Case, SIZES, case, launch, volume};

/// A disc or a rectangle somewhere in the domain.
fn shape(rng: &mut Rng, c: &Case, disc: bool) -> PourParams {
    let (nx, nz) = (c.params.nx, c.params.nz);
    let (x0, z0) = (rng.below(nx), rng.below(nz));
    let (width, height) = (1 + rng.below(nx - x0), 1 + rng.below(nz - z0));
    let radius = 0.5 * width.max(height) as f32;
    PourParams {
        nx,
        nz,
        x0,
        z0,
        width,
        height,
        radius2: if disc { radius * radius } else { -1.0 },
        center_x: x0 as f32 + 0.5 * width as f32,
        center_z: z0 as f32 + 0.5 * height as f32,
        source: 1,
        area: 0.25,
        ledger_start: 2,
    }
}

/// State and ledger after pouring at `rate` metres of depth per second.
fn pour(exec: &Executor, c: &Case, p: &PourParams, rate: f32) -> Result<(Vec<f32>, Vec<f32>)> {
    let mut words = c.clock.clone();
    words[word::SOURCE_RATES] = f32::NAN; // another source's
    words[word::SOURCE_RATES + 1] = rate;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let clock = &exec.buffer_from("test.clock", &words)?;
    let state = &exec.buffer_from("test.state", &c.state)?;
    let count = (p.width * p.height) as usize;
    let ledger = &exec.buffer("test.ledger", count + 4)?;
    launch(exec, &Pour { bed, clock, state, ledger }, p, Dispatch::Elements(count))?;
    Ok((exec.read(state)?, exec.read(ledger)?))
}

/// Gains of a part of a digit, on water from millimetres to kilometres, above and below the datum: the same digit on both executors.
#[test]
fn dithered_sums_parity() {
    assert_parity(8, |exec, rng, out| {
        for part in [0.1, 0.45, 0.55, 3.7] {
            let mut c = case(rng, (60, 40), 0.9);
            let digit = 2f32.powi(rng.below(20) as i32 - 30);
            for (at, z) in c.bed.iter_mut().enumerate() {
                let s = digit * (2f32.powi(23) + (rng.below(1 << 23)) as f32);
                let below = rng.below(2) == 0;
                (c.state[at], *z) = if below { (-s, -4.0 * s) } else { (s, 0.0) };
            }
            let count = c.params.nx * c.params.nz;
            let p = PourParams { x0: 0, z0: 0, width: c.params.nx, height: c.params.nz, ..shape(rng, &c, false) };
            c.clock[word::DT] = 0.5;
            let (state, _) = pour(exec, &c, &p, 2.0 * part * digit)?;
            let rose = state.iter().zip(&c.state).take(count as usize).filter(|(new, old)| new != old).count();
            out.u32(&format!("cells that gain, {part} of a digit"), vec![rose as u32]);
            out.f32(&format!("{part} of a digit"), state, Tolerance::Exact);
        }
        Ok(())
    });
}

#[test]
fn sources_parity() {
    assert_parity(5, |exec, rng, out| {
        for size in SIZES {
            for (disc, rate) in [(false, 0.3), (true, 0.3), (false, -4.0), (true, -0.5)] {
                let c = case(rng, size, 0.9);
                let (state, ledger) = pour(exec, &c, &shape(rng, &c, disc), rate)?;
                // A product and a sum, rounded once more or less; a film's share is a quotient.
                out.f32(&format!("state {size:?} {rate}"), state, Tolerance::Absolute(5e-7));
                out.f32(&format!("ledger {size:?} {rate}"), ledger, Tolerance::Absolute(2e-7));
            }
        }
        Ok(())
    });
}

#[test]
fn sources_add_their_rate_and_drains_take_no_more_than_there_is() {
    for exec in test_executors() {
        for (seed, rate) in [(1, 0.4), (2, -0.4), (3, -1e3), (4, 0.0)] {
            let rng = &mut Rng::new(seed);
            let c = case(rng, (47, 31), 0.9);
            let p = shape(rng, &c, seed % 2 == 0);
            let (state, ledger) = pour(exec, &c, &p, rate).unwrap();
            let cells = c.bed.len();
            let asked = f64::from(c.clock[word::DT] * rate);
            for at in 0..cells {
                let (i, k) = (at as u32 % p.nx, at as u32 / p.nx);
                let inside = (p.x0..p.x0 + p.width).contains(&i) && (p.z0..p.z0 + p.height).contains(&k);
                let (old, new) = (depth(c.state[at], c.bed[at]), depth(state[at], c.bed[at]));
                let wanted = if inside && p.covers(i, k) { (f64::from(old) + asked).max(0.0) } else { f64::from(old) };
                assert!(new >= 0.0 && (f64::from(new) - wanted).abs() < 5e-7, "cell ({i}, {k}): {new} of {wanted} m");
                let speed = |state: &[f32], h: f32| state[at + cells] / h;
                if rate < 0.0 && new > 1e-3 {
                    assert!((speed(&state, new) - speed(&c.state, old)).abs() < 1e-3, "a drain changes no velocity");
                } else if rate >= 0.0 {
                    assert_eq!(state[at + cells], c.state[at + cells], "poured water brings no momentum");
                }
            }
            let gained = volume(&state[..cells], &c.bed) - volume(&c.state[..cells], &c.bed);
            let booked = ledger.iter().map(|&v| f64::from(v)).sum::<f64>() / f64::from(p.area);
            assert!((gained - booked).abs() < 1e-7 * cells as f64, "{}: {gained} {booked}", exec.describe());
        }
    }
}
