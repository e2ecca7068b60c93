use super::rules::{EdgeWater, settle};
use super::{SideParams, SidesSlices};
use crate::clock::word;

pub(super) fn settle_side(p: &SideParams, a: SidesSlices<'_>) {
    let plane = a.bed.len();
    let across = if p.side < 2 { plane } else { 2 * plane };
    let water = |along: u32| {
        let [i, k] = p.edge_cell(along);
        let at = (i + p.nx * k) as usize;
        EdgeWater::of_cell(p, a.state[at], a.bed[at], a.state[at + across])
    };
    settle(p, a.clock[word::SIDE_VALUES + p.side as usize], a.clock[word::DT], a.curves, a.levels, water);
}
