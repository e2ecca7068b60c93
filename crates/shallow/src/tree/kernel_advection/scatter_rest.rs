use rayon::prelude::*;

use super::outflow_limit::{bed, downstream, level, listed};
use super::scatter::Sent;
use super::units::{momentum_units, part_of, to_f32, unit_depth, wide};
use super::window::Windows;
use super::{KernelParams, ScatterRestSlices, plane};
use crate::tree::layout::CELLS;

/// `r_j = V_j − Σ_i m_ij` goes to the leaves under the window a step downstream, in parts of the window. What rounding,
/// banks or sleeping tiles leave over stays where it is.
pub(super) fn scatter_rest(p: &KernelParams, s: ScatterRestSlices<'_>) {
    let windows = Windows::new(p, s.topology, s.lists);
    let pushed_by = |&slot: &u32| {
        let tile = windows.stepping(slot)?;
        let mut sent = Sent::from_tile(slot);
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
                sent.send(leaf.slot, leaf.at, with_momentum(p, given, leaf.level, velocity));
            });
            if left > 0 {
                sent.send(slot, at, with_momentum(p, left, p.level, velocity));
            }
        }
        Some(sent)
    };
    let all: Vec<Sent<3>> = listed(p, s.lists).par_iter().filter_map(pushed_by).collect();
    let planes = [0, plane::MOMENTUM, plane::MOMENTUM + 2];
    all.iter().for_each(|sent| sent.deliver(s.arrivals, plane::ARRIVALS, planes));
}

/// A volume for a cell of some level, and the momentum that it brings.
fn with_momentum(p: &KernelParams, volume: u64, level: u32, velocity: [f32; 2]) -> [u64; 3] {
    let depth = to_f32(volume) * unit_depth(p.depth_bits, p.levels - 1 - level);
    [volume, momentum_units(depth * velocity[0]), momentum_units(depth * velocity[1])]
}
