//! The bodies of `unfold` and `ground` on the processor.

use rayon::prelude::*;
use thalweg_columns::grid::is_tall;
use thalweg_columns::interpolate::{level_set, sample_pair};

use super::constants::WETS;
use super::{GroundSlices, PictureParams, UnfoldSlices};

pub(super) fn unfold(p: &PictureParams, s: UnfoldSlices<'_>) {
    let n = p.samples as usize;
    let columns = s.lattice.par_chunks_mut(p.ny as usize).zip(s.phi.par_chunks(n)).zip(s.heights).with_min_len(64);
    columns.for_each(|((column, line), heights)| {
        for (y, value) in column.iter_mut().enumerate() {
            let phi = level_set(line, sample_pair(*heights, n, y as f32));
            *value = phi.clamp(-p.reach, p.reach);
        }
    });
}

pub(super) fn ground(p: &PictureParams, s: GroundSlices<'_>) {
    let n = p.samples as usize;
    let columns =
        s.ground.par_iter_mut().zip(s.phi.par_chunks(n)).zip(s.heights).zip(s.terrain).zip(s.foam).with_min_len(256);
    columns.for_each(|((((ground, line), heights), terrain), foam)| {
        let phi = level_set(line, sample_pair(*heights, n, terrain.floor()));
        let wetness = if phi < WETS { 1.0 } else { ground[1] * p.keeps };
        let top = if is_tall(*heights) { heights[1] as f32 } else { -1.0 };
        *ground = [*terrain, wetness, foam.clamp(0.0, 1.0), top];
    });
}
