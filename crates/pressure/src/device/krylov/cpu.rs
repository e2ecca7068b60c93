use multiversion::multiversion;
use rayon::prelude::*;

use super::{
    AdvanceSlices, BalanceSlices, ControlParams, ControlSlices, CorrectSlices, DotsSlices, SearchSlices, SquareSlices,
    VectorParams,
};
use crate::constants::{PARTIALS, flag, plane, scalar, slot};
use crate::device::cycle::{cells_of, put, sum};
use crate::smooth::line_dot;

/// Samples that one task handles. Partial sums are added in the order of the tasks, on whatever thread they ran.
const CHUNK: usize = 1 << 14;

/// The diagonal of the finest level.
fn diagonal<'a>(p: &VectorParams, cells: &'a [f32]) -> &'a [f32] {
    &cells[plane::DIAGONAL * p.total as usize..][..p.len as usize]
}

pub(super) fn balance(p: &VectorParams, s: BalanceSlices<'_>) {
    let n = p.samples as usize;
    s.scalars[..scalar::COUNT].fill(0.0);
    let singular = s.marks[flag::TOUCHES_AIR] == 0;
    s.scalars[scalar::SINGULAR] = f32::from(u8::from(singular));
    let (mut total, mut cells) = (0.0, 0.0);
    if singular {
        // The sums are not read otherwise.
        for (at, d) in diagonal(p, s.cells).iter().enumerate().filter(|(_, d)| **d > 0.0) {
            debug_assert!(*d > 0.0);
            total += f64::from(s.b[at]);
            cells += cells_of(s.heights[at / n], at % n);
        }
    }
    put(s.partials, slot::SUM_B, p.groups, total as f32);
    put(s.partials, slot::SUM_M, p.groups, cells as f32);
}

pub(super) fn dots(p: &VectorParams, s: DotsSlices<'_>) {
    let (n, len) = (p.samples as usize, p.len as usize);
    let (r, q, z) = (&s.r[..len], &s.q[..len], &s.z[..len]);
    let parts: Vec<[f64; 2]> = r
        .par_chunks(CHUNK)
        .zip(q.par_chunks(CHUNK))
        .zip(z.par_chunks(CHUNK))
        .map(|((r, q), z)| dots_chunk(r, q, z))
        .collect();
    let [rz, qz] = parts.iter().fold([0.0, 0.0], |a, b| [a[0] + b[0], a[1] + b[1]]);
    let mut zm = 0.0;
    if s.scalars[scalar::SINGULAR] > 0.0 {
        for (at, z) in z.iter().enumerate() {
            zm += f64::from(*z) * cells_of(s.heights[at / n], at % n);
        }
    }
    put(s.partials, slot::RZ, p.groups, rz as f32);
    put(s.partials, slot::QZ, p.groups, qz as f32);
    put(s.partials, slot::ZM, p.groups, zm as f32);
}

