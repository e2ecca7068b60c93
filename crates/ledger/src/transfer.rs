//! The accounts of a ledger as words in memory of an executor; `transfer.fragment.wesl` has the same for kernels.
//!
//! What an account has received and given are whole numbers of 63 bits, so that every balance fits into 64 bits with its
//! sign. A transfer that an account cannot hold is refused and counted ([`word::REFUSED`]): nothing wraps around.

use crate::account::Account;
use crate::word;

/// 2³¹, of which amounts in f32 must be less, and quanta in such an amount of 1.
const MOST: f32 = 2_147_483_648.0;
/// Quanta in an amount of 1 that is an f32.
const ONE: f32 = 4_294_967_296.0;

/// The 64 bits at a word, low word first.
pub fn load(words: &[u32], at: usize) -> u64 {
    u64::from(words[at]) | u64::from(words[at + 1]) << 32
}

/// Writes them.
pub fn store(words: &mut [u32], at: usize, value: u64) {
    (words[at], words[at + 1]) = (value as u32, (value >> 32) as u32);
}

fn entry(account: u32, which: u32) -> usize {
    (word::FIRST + word::ACCOUNT_WORDS * account + which) as usize
}

/// What an account has received, and what it has given, in quanta.
pub(crate) fn turnover(ledger: &[u32], account: u32) -> [u64; 2] {
    [word::RECEIVED, word::GIVEN].map(|which| load(ledger, entry(account, which)))
}

/// What an account holds, in quanta.
pub fn balance(ledger: &[u32], account: Account) -> i64 {
    let [received, given] = turnover(ledger, account.number());
    received.wrapping_sub(given).cast_signed()
}

/// Moves an amount, in quanta, between two accounts, named by their numbers ([`Quantity::account`]).
///
/// [`Quantity::account`]: crate::Quantity::account
pub fn transfer(ledger: &mut [u32], from: u32, to: u32, amount: u64) {
    let (source, destination) = (entry(from, word::GIVEN), entry(to, word::RECEIVED));
    let given = load(ledger, source).wrapping_add(amount);
    let received = load(ledger, destination).wrapping_add(amount);
    if (amount | given | received) >> 63 != 0 {
        ledger[word::REFUSED as usize] = ledger[word::REFUSED as usize].wrapping_add(1);
        return;
    }
    store(ledger, source, given);
    store(ledger, destination, received);
}

/// The same with an amount of 2³² quanta each, rounded towards zero; a negative one goes the other way.
pub fn transfer_f32(ledger: &mut [u32], from: u32, to: u32, amount: f32) {
    let size = amount.abs();
    // Not a number compares as if it were large.
    if size.to_bits() >= MOST.to_bits() {
        ledger[word::REFUSED as usize] = ledger[word::REFUSED as usize].wrapping_add(1);
        return;
    }
    let whole = size.floor();
    // Multiplying by a power of two rounds nothing.
    let units = u64::from(whole as u32) << 32 | u64::from(((size - whole) * ONE) as u32);
    if amount < 0.0 {
        transfer(ledger, to, from, units);
    } else {
        transfer(ledger, from, to, units);
    }
}
