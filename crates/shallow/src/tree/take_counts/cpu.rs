use super::{TakeCountsParams, TakeCountsSlices};
use crate::tree::layout::status;

pub(super) fn take_counts(p: &TakeCountsParams, s: TakeCountsSlices<'_>) {
    let slots = s.status.chunks_exact_mut(status::WORDS).zip(s.counted.iter_mut());
    for (status, counted) in slots.take(p.capacity as usize) {
        *counted = [status::ADDED, status::REMOVED, status::ADDED_REST, status::REMOVED_REST]
            .map(|word| std::mem::take(&mut status[word]));
    }
}
