use rayon::prelude::*;

use super::{DIGITS, SortCopySlices, SortCountSlices, SortParams, SortScatterSlices, TILE};

fn digit(p: &SortParams, key: u32) -> usize {
    ((key >> p.shift) & p.mask) as usize
}

pub(super) fn sort_count(p: &SortParams, s: SortCountSlices<'_>) {
    let tiles = s.keys[..p.len as usize].par_chunks(TILE).map(|keys| {
        let mut tally = [0u32; DIGITS];
        keys.iter().for_each(|&key| tally[digit(p, key)] += 1);
        tally
    });
    let tallies: Vec<[u32; DIGITS]> = tiles.collect();
    for (digit, counts) in s.counts.chunks_exact_mut(p.tiles as usize).take(DIGITS).enumerate() {
        counts.iter_mut().zip(&tallies).for_each(|(count, tally)| *count = tally[digit]);
    }
}

/// Where the keys of one digit and tile go.
struct Run<'a> {
    keys: &'a mut [u32],
    values: &'a mut [u32],
}

/// The output, cut into one run per digit for every tile: disjoint, so that tiles are moved in parallel.
fn cut<'a>(p: &SortParams, offsets: &[u32], mut keys: &'a mut [u32], mut values: &'a mut [u32]) -> Vec<Vec<Run<'a>>> {
    let tiles = p.tiles as usize;
    let starts = &offsets[..tiles * DIGITS];
    let ends = starts[1..].iter().copied().chain([p.len]);
    let mut runs: Vec<Vec<Run<'_>>> = (0..tiles).map(|_| Vec::with_capacity(DIGITS)).collect();
    for (i, (start, end)) in starts.iter().zip(ends).enumerate() {
        let len = (end - start) as usize;
        let (run_keys, run_values);
        (run_keys, keys) = keys.split_at_mut(len);
        (run_values, values) = values.split_at_mut(len);
        runs[i % tiles].push(Run { keys: run_keys, values: run_values });
    }
    runs
}

pub(super) fn sort_scatter(p: &SortParams, s: SortScatterSlices<'_>) {
    let len = p.len as usize;
    let runs = cut(p, s.offsets, &mut s.keys_out[..len], &mut s.values_out[..len]);
    let tiles = s.keys[..len].par_chunks(TILE).zip(s.values[..len].par_chunks(TILE)).zip(runs);
    tiles.for_each(|((keys, values), mut runs)| {
        let mut next = [0; DIGITS];
        for (&key, &value) in keys.iter().zip(values) {
            let digit = digit(p, key);
            runs[digit].keys[next[digit]] = key;
            runs[digit].values[next[digit]] = value;
            next[digit] += 1;
        }
    });
}

pub(super) fn sort_copy(p: &SortParams, s: SortCopySlices<'_>) {
    let len = p.len as usize;
    s.keys_out[..len].copy_from_slice(&s.keys[..len]);
    s.values_out[..len].copy_from_slice(&s.values[..len]);
}
