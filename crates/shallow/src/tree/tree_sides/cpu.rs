use super::TreeSidesSlices;
use crate::sides::SideParams;
use crate::sides::rules::{EdgeWater, settle};
use crate::tree::layout::{CELLS, clock};
use crate::tree::map::Map;

pub(super) fn settle_tree_side(p: &SideParams, a: TreeSidesSlices<'_>) {
    let map = Map(a.topology);
    let across = if p.side < 2 { CELLS } else { 2 * CELLS };
    let water = |along: u32| match map.cell_holding(p.levels, p.edge_cell(along)) {
        Some((at, _)) => EdgeWater::of_cell(p, a.cells[at], a.cells[at + 3 * CELLS], a.cells[at + across]),
        None => EdgeWater { eta: 0.0, h: 0.0, z: 0.0, u: 0.0 },
    };
    settle(p, a.clock[clock::SIDE_VALUES + p.side as usize], a.clock[clock::STEP], a.curves, a.levels, water);
}