pub(super) fn square(p: &VectorParams, s: SquareSlices<'_>) {
    let parts: Vec<[f64; 2]> = s.q[..p.len as usize].par_chunks(CHUNK).map(|q| dots_chunk(q, q, q)).collect();
    put(s.partials, slot::PQ, p.groups, parts.iter().map(|part| part[0]).sum::<f64>() as f32);
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn dots_chunk(r: &[f32], q: &[f32], z: &[f32]) -> [f64; 2] {
    const BLOCK: usize = 256;
    let mut sums = [0.0, 0.0];
    for ((r, q), z) in r.chunks(BLOCK).zip(q.chunks(BLOCK)).zip(z.chunks(BLOCK)) {
        sums[0] += f64::from(line_dot(r, z));
        sums[1] += f64::from(line_dot(q, z));
    }
    sums
}

/// The mean of `z` over the cells, 0 unless no water touches air.
fn mean(p: &VectorParams, partials: &[f32], scalars: &[f32]) -> f32 {
    let cells = sum(partials, slot::SUM_M, p.groups);
    if scalars[scalar::SINGULAR] > 0.0 && cells > 0.0 {
        (sum(partials, slot::ZM, p.groups) / cells) as f32
    } else {
        0.0
    }
}

pub(super) fn search(p: &VectorParams, s: SearchSlices<'_>) {
    let len = p.len as usize;
    let beta =
        -f64::from(s.scalars[scalar::ALPHA]) * sum(s.partials, slot::QZ, p.groups) / f64::from(s.scalars[scalar::RZ]);
    // In the first iteration the direction may hold anything.
    let beta = if p.first == 0 { Some(beta as f32) } else { None };
    let direction = &mut s.direction[..len];
    direction.par_chunks_mut(CHUNK).zip(s.z[..len].par_chunks(CHUNK)).for_each(|(p, z)| search_chunk(beta, z, p));
    let mean = mean(p, s.partials, s.scalars);
    if mean != 0.0 {
        for (value, d) in direction.iter_mut().zip(diagonal(p, s.cells)) {
            *value -= if *d > 0.0 { mean } else { 0.0 };
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn search_chunk(beta: Option<f32>, z: &[f32], p: &mut [f32]) {
    match beta {
        None => p.copy_from_slice(z),
        Some(beta) => {
            for (p, z) in p.iter_mut().zip(z) {
                *p = *z + beta * *p;
            }
        }
    }
}

pub(super) fn advance(p: &VectorParams, s: AdvanceSlices<'_>) {
    let len = p.len as usize;
    let (rz, pq) = (sum(s.partials, slot::RZ, p.groups), sum(s.partials, slot::PQ, p.groups));
    let alpha = (rz / pq) as f32;
    let fine = pq > 0.0 && alpha.is_finite();
    let alpha = if fine { alpha } else { 0.0 };
    let (direction, q) = (&s.direction[..len], &s.q[..len]);
    let parts: Vec<f32> = s.x[..len]
        .par_chunks_mut(CHUNK)
        .zip(s.r[..len].par_chunks_mut(CHUNK))
        .zip(direction.par_chunks(CHUNK).zip(q.par_chunks(CHUNK)))
        .map(|((x, r), (p, q))| if fine { advance_chunk(alpha, p, q, x, r) } else { 0.0 })
        .collect();
    let largest = parts.iter().fold(0.0f32, |a, b| if *b > a || b.is_nan() { *b } else { a });
    put(s.partials, slot::MAX_R, p.groups, largest);
    s.scalars[scalar::ALPHA] = alpha;
    s.scalars[scalar::RZ] = rz as f32;
    s.scalars[scalar::BROKEN] = f32::from(u8::from(!fine));
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn advance_chunk(alpha: f32, p: &[f32], q: &[f32], x: &mut [f32], r: &mut [f32]) -> f32 {
    for (x, p) in x.iter_mut().zip(p) {
        *x += alpha * *p;
    }
    // As integers, magnitudes are ordered like the numbers, with infinity and NaN on top.
    let mut largest = 0u32;
    for (r, q) in r.iter_mut().zip(q) {
        *r -= alpha * *q;
        largest = largest.max(r.abs().to_bits());
    }
    f32::from_bits(largest)
}

pub(super) fn correct(p: &VectorParams, s: CorrectSlices<'_>) {
    let len = p.len as usize;
    let mean = mean(p, s.partials, s.scalars);
    s.x[..len].par_chunks_mut(CHUNK).zip(s.z[..len].par_chunks(CHUNK)).for_each(|(x, z)| {
        for (x, z) in x.iter_mut().zip(z) {
            *x += *z;
        }
    });
    if mean != 0.0 {
        for (x, d) in s.x[..len].iter_mut().zip(diagonal(p, s.cells)) {
            *x -= if *d > 0.0 { mean } else { 0.0 };
        }
    }
}

pub(super) fn control(p: &ControlParams, s: ControlSlices<'_>) {
    let largest = |slot: usize| {
        let words = &s.partials[slot * PARTIALS..slot * PARTIALS + p.groups as usize];
        f32::from_bits(words.iter().map(|v| v.to_bits()).max().unwrap_or(0))
    };
    let go = decide(p, [largest(slot::MAX_R), largest(slot::MAX_B)], s.scalars);
    for (arg, extent) in s.args.iter_mut().zip(s.extents).take(3 * p.kernels as usize) {
        *arg = if go { *extent } else { 0 };
    }
}

/// Records the residual; returns whether to go on.
fn decide(p: &ControlParams, [residual, rhs]: [f32; 2], scalars: &mut [f32]) -> bool {
    if scalars[scalar::STOPPED] > 0.0 {
        return false;
    }
    let count = scalars[scalar::RECORDED] as usize;
    if count == 0 {
        scalars[scalar::BOUND] = p.bound.max(p.relative * rhs);
    }
    let mut go = scalars[scalar::BROKEN] <= 0.0 && count < p.capacity as usize;
    if go {
        scalars[scalar::COUNT + count] = residual;
        scalars[scalar::RECORDED] = (count + 1) as f32;
        go = residual.is_finite() && residual > scalars[scalar::BOUND] && count + 1 < p.capacity as usize;
    }
    if !go {
        scalars[scalar::STOPPED] = 1.0;
    }
    go
}
