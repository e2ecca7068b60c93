use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::clock::word;
use crate::testing::{Case, SIZES, case, launch};

/// Looks at states one after the other, a time each (s since the frame began); the planes after the last one.
pub(super) fn looked(
    exec: &Executor,
    c: &Case,
    (wet, began): (f32, f32),
    states: &[(f32, &[f32])],
) -> Result<Vec<f32>> {
    let cells = c.bed.len();
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let maps = &exec.buffer_from("test.maps", &blank(cells))?;
    let params = MapsParams { cells: cells as u32, h_eps: c.params.h_eps, wet, began };
    for (elapsed, state) in states {
        let mut words = c.clock.clone();
        words[word::ELAPSED] = *elapsed;
        let clock = &exec.buffer_from("test.clock", &words)?;
        let state = &exec.buffer_from("test.state", state)?;
        launch(exec, &Look { state, bed, clock, maps }, &params, Dispatch::Elements(cells))?;
    }
    exec.read(maps)
}

fn two_states(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        let c = case(rng, size, 0.9);
        let cells = c.bed.len();
        // Another surface and flow over the same bed, so that some cells rise, some fall and some are wet for the first
        // time.
        let mut later = c.state.clone();
        for at in 0..cells {
            let dry = c.bed[at].min(0.0);
            later[at] = (later[at] + rng.range(-0.2, 0.2)).max(dry);
            later[at + cells] = rng.range(-1.0, 1.0) * (later[at] - dry);
            later[at + 2 * cells] = rng.range(-1.0, 1.0) * (later[at] - dry) * c.params.planar;
        }
        let (first, second) = (rng.range(0.0, 1.0), rng.range(1.0, 2.0));
        let planes = looked(exec, &c, (0.01, 100.0), &[(first, &c.state), (second, &later)])?;
        // Surfaces are copied and times summed once: both are the same. A film is deeper than the limit on both
        // executors or on neither: the depth is one subtraction.
        out.f32(&format!("highest surface {size:?}"), planes[..cells].to_vec(), Tolerance::Absolute(0.0));
        out.f32(&format!("times {size:?}"), planes[2 * cells..].to_vec(), Tolerance::Absolute(0.0));
        // Velocities are a product and a quotient (2.5 units in the last place), of which squares have twice the error.
        out.f32(&format!("fastest {size:?}"), planes[cells..2 * cells].to_vec(), Tolerance::Relative(3e-6));
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    two_states: 6 seeds,
}
