use rayon::prelude::*;

use super::{ScanParams, ScanTilesSlices, TILE};

pub(super) fn scan_tiles(p: &ScanParams, s: ScanTilesSlices<'_>) {
    let len = p.len as usize;
    let tiles = s.output[..len].par_chunks_mut(TILE).zip(s.input[..len].par_chunks(TILE)).zip(s.bases);
    tiles.with_min_len(8).for_each(|((output, input), &base)| {
        let mut sum = base;
        for (before, &value) in output.iter_mut().zip(input) {
            *before = sum;
            sum = sum.wrapping_add(value);
        }
    });
}
