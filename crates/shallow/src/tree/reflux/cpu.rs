use rayon::prelude::*;

use super::{RefluxParams, RefluxSlices};
use crate::physics::{max, min};
use crate::tree::layout::{CELL_WORDS, CELLS, NONE, REGISTER_WORDS, SIDE_WORDS, TILE, clock, lists, out, status};
use crate::tree::map::{Beyond, Map, SIDES, cell_at_side};

/// Tiles that a thread takes at least: fewer are done before another thread is awake.
const TILES_AT_ONCE: usize = 96;

pub(super) fn reflux(p: &RefluxParams, s: RefluxSlices<'_>) {
    let level = p.level as usize;
    let count = s.lists[lists::COUNTS + level] as usize;
    let places = &s.lists[lists::PLACES..];
    let list = &places[p.capacity as usize * (1 + level)..][..count];
    let periods = &s.clock[clock::PERIODS..];
    let own = periods[level];
    let start = s.clock[clock::TICK] - own;
    let ratio = own * s.clock[clock::TICK_DT] / p.cell;
    // The first of this level's steps within one of the coarser level begins a new register.
    let first = level == 0 || start % periods[level - 1] == 0.0;
    let map = Map(s.topology);
    let shift = p.levels - 1 - p.level;
    let size = [(p.nx >> shift) as i32, (p.nz >> shift) as i32];

    // Slots of a list ascend, so that their words can be handed out one after the other.
    let mut wanted = list.iter().copied().enumerate().peekable();
    let slots = s
        .cells
        .chunks_exact_mut(CELL_WORDS)
        .zip(s.registers.chunks_exact_mut(REGISTER_WORDS))
        .zip(s.status.chunks_exact_mut(status::WORDS));
    let mut tiles = Vec::with_capacity(count);
    for (slot, words) in slots.enumerate() {
        let Some(&(place, next)) = wanted.peek() else { break };
        if next as usize == slot {
            wanted.next();
            tiles.push((place, next, words));
        }
    }
    tiles.into_par_iter().with_min_len(TILES_AT_ONCE).for_each(|(place, slot, ((cells, register), words))| {
        let report = &s.out[out::WORDS * place..][..out::WORDS];
        cells[..3 * CELLS].copy_from_slice(&report[..3 * CELLS]);
        let Some(tile) = map.tile(slot) else { return };
        for side in 0..4 {
            match map.beyond(tile, SIDES[side], size) {
                Beyond::Same(other) if places[other as usize] != NONE => {
                    let theirs = &s.out[out::WORDS * places[other as usize] as usize..][..out::WORDS];
                    if theirs[out::HELD_BACK] as u32 >> (side ^ 1) & 1 == 1 {
                        let lost = &theirs[out::EDGES + SIDE_WORDS * (side ^ 1)..][..SIDE_WORDS];
                        take_back(side, ratio, lost, cells);
                    }
                }
                Beyond::Coarser(_) => {
                    let edges = &report[out::EDGES + SIDE_WORDS * side..][..SIDE_WORDS];
                    for (register, &edge) in register[SIDE_WORDS * side..].iter_mut().zip(edges) {
                        *register = if first { edge } else { *register + edge };
                    }
                }
                _ => {}
            }
        }
        words[status::SPEED] = report[out::SPEED];
        words[status::MOTION] = report[out::MOTION];
        add(words, [status::ADDED, status::ADDED_REST], report[out::ADDED]);
        add(words, [status::REMOVED, status::REMOVED_REST], report[out::REMOVED]);
    });
}

/// Adds to a sum; what it loses to rounding is summed up beside it, for steps are many and small.
fn add(words: &mut [f32], [sum, rest]: [usize; 2], volume: f32) {
    let new = words[sum] + volume;
    words[rest] += (words[sum] - new) + volume;
    words[sum] = new;
}

/// Takes what a neighbour held back from the cells at that side.
fn take_back(side: usize, ratio: f32, lost: &[f32], cells: &mut [f32]) {
    let sign = if side & 1 == 0 { -ratio } else { ratio };
    let (across, along) = if side < 2 { (CELLS, 2 * CELLS) } else { (2 * CELLS, CELLS) };
    for n in 0..TILE {
        let at = cell_at_side(side, n);
        let floor = min(cells[at + 3 * CELLS], 0.0);
        cells[at] = max(cells[at] + sign * lost[n], floor);
        cells[at + across] += sign * lost[TILE + n];
        cells[at + along] += sign * lost[2 * TILE + n];
    }
}
