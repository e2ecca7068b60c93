use rayon::prelude::*;

use super::outflow_limit::{bed, is_thin, level, upstream};
use super::scatter::Sent;
use super::units::{granted, momentum_units, part_of, put_wide, to_f32, wide};
use super::window::Windows;
use super::{GatherSlices, KernelParams, plane};
use crate::tree::layout::CELLS;

/// `m_ij = V_j W_ij / (A_j max(1, β_j))`, rounded down, with the velocity that it had. What comes to dry land moves as
/// the virtual velocity did that fetched it: that is the one which gravity has pulled.
pub(super) fn gather(p: &KernelParams, s: GatherSlices<'_>) {
    let windows = Windows::new(p, s.topology, s.lists);
    let unit = p.unit_depth();
    let asked = &*s.asked;
    let taken_by = |(slot, arrivals): (usize, &mut [u32])| {
        let slot = slot as u32;
        let tile = windows.stepping(slot)?;
        let mut sent = Sent::from_tile(slot);
        for at in 0..CELLS {
            let bed = bed(s.cells, slot, at);
            let (mut volume, mut q) = (0, [0.0f32; 2]);
            windows.each(slot, tile, at, upstream(s.drift, slot, at), |leaf| {
                if level(s.cells, leaf.slot, leaf.at) <= bed {
                    return;
                }
                let j = leaf.slot as usize;
                let demand = wide(asked, plane::ASKED * CELLS * j + plane::DEMAND * CELLS + leaf.at);
                let part = granted(leaf.of_leaf(p.level), demand);
                let taken = part_of(wide(s.volumes, plane::VOLUMES * CELLS * j + leaf.at), part);
                sent.send(leaf.slot, leaf.at, [taken]);
                volume += taken;
                let depth = to_f32(taken) * unit;
                let flow = plane::FLOW * CELLS * j + leaf.at;
                q = [q[0] + depth * s.flow[flow], q[1] + depth * s.flow[flow + CELLS]];
            });
            if is_thin(p, s.cells, slot, at) {
                let (depth, flow) = (to_f32(volume) * unit, plane::FLOW * CELLS * slot as usize + at);
                q = [depth * s.flow[flow], depth * s.flow[flow + CELLS]];
            }
            put_wide(arrivals, at, volume);
            for (axis, q) in q.into_iter().enumerate() {
                put_wide(arrivals, at + (plane::MOMENTUM + 2 * axis) * CELLS, momentum_units(q));
            }
        }
        Some(sent)
    };
    let tiles = s.arrivals.par_chunks_mut(plane::ARRIVALS * CELLS).enumerate();
    let all: Vec<Sent<1>> = tiles.filter_map(taken_by).collect();
    all.iter().for_each(|sent| sent.deliver(s.asked, plane::ASKED, [plane::TAKEN]));
}
