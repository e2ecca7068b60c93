//! Tallies: how many slots of each group of 256 belong to a kind. A slot's place in a list is the sum of the groups
//! before its own and the number of its kind before it in the group; so lists are made by as many workgroups as there
//! are groups, in the order of slots. In WESL: `slot_counts.fragment.wesl`.

pub(crate) use super::layout::slot_counts::{FREE, GROUP, MERGES, WORDS};

/// Groups of a number of slots.
pub(crate) const fn groups(capacity: usize) -> usize {
    capacity.div_ceil(GROUP)
}

/// Sums over all groups.
pub(crate) fn totals(tallies: &[u32], capacity: usize) -> [u32; WORDS] {
    let mut sums = [0; WORDS];
    for tally in tallies.chunks_exact(WORDS).take(groups(capacity)) {
        sums.iter_mut().zip(tally).for_each(|(sum, count)| *sum += count);
    }
    sums
}
