use super::demand::{bed, downstream, level, listed};
use super::units::{add_wide, momentum_units, part_of, to_f32, unit_depth, wide};
use super::window::Windows;
use super::{KernelParams, PushSlices, plane};
use crate::tree::layout::CELLS;

/// `r_j = V_j − Σ_i m_ij` goes to the leaves under the window a step downstream, in parts of the window. What rounding, banks or sleeping tiles leave over stays where it is.
pub(super) fn push(p: &KernelParams, s: PushSlices<'_>) {
    let windows = Windows::new(p, s.topology, s.lists);
    for &slot in listed(p, s.lists) {
        let Some(tile) = windows.stepping(slot) else { continue };
        for at in 0..CELLS {
            let j = slot as usize;
            let taken = wide(s.asked, plane::ASKED * CELLS * j + plane::TAKEN * CELLS + at);
            let rest = wide(s.volumes, plane::VOLUMES * CELLS * j + at) - taken;
            if rest == 0 {
                continue;
            }
            let flow = plane::FLOW * CELLS * j + at;
            let velocity = [s.flow[flow], s.flow[flow + CELLS]];
            let surface = level(s.cells, slot, at);
            let mut left = rest;
            windows.each(slot, tile, at, downstream(s.drift, slot, at), |leaf| {
                if bed(s.cells, leaf.slot, leaf.at) >= surface {
                    return;
                }
                let given = part_of(rest, leaf.of_window());
                left -= given;
                give(p, s.arrivals, (leaf.slot, leaf.at, leaf.level), given, velocity);
            });
            if left > 0 {
                give(p, s.arrivals, (slot, at, p.level), left, velocity);
            }
        }
    }
}

/// Adds a volume and its momentum to a cell.
fn give(p: &KernelParams, arrivals: &mut [u32], (slot, at, level): (u32, usize, u32), volume: u64, velocity: [f32; 2]) {
    let arrival = plane::ARRIVALS * CELLS * slot as usize + at;
    add_wide(arrivals, arrival, volume);
    let depth = to_f32(volume) * unit_depth(p.depth_bits, p.levels - 1 - level);
    for (axis, u) in velocity.into_iter().enumerate() {
        add_wide(arrivals, arrival + (plane::MOMENTUM + 2 * axis) * CELLS, momentum_units(depth * u));
    }
}
