//! What came in and what went out, in units. Words of a slot in `books`: what was added, then what was removed, the low word first.

/// Words of a slot.
pub(crate) const WORDS: usize = 4;

/// Adds to the books of a slot.
pub(super) fn book(words: &mut [u32], added: u64, removed: u64) {
    for (pair, units) in words.chunks_exact_mut(2).zip([added, removed]) {
        let sum = read(pair).wrapping_add(units);
        (pair[0], pair[1]) = (sum as u32, (sum >> 32) as u32);
    }
}

/// Sums over all slots: added, removed.
pub(crate) fn totals(words: &[u32]) -> [u128; 2] {
    words.chunks_exact(WORDS).fold([0; 2], |[added, removed], slot| {
        [added + u128::from(read(&slot[..2])), removed + u128::from(read(&slot[2..]))]
    })
}

fn read(pair: &[u32]) -> u64 {
    u64::from(pair[0]) | u64::from(pair[1]) << 32
}
