use rayon::prelude::*;

use super::{CompactIndicesSlices, CompactParams, TILE};

pub(super) fn compact_indices(p: &CompactParams, s: CompactIndicesSlices<'_>) {
    let flags = &s.flags[..p.len as usize];
    // The offsets of the tiles' first elements cut the list into one run per tile.
    let mut rest = s.indices;
    let mut start = 0;
    let mut runs = Vec::with_capacity(flags.len().div_ceil(TILE));
    for next in (TILE..).step_by(TILE).take(flags.len().div_ceil(TILE)) {
        let end = if next < flags.len() { s.offsets[next] as usize } else { usize::MAX };
        let len = end.saturating_sub(start).min(rest.len());
        let (run, tail) = std::mem::take(&mut rest).split_at_mut(len);
        runs.push(run);
        (rest, start) = (tail, end);
    }
    runs.into_par_iter().zip(flags.par_chunks(TILE)).enumerate().for_each(|(tile, (run, flags))| {
        let set = flags.iter().enumerate().filter(|(_, flag)| **flag != 0);
        run.iter_mut().zip(set).for_each(|(slot, (i, _))| *slot = (tile * TILE + i) as u32);
    });
}
