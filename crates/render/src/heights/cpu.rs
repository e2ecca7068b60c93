//! The body of `heights` on the processor.

use rayon::prelude::*;

use super::{HeightColumnsSlices, HeightsParams};
use crate::constants::heights::{BELOW, BURIED};

pub(super) fn height_columns(p: &HeightsParams, s: HeightColumnsSlices<'_>) {
    let (nx, nz) = (p.nx as usize, p.nz as usize);
    let depth = |at: usize| s.level[at] - s.bed[at].min(0.0);
    let height = |above_datum: f32| above_datum * p.per_metre + p.datum;
    let surface = |at: usize| height(s.level[at] + s.bed[at].max(0.0));
    s.ground.par_chunks_mut(nx).enumerate().with_min_len(16).for_each(|(k, row)| {
        for (i, ground) in row.iter_mut().enumerate() {
            let at = i + nx * k;
            let bed = height(s.bed[at]);
            if depth(at) > p.film {
                *ground = [bed, 1.0, 0.0, surface(at)];
                continue;
            }
            let beside = [(i > 0, at.wrapping_sub(1)), (i + 1 < nx, at + 1)];
            let beyond = [(k > 0, at.wrapping_sub(nx)), (k + 1 < nz, at + nx)];
            let neighbours = beside.into_iter().chain(beyond).filter(|(exists, at)| *exists && depth(*at) > p.film);
            let level = neighbours.map(|(_, at)| surface(at)).fold(f32::MIN, f32::max);
            let wetness = if depth(at) > 0.0 || level > f32::MIN { 1.0 } else { 0.0 };
            *ground = [bed, wetness, 0.0, level.min(bed - BELOW).max(bed - BURIED)];
        }
    });
}
