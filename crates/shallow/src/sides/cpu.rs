use super::rules::{EdgeWater, settle};
use super::{SideParams, SidesSlices};
use crate::clock::word;
use crate::physics::{depth, inverse_depth, surface};

pub(super) fn settle_side(p: &SideParams, a: SidesSlices<'_>) {
    let plane = a.bed.len();
    let water = |along: u32| {
        let (i, k) = match p.side {
            0 => (0, along),
            1 => (p.nx - 1, along),
            2 => (along, 0),
            _ => (along, p.nz - 1),
        };
        let at = (i + p.nx * k) as usize;
        let (s, z) = (a.state[at], a.bed[at]);
        let h = depth(s, z);
        let q = a.state[at + if p.side < 2 { plane } else { 2 * plane }];
        let u = q * inverse_depth(h, p.h_eps);
        EdgeWater { eta: surface(s, z), h, z, u: if p.side & 1 == 0 { -u } else { u } }
    };
    settle(p, a.clock[word::SIDE_VALUES + p.side as usize], a.clock[word::DT], a.curves, a.levels, water);
}
