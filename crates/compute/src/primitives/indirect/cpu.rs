use super::{FoldCountParams, FoldCountSlices};
use crate::constants::MAX_GROUPS;
use crate::dispatch::fold;

pub(super) fn fold_count(p: &FoldCountParams, s: FoldCountSlices<'_>) {
    let count = s.count[0];
    let groups = u64::from(count.div_ceil(p.workgroup)).min(u64::from(MAX_GROUPS).pow(2));
    let [x, y, z] = fold(groups).unwrap_or_default();
    s.args[..4].copy_from_slice(&[x, y, z, count]);
}
