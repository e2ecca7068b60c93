//! What rain, sources and sides have brought and taken, counted in units by slot: `TreeWater` moves the sums between
//! accounts.

use thalweg_ledger::Account;
use thalweg_ledger::transfer::{load, store};

pub(crate) use super::constants::tally::{self, WORDS};

/// Between which accounts the counts of [`tally`] move.
const MOVES: [(usize, Account, Account); 5] = [
    (tally::RAIN_GIVEN, Account::Rain, Account::Water),
    (tally::RAIN_TAKEN, Account::Water, Account::Rain),
    (tally::SOURCES_GIVEN, Account::Sources, Account::Water),
    (tally::SOURCES_TAKEN, Account::Water, Account::Sources),
    (tally::SIDES_TAKEN, Account::Water, Account::Outside),
];

/// Adds units to a count of a slot.
pub(super) fn add(words: &mut [u32], count: usize, units: u64) {
    store(words, count, load(words, count).wrapping_add(units));
}

/// Sums over all slots: from where, to where, how many units.
pub(crate) fn totals(words: &[u32]) -> [(Account, Account, i128); 5] {
    MOVES.map(|(count, from, to)| {
        let units = words.chunks_exact(WORDS).map(|slot| i128::from(load(slot, count))).sum();
        (from, to, units)
    })
}
