use super::{PostParams, PostSlices};
use crate::transfer::{load, transfer};

pub(super) fn post(p: &PostParams, s: PostSlices<'_>) {
    for (n, [from, to]) in p.moves().into_iter().take(p.count as usize).enumerate() {
        transfer(s.ledger, from, to, load(s.amounts, p.first as usize + 2 * n));
    }
}
