use super::TreeSidesSlices;
use crate::physics::{depth, inverse_depth, surface};
use crate::sides::SideParams;
use crate::sides::rules::{EdgeWater, settle};
use crate::tree::layout::{CELL_WORDS, CELLS, NONE, clock};
use crate::tree::map::{Map, cell_in_tile};

pub(super) fn settle_tree_side(p: &SideParams, a: TreeSidesSlices<'_>) {
    let map = Map(a.topology);
    let water = |along: u32| {
        let (i, k) = match p.side {
            0 => (0, along),
            1 => (p.nx - 1, along),
            2 => (along, 0),
            _ => (along, p.nz - 1),
        };
        let Some(at) = holding(p, map, i, k) else { return EdgeWater { eta: 0.0, h: 0.0, z: 0.0, u: 0.0 } };
        let (s, z) = (a.cells[at], a.cells[at + 3 * CELLS]);
        let h = depth(s, z);
        let u = a.cells[at + if p.side < 2 { CELLS } else { 2 * CELLS }] * inverse_depth(h, p.h_eps);
        EdgeWater { eta: surface(s, z), h, z, u: if p.side & 1 == 0 { -u } else { u } }
    };
    settle(p, a.clock[clock::SIDE_VALUES + p.side as usize], a.clock[clock::STEP], a.curves, a.levels, water);
}

/// First word in `cells` of the cell that holds a finest cell.
fn holding(p: &SideParams, map: Map<'_>, i: u32, k: u32) -> Option<usize> {
    (0..p.levels).find_map(|level| {
        let shift = p.levels - 1 - level;
        let (i, k) = ((i >> shift) as i32, (k >> shift) as i32);
        let slot = map.slot(level, i >> 4, k >> 4);
        (slot != NONE).then(|| CELL_WORDS * slot as usize + cell_in_tile(i, k))
    })
}
