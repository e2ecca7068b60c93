use rayon::prelude::*;

use super::scatter::Sent;
use super::window::Windows;
use super::{KernelParams, OutflowLimitSlices, plane};
use crate::physics::{depth, surface};
use crate::tree::layout::{CELL_WORDS, CELLS, lists};

/// `β_j = Σ_i W_ij / A_j`: what all windows ask of a cell, in parts of it, and what open sides do.
pub(super) fn outflow_limit(p: &KernelParams, s: OutflowLimitSlices<'_>) {
    let windows = Windows::new(p, s.topology, s.lists);
    let asked_by = |&slot: &u32| {
        let tile = windows.stepping(slot)?;
        let mut sent = Sent::from_tile(slot);
        for at in 0..CELLS {
            let bed = bed(s.cells, slot, at);
            windows.each(slot, tile, at, upstream(s.drift, slot, at), |leaf| {
                if level(s.cells, leaf.slot, leaf.at) > bed {
                    sent.send(leaf.slot, leaf.at, [u64::from(leaf.of_leaf(p.level))]);
                }
            });
            let leaving = s.drift[plane::DRIFT * CELLS * slot as usize + plane::LEAVING * CELLS + at];
            if leaving > 0 {
                sent.send(slot, at, [u64::from(leaving)]);
            }
        }
        Some(sent)
    };
    let all: Vec<Sent<1>> = listed(p, s.lists).par_iter().filter_map(asked_by).collect();
    all.iter().for_each(|sent| sent.deliver(s.asked, plane::ASKED, [plane::DEMAND]));
}

/// Slots of this level's list.
pub(super) fn listed<'a>(p: &KernelParams, lists: &'a [u32]) -> &'a [u32] {
    let count = lists[lists::COUNTS + p.level as usize] as usize;
    &lists[lists::PLACES + p.capacity as usize * (1 + p.level as usize)..][..count]
}

/// Surface of a cell above the datum, m.
pub(super) fn level(cells: &[f32], slot: u32, at: usize) -> f32 {
    let at = CELL_WORDS * slot as usize + at;
    surface(cells[at], cells[at + 3 * CELLS])
}

/// Whether a cell is dry or a film.
pub(super) fn is_thin(p: &KernelParams, cells: &[f32], slot: u32, at: usize) -> bool {
    let at = CELL_WORDS * slot as usize + at;
    depth(cells[at], cells[at + 3 * CELLS]) <= p.h_eps
}

/// Its bed, m.
pub(super) fn bed(cells: &[f32], slot: u32, at: usize) -> f32 {
    cells[CELL_WORDS * slot as usize + 3 * CELLS + at]
}

/// Where the window of a cell lies from which its water comes.
pub(super) fn upstream(drift: &[u32], slot: u32, at: usize) -> [i32; 2] {
    downstream(drift, slot, at).map(|d| -d)
}

/// Where its water goes.
pub(super) fn downstream(drift: &[u32], slot: u32, at: usize) -> [i32; 2] {
    let at = plane::DRIFT * CELLS * slot as usize + at;
    [drift[at] as i32, drift[at + CELLS] as i32]
}
