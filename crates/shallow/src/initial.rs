//! What a run starts from: bed and state of the setup's cells, and what follows from them.

use rayon::prelude::*;

use crate::error::{Result, invalid};
use crate::physics::{depth, inverse_depth, signal_speed};
use crate::plan::Plan;
use crate::setup::{SIDES, Setup};

/// One row of the bed and of each plane of the state.
type Rows<'a> = (((&'a mut [f32], &'a mut [f32]), &'a mut [f32]), &'a mut [f32]);

/// Bed and state from the setup's cells, relative to the datum.
pub(crate) fn fill(setup: &Setup<'_>, datum: f64, bed: &mut [f32], state: &mut [f32]) -> Result<()> {
    let nx = setup.nx as usize;
    let (s, q) = state.split_at_mut(bed.len());
    let (qx, qz) = q.split_at_mut(bed.len());
    let rows = bed.par_chunks_mut(nx).zip(s.par_chunks_mut(nx)).zip(qx.par_chunks_mut(nx)).zip(qz.par_chunks_mut(nx));
    let fill_row = |(k, (((bed, s), qx), qz)): (usize, Rows<'_>)| {
        for i in 0..nx {
            let cell = (setup.initial)(i as u32, k as u32);
            let numbers = [cell.bed, cell.surface, cell.velocity[0], cell.velocity[1]];
            if numbers.iter().any(|x| !x.is_finite()) {
                return invalid(format!("cell ({i}, {k}) has a bed, surface or velocity that is not finite"));
            }
            let z = (cell.bed - datum) as f32;
            bed[i] = z;
            s[i] = if cell.surface > cell.bed {
                ((cell.surface - datum) - f64::from(z.max(0.0))) as f32
            } else {
                z.min(0.0)
            };
            let h = depth(s[i], z);
            (qx[i], qz[i]) = (h * cell.velocity[0] as f32, h * cell.velocity[1] as f32);
        }
        Ok(())
    };
    rows.enumerate().map(fill_row).collect()
}

/// Lowest bed along west, east, south and north.
pub(crate) fn edge_beds(bed: &[f32], nx: usize, nz: usize) -> [f32; SIDES] {
    let column = |i: usize| (0..nz).map(|k| bed[i + nx * k]).fold(f32::INFINITY, f32::min);
    let row = |k: usize| bed[k * nx..(k + 1) * nx].iter().copied().fold(f32::INFINITY, f32::min);
    [column(0), column(nx - 1), row(0), row(nz - 1)]
}

/// Fastest signal of the initial state.
pub(crate) fn fastest(plan: &Plan, bed: &[f32], state: &[f32]) -> f32 {
    let cells = bed.len();
    let speed = |at: usize| {
        let h = depth(state[at], bed[at]);
        let inverse = inverse_depth(h, plan.hllc.h_eps);
        let (u, w) = (state[at + cells] * inverse, state[at + 2 * cells] * inverse);
        signal_speed(plan.hllc.gravity, h, u, w, plan.hllc.planar)
    };
    (0..cells).into_par_iter().map(speed).reduce(|| 0.0, f32::max)
}
