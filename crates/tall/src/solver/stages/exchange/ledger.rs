//! The books: what should be there, what came in, what went out, in cells.
//!
//! Every account is a fixed-point number of 32 whole and 32 fractional bits in two words, and sums are those of
//! integers: a lake of 10⁹ cells does not lose an addition of 10⁻⁹. What should be there is signed (two's complement).

use thalweg_compute::{Buffer, ComputeError, Executor};

/// Words of the ledger: the whole part of each account, its fraction in the word after it.
pub(crate) mod account {
    /// What the volume should be.
    pub(crate) const WANTED: usize = 0;
    /// What came in since the start.
    pub(crate) const ADDED: usize = 2;
    /// What went out since the start.
    pub(crate) const REMOVED: usize = 4;
    /// How many there are.
    pub(crate) const WORDS: usize = 6;
}

/// Fractions in a whole.
const ONE: f64 = 4_294_967_296.0;

pub(crate) fn load(words: &[u32], at: usize) -> u64 {
    u64::from(words[at]) << 32 | u64::from(words[at + 1])
}

pub(crate) fn store(words: &mut [u32], at: usize, value: u64) {
    (words[at], words[at + 1]) = ((value >> 32) as u32, value as u32);
}

/// An amount that is not negative, in fixed point; exact but for what is smaller than a fraction.
fn fixed(amount: f32) -> u64 {
    let whole = amount.floor();
    // Multiplying by a power of two rounds nothing.
    u64::from(whole as u32) << 32 | u64::from(((amount - whole) * 4_294_967_296.0) as u32)
}

/// Books an amount that came in, or went out if it is negative. Twin in ledger.wesl.
pub(crate) fn book(words: &mut [u32], amount: f32) {
    let change = fixed(amount.abs());
    let wanted = load(words, account::WANTED);
    if amount > 0.0 {
        store(words, account::WANTED, wanted.wrapping_add(change));
        store(words, account::ADDED, load(words, account::ADDED).wrapping_add(change));
    } else {
        store(words, account::WANTED, wanted.wrapping_sub(change));
        store(words, account::REMOVED, load(words, account::REMOVED).wrapping_add(change));
    }
}

/// Whole cells, with their sign, and the rest of an account.
pub(crate) fn parts(words: &[u32], at: usize) -> (i32, f32) {
    (words[at] as i32, words[at + 1] as f32 * (1.0 / 4_294_967_296.0))
}

/// Volumes since the start in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Books {
    /// What the volume should be: that of the start, and what came in less what went out.
    pub wanted: f64,
    /// What came in.
    pub added: f64,
    /// What went out.
    pub removed: f64,
}

impl Books {
    pub(crate) fn unpack(words: &[u32]) -> Self {
        let value = |at: usize| load(words, at) as f64 / ONE;
        Self {
            wanted: load(words, account::WANTED).cast_signed() as f64 / ONE,
            added: value(account::ADDED),
            removed: value(account::REMOVED),
        }
    }
}

/// The ledger in memory of the executor.
#[derive(Debug)]
pub(crate) struct Ledger {
    words: Buffer<u32>,
}

impl Ledger {
    pub(crate) fn new(exec: &Executor) -> Result<Self, ComputeError> {
        Ok(Self { words: exec.buffer("tall.ledger", account::WORDS)? })
    }

    /// Begins with this volume, cells.
    pub(crate) fn open(&self, exec: &Executor, volume: f64) -> Result<(), ComputeError> {
        let mut words = [0; account::WORDS];
        store(&mut words, account::WANTED, (volume.max(0.0) * ONE) as u64);
        exec.write(&self.words, 0, &words)
    }

    pub(crate) fn words(&self) -> &Buffer<u32> {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::{Books, account, book, parts, store};

    #[test]
    fn small_amounts_are_not_lost_in_large_ones() {
        let mut words = [0; account::WORDS];
        store(&mut words, account::WANTED, 1_000_000_000 << 32);
        (0..1_000_000).for_each(|_| book(&mut words, 1e-6));
        (0..500_000).for_each(|_| book(&mut words, -1e-6));
        let books = Books::unpack(&words);
        assert!((books.added - 1.0).abs() < 1e-3 && (books.removed - 0.5).abs() < 1e-3, "{books:?}");
        assert!((books.wanted - 1e9 - (books.added - books.removed)).abs() < 1e-6, "{books:?}");
    }

    #[test]
    fn more_may_go_out_than_there_was() {
        let mut words = [0; account::WORDS];
        book(&mut words, 0.25);
        book(&mut words, -1.5);
        assert_eq!(parts(&words, account::WANTED), (-2, 0.75));
        assert_eq!(Books::unpack(&words), Books { wanted: -1.25, added: 0.25, removed: 1.5 });
    }
}
