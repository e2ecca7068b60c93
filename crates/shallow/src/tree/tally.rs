//! Tallies: how many slots of each group of 256 belong to a kind. A slot's place in a list is the sum of the groups before its own and the number of its kind before it
//! in the group; so lists are made by as many workgroups as there are groups, in the order of slots. The WGSL twin is `tally.fragment.wesl`.

use super::layout::MAX_LEVELS;

/// Slots of a group: one for each invocation of a workgroup.
pub(crate) const GROUP: usize = 256;
/// Words of a group: a count for each of so many kinds, of which the first are levels.
pub(crate) const WORDS: usize = 2 * MAX_LEVELS;

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
