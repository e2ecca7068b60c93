//! Sums over long vectors: in double precision, and in an order that the number of threads does not change.

use rayon::prelude::*;
use thalweg_columns::Real;

/// Entries of one partial sum. Fixed, because the cut decides how the sum rounds.
pub(super) const CHUNK: usize = 4096;

/// Independent partial sums inside a chunk, so that the loop becomes vector code.
const LANES: usize = 8;

/// `a · b`.
pub(super) fn dot<T: Real>(a: &[T], b: &[T]) -> f64 {
    let partial: Vec<f64> = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).map(|(a, b)| dot_serial(a, b)).collect();
    partial.iter().sum()
}

/// `a · b` of one chunk.
#[inline]
pub(super) fn dot_serial<T: Real>(a: &[T], b: &[T]) -> f64 {
    let (a_heads, a_tail) = a.as_chunks::<LANES>();
    let (b_heads, b_tail) = b.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (a, b) in a_heads.iter().zip(b_heads) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a.to_double() * b.to_double();
        }
    }
    let tail: f64 = a_tail.iter().zip(b_tail).map(|(a, b)| a.to_double() * b.to_double()).sum();
    lanes.iter().sum::<f64>() + tail
}

/// Largest magnitude in one chunk, NaN when an entry is not finite.
#[inline]
pub(super) fn largest_serial<T: Real>(r: &[T]) -> f64 {
    let (heads, tail) = r.as_chunks::<LANES>();
    let mut lanes = [T::zero(); LANES];
    let mut poison = [T::zero(); LANES]; // v · 0 is NaN when v is not finite; a plain maximum would swallow NaN
    let mut take = |lane: usize, v: T| {
        let size = v.abs();
        lanes[lane] = if size > lanes[lane] { size } else { lanes[lane] };
        poison[lane] += v * T::zero();
    };
    for head in heads {
        for (lane, v) in head.iter().enumerate() {
            take(lane, *v);
        }
    }
    for (lane, v) in tail.iter().enumerate() {
        take(lane, *v);
    }
    let largest = lanes.iter().fold(T::zero(), |m, v| m.max(*v));
    let poison: T = poison.iter().copied().sum();
    (largest + poison).to_double()
}

/// The largest of the chunks' magnitudes, NaN when one is NaN.
pub(super) fn largest_of(chunks: &[f64]) -> f64 {
    chunks.iter().fold(0.0, |m: f64, v| if m.is_nan() || *v <= m { m } else { *v })
}
