use rayon::prelude::*;

use super::{BulkCopyParams, BulkCopySlices};

pub(super) fn copy(p: &BulkCopyParams, s: BulkCopySlices<'_>) {
    let len = p.len as usize;
    let share = len.div_ceil(rayon::current_num_threads()).max(1);
    let pairs = s.copied[..len].par_chunks_mut(share).zip(s.source[..len].par_chunks(share));
    pairs.for_each(|(to, from)| to.copy_from_slice(from));
}
