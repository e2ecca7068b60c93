use rayon::prelude::*;
use thalweg_compute::fold;

use super::{CountSlices, OrderSlices, PlaceSlices, ReorderSlices, SettleSlices};
use crate::constants::{extent, side, tally};
use crate::grid::{cell_of, cells};
use crate::params::StepParams;
use crate::state::CHUNK;

/// What a particle at a place left the domain by, as a word of the tally.
fn way_out(p: &StepParams, drains: &[[f32; 4]], place: [f32; 4]) -> Option<u32> {
    let [x, y, z, _] = place;
    let open = |side: u32| p.walls & side == 0;
    if x < 0.0 && open(side::LOW_X) {
        return Some(tally::WEST);
    }
    if x > p.size_x && open(side::HIGH_X) {
        return Some(tally::EAST);
    }
    if z < 0.0 && open(side::LOW_Z) {
        return Some(tally::SOUTH);
    }
    if z > p.size_z && open(side::HIGH_Z) {
        return Some(tally::NORTH);
    }
    if (y < 0.0 && open(side::LOW_Y)) || (y > p.size_y && open(side::HIGH_Y)) {
        return Some(tally::VERTICAL);
    }
    let inside = |of: &[[f32; 4]]| (0..3).all(|axis| place[axis] >= of[0][axis] && place[axis] <= of[1][axis]);
    drains.chunks_exact(2).take(p.drains as usize).any(inside).then_some(tally::DRAINED)
}

pub(super) fn count(p: &StepParams, s: CountSlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let none = cells(p);
    let pairs = s.cells[..count].par_iter_mut().zip(&s.places[..count]).with_min_len(CHUNK);
    pairs.for_each(|(cell, place)| {
        *cell = match way_out(p, s.drains, *place) {
            Some(_) => none,
            None => cell_of(p, *place),
        };
    });
    // Two words a particle in the order of memory, for particles are nearly sorted: one thread is fast enough.
    for (n, cell) in s.cells[..count].iter().enumerate() {
        let counted = &mut s.counts[*cell as usize];
        s.ranks[n] = *counted;
        *counted += 1;
        if *cell == none
            && let Some(way) = way_out(p, s.drains, s.places[n])
        {
            s.tally[way as usize] += 1;
        }
    }
}

/// Arguments of kernels over so many particles.
pub(crate) fn extent_of(count: u32) -> [u32; 4] {
    let [x, y, z] = fold(u64::from(count.div_ceil(thalweg_compute::WORKGROUP))).unwrap_or_default();
    [x, y, z, count]
}

pub(super) fn settle(p: &StepParams, s: SettleSlices<'_>) {
    let words = extent_of(s.starts[cells(p) as usize]);
    s.extent[..extent::SOLVE].copy_from_slice(&words);
    s.extent[extent::SOLVE..extent::WORDS].copy_from_slice(&words);
}

pub(super) fn place(p: &StepParams, s: PlaceSlices<'_>) {
    let (count, none) = (s.extent[extent::COUNT] as usize, cells(p));
    for (n, (cell, rank)) in s.cells[..count].iter().zip(s.ranks).enumerate() {
        if *cell != none {
            s.listed[(s.starts[*cell as usize] + rank) as usize] = n as u32;
        }
    }
}

pub(super) fn order(_: &StepParams, s: OrderSlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let (order, sorted_cells) = (&mut s.order[..count], &mut s.sorted_cells[..count]);
    let chunks = order.par_chunks_mut(CHUNK).zip(sorted_cells.par_chunks_mut(CHUNK)).enumerate();
    chunks.for_each_init(Vec::new, |of_cell, (chunk, (order, sorted_cells))| {
        let (first, end) = (chunk * CHUNK, chunk * CHUNK + order.len());
        let mut at = first;
        while at < end {
            let cell = s.cells[s.listed[at] as usize];
            // All of the cell, also what belongs to the chunks beside this one.
            let [from, to] = [0, 1].map(|n| s.starts[cell as usize + n] as usize);
            of_cell.clear();
            of_cell.extend(s.listed[from..to].iter().map(|n| (s.ids[*n as usize], *n)));
            of_cell.sort_unstable();
            let part = at..to.min(end);
            for slot in part.clone() {
                order[slot - first] = of_cell[slot - from].1;
                sorted_cells[slot - first] = cell;
            }
            at = part.end;
        }
    });
}

pub(super) fn reorder(_: &StepParams, s: ReorderSlices<'_>) {
    let count = s.extent[extent::COUNT] as usize;
    let to = s.to_places[..count].par_iter_mut().zip(&mut s.to_motions[..count]).zip(&mut s.to_ids[..count]);
    to.zip(&s.order[..count]).with_min_len(CHUNK).for_each(|(((place, motion), id), from)| {
        let from = *from as usize;
        (*place, *motion, *id) = (s.places[from], s.motions[from], s.ids[from]);
    });
}
