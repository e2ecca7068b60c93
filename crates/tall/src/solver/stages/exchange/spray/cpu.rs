//! Twin: spray.wesl.

use super::{BookSprayParams, BookSpraySlices, word};
use crate::solver::stages::exchange::ledger::{account, load, store};

pub(super) fn book_spray(p: &BookSprayParams, s: BookSpraySlices<'_>) {
    let events = &s.events[p.first as usize..];
    let [left, returned, gone] = [word::LEFT, word::RETURNED, word::GONE].map(|at| load(events, at));
    let wanted = load(s.ledger, account::WANTED).wrapping_sub(left).wrapping_add(returned);
    store(s.ledger, account::WANTED, wanted);
    let removed = load(s.ledger, account::REMOVED).wrapping_add(gone);
    store(s.ledger, account::REMOVED, removed);
}
