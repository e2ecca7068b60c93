//! What happens in a step, added up in integers: volumes in fixed point ([`thalweg_columns::flow::spray_word`]), how
//! many particles there will be, foam per column, and the counts from which particles and drops find their new slots.
//!
//! A slot is the sum of all counts before it. Scans over particles would be five more dispatches and 24 bytes a
//! particle; here the kernel that decides also counts what its workgroup keeps, and the one that moves adds up the
//! counts before its own. Sums of integers are the same in any order.

use thalweg_columns::flow::spray_word as word;
use thalweg_compute::WORKGROUP;
use thalweg_ledger::transfer::{load, store};

use crate::constants::BLOCK;
use crate::constants::event::{DEPOSITS, LIVED};

const _: () = assert!(LIVED == word::COUNT, "events begin with the words of spray");

/// Where the counts behind the foam begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layout {
    /// Drops made, per workgroup of columns.
    pub(crate) made: u32,
    /// Survivors, per workgroup of particles.
    pub(crate) lived: u32,
    /// Survivors, per block of workgroups.
    pub(crate) blocks: u32,
    /// How many blocks there are.
    pub(crate) block_count: u32,
}

impl Layout {
    pub(crate) fn new(columns: usize, capacity: usize) -> Self {
        let groups = |count: usize| count.div_ceil(WORKGROUP as usize);
        let made = DEPOSITS + columns;
        let lived = made + groups(columns);
        let blocks = lived + groups(capacity);
        let [made, lived, blocks, block_count] =
            [made, lived, blocks, groups(capacity).div_ceil(BLOCK)].map(|n| n as u32);
        Self { made, lived, blocks, block_count }
    }

    /// Words in all.
    pub(crate) fn len(&self) -> usize {
        (self.blocks + self.block_count) as usize
    }
}

/// Adds a fraction of a cell to a count.
pub(crate) fn add(events: &mut [u32], count: usize, fraction: u32) {
    store(events, count, load(events, count).wrapping_add(fraction.into()));
}
