//! What happens to drops, added up in integers: volumes in fixed point ([`thalweg_tall::spray_word`]), then foam per column.

use thalweg_tall::spray_word as word;

/// First word of the foam that columns get.
pub(crate) const DEPOSITS: usize = word::COUNT;

/// Foam that covers a whole column, in units of the deposits. Twin in foam.wesl.
pub(crate) const COVERED: f32 = 65_536.0;

/// Adds a fraction of a cell to an account.
pub(crate) fn add(events: &mut [u32], account: usize, fraction: u32) {
    let (sum, carries) = events[account + 1].overflowing_add(fraction);
    events[account + 1] = sum;
    events[account] = events[account].wrapping_add(carries.into());
}
