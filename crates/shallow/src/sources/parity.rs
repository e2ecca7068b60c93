use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::clock::word;
use crate::testing::{Case, SIZES, case, launch};

/// A disc or a rectangle somewhere in the domain.
pub(super) fn shape(rng: &mut Rng, c: &Case, disc: bool) -> SourceParams {
    let (nx, nz) = (c.params.nx, c.params.nz);
    let (x0, z0) = (rng.below(nx), rng.below(nz));
    let (width, height) = (1 + rng.below(nx - x0), 1 + rng.below(nz - z0));
    let radius = 0.5 * width.max(height) as f32;
    SourceParams {
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
        exchanged_start: 2,
    }
}

/// State and volumes after pouring at `rate` metres of depth per second.
pub(super) fn add_sources(exec: &Executor, c: &Case, p: &SourceParams, rate: f32) -> Result<(Vec<f32>, Vec<f32>)> {
    let mut words = c.clock.clone();
    words[word::SOURCE_RATES] = f32::NAN; // another source's
    words[word::SOURCE_RATES + 1] = rate;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let clock = &exec.buffer_from("test.clock", &words)?;
    let state = &exec.buffer_from("test.state", &c.state)?;
    let count = (p.width * p.height) as usize;
    let exchanged = &exec.zeros("test.exchanged", count + 4)?;
    launch(exec, &AddSources { bed, clock, state, exchanged }, p, Dispatch::Elements(count))?;
    Ok((exec.read(state)?, exec.read(exchanged)?))
}

/// Gains of a part of a digit, on water from millimetres to kilometres, above and below the datum: the same digit on
/// both executors.
fn dithered_sums(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for part in [0.1, 0.45, 0.55, 3.7] {
        let mut c = case(rng, (60, 40), 0.9);
        let digit = 2f32.powi(rng.below(20) as i32 - 30);
        for (at, z) in c.bed.iter_mut().enumerate() {
            let s = digit * (2f32.powi(23) + (rng.below(1 << 23)) as f32);
            let below = rng.below(2) == 0;
            (c.state[at], *z) = if below { (-s, -4.0 * s) } else { (s, 0.0) };
        }
        let count = c.params.nx * c.params.nz;
        let p = SourceParams { x0: 0, z0: 0, width: c.params.nx, height: c.params.nz, ..shape(rng, &c, false) };
        c.clock[word::DT] = 0.5;
        let (state, _) = add_sources(exec, &c, &p, 2.0 * part * digit)?;
        let rose = state.iter().zip(&c.state).take(count as usize).filter(|(new, old)| new != old).count();
        out.u32(&format!("cells that gain, {part} of a digit"), vec![rose as u32]);
        out.f32(&format!("{part} of a digit"), state, Tolerance::Exact);
    }
    Ok(())
}

fn sources(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        for (disc, rate) in [(false, 0.3), (true, 0.3), (false, -4.0), (true, -0.5)] {
            let c = case(rng, size, 0.9);
            let (state, exchanged) = add_sources(exec, &c, &shape(rng, &c, disc), rate)?;
            // A product and a sum, rounded once more or less; a film's share is a quotient.
            out.f32(&format!("state {size:?} {rate}"), state, Tolerance::Absolute(5e-7));
            out.f32(&format!("exchanged {size:?} {rate}"), exchanged, Tolerance::Absolute(2e-7));
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    dithered_sums: 8 seeds,
    sources: 5 seeds,
}
