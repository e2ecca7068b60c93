use rayon::prelude::*;

use super::{Op, ReduceF32Slices, ReduceParams, ReduceU32Slices, TILE};

pub(super) fn reduce_f32(p: &ReduceParams, s: ReduceF32Slices<'_>) {
    let identity = f32::from_bits(p.identity);
    if p.op == Op::MaxF32 as u32 {
        reduce(p.len, s.input, s.partials, identity, |a, b| if rank(b, u32::MAX) > rank(a, u32::MAX) { b } else { a });
    } else if p.op == Op::MinF32 as u32 {
        reduce(p.len, s.input, s.partials, identity, |a, b| if rank(b, 0) < rank(a, 0) { b } else { a });
    } else {
        reduce(p.len, s.input, s.partials, identity, |a, b| a + b);
    }
}

pub(super) fn reduce_u32(p: &ReduceParams, s: ReduceU32Slices<'_>) {
    reduce(p.len, s.input, s.partials, p.identity, u32::wrapping_add);
}

/// An integer that orders floats as numbers are ordered, −0 before +0, with NaN where it wins.
fn rank(x: f32, nan: u32) -> u32 {
    let bits = x.to_bits();
    if bits & 0x7fff_ffff > 0x7f80_0000 {
        return nan;
    }
    if bits >> 31 == 1 { !bits } else { bits | 0x8000_0000 }
}

fn reduce<T: Copy + Send + Sync>(
    len: u32,
    input: &[T],
    partials: &mut [T],
    identity: T,
    combine: impl Fn(T, T) -> T + Sync,
) {
    let len = len as usize;
    let tiles = len.div_ceil(TILE).max(1);
    partials[..tiles].par_iter_mut().enumerate().with_min_len(8).for_each(|(tile, partial)| {
        let first = tile * TILE;
        *partial = reduce_tile(&input[first..len.min(first + TILE)], identity, &combine);
    });
}

/// Folds the tile in half until one value is left.
fn reduce_tile<T: Copy>(values: &[T], identity: T, combine: impl Fn(T, T) -> T) -> T {
    let mut slots = [identity; TILE];
    slots[..values.len()].copy_from_slice(values);
    let mut half = TILE / 2;
    while half > 0 {
        let (low, high) = slots.split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(a, b)| *a = combine(*a, *b));
        half /= 2;
    }
    slots[0]
}
