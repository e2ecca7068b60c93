//! Smoothing and the matrix itself, on the CPU: functions over columns, generic over precision.
//!
//! Every function works row by row (all columns with one z), rows in parallel, and gives the same bits for any
//! number of threads.

use crate::constants::{SEALED, group};
use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_columns::Real;
use thalweg_columns::grid::is_tall;

use crate::differences::residual_of_differences;
use crate::parallel::{for_chunks, is_small, map_chunks};
use crate::rows::{Discretisation, LevelView, Lines};

/// One of the four groups of samples that are relaxed together: no two of a group are coupled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Cells with `(i + y + k)` even.
    Red,
    /// Cells with `(i + y + k)` odd.
    Black,
    /// Tall cells of columns with `(i + k)` even.
    TallEven = group::TALL_EVEN as isize,
    /// Tall cells of columns with `(i + k)` odd.
    TallOdd = group::TALL_ODD as isize,
}

/// The order of a sweep before the coarse correction; the sweep after it runs backwards, which makes a cycle
/// symmetric.
pub const SWEEP: [Group; 4] = [Group::Red, Group::Black, Group::TallEven, Group::TallOdd];

/// Solves the 2×2 block of a tall cell, rows of samples that are no unknowns left out.
#[inline(always)]
pub fn solve_block<T: Real>(block: [T; 4], unknown: [bool; 2], rhs: [T; 2], discretisation: Discretisation) -> [T; 2] {
    let [a00, a01, a11, other] = block;
    let a10 = match discretisation {
        Discretisation::Galerkin => a01,
        Discretisation::Collocated => other,
    };
    match unknown {
        [true, true] => {
            let determinant = a00 * a11 - a01 * a10;
            if determinant <= T::of(SEALED) * a00 * a11 {
                // Sealed on all sides: pressure up to a constant, which is zero at the top.
                return [rhs[0] / a00, T::zero()];
            }
            [(rhs[0] * a11 - rhs[1] * a01) / determinant, (rhs[1] * a00 - rhs[0] * a10) / determinant]
        }
        [true, false] => [rhs[0] / a00, T::zero()],
        [false, true] => [T::zero(), rhs[1] / a11],
        [false, false] => [T::zero(); 2],
    }
}

/// What relaxation reads besides the matrix.
#[derive(Debug, Clone, Copy)]
pub struct Relaxation<'a, T> {
    /// Reciprocal diagonal, 0 where there is no unknown.
    pub inverse: &'a [T],
    /// One past the last unknown per column.
    pub ends: &'a [u32],
    /// Right-hand side.
    pub b: &'a [T],
}

/// Starts from zero with one red and one black half sweep, in one pass.
///
/// From zero the red half needs no neighbours, `x = b/a`, so the black half can work it out where it needs it.
/// Tall cells stay at zero.
pub(crate) fn start<T: Real>(view: &LevelView<'_, T>, r: &Relaxation<'_, T>, x: &mut [T]) {
    let row = view.shape.nx * view.shape.samples();
    // Bands of rows: each works out the red values of its own rows and of the two rows beside it.
    for_chunks(x, row * START_BAND, |band, x| start_band(view, r, band * START_BAND, x));
}

/// Rows of a band of [`start`].
const START_BAND: usize = 8;

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn start_band<T: Real>(view: &LevelView<'_, T>, r: &Relaxation<'_, T>, k0: usize, x: &mut [T]) {
    let (nx, n) = (view.shape.nx, view.shape.samples());
    let row = nx * n;
    let ratio = |k: usize, out: &mut Vec<T>| {
        if k >= view.shape.nz {
            out.clear();
        } else {
            out.resize(row, T::zero());
            for (i, line) in out.chunks_mut(n).enumerate() {
                let column = i + k * nx;
                let end = r.ends[column] as usize;
                let (b, a) = (&r.b[column * n..column * n + end], &r.inverse[column * n..column * n + end]);
                for ((t, b), a) in line[..end].iter_mut().zip(b).zip(a) {
                    *t = *b * *a;
                }
                line[end..].fill(T::zero());
                if is_tall(view.heights[column]) {
                    line[..2].fill(T::zero());
                }
            }
        }
    };
    let (mut before, mut own, mut after) = (Vec::with_capacity(row), Vec::with_capacity(row), Vec::with_capacity(row));
    if k0 > 0 {
        ratio(k0 - 1, &mut before);
    }
    ratio(k0, &mut own);
    let mut sum = vec![T::zero(); n];
    for (index, x) in x.chunks_mut(row).enumerate() {
        let k = k0 + index;
        ratio(k + 1, &mut after);
        for (i, line) in x.chunks_mut(n).enumerate() {
            let column = i + k * nx;
            let end = r.ends[column] as usize;
            line[end..].fill(T::zero());
            let lines = Lines::of_rows(view.shape, &before, &own, &after, i);
            let first = view.neighbour_sums(&lines, column, end, &mut sum);
            let first = first.min(end);
            line[..first].fill(T::zero());
            let base = column * n;
            relaxed(&mut sum[first..end], &r.b[base + first..base + end], &r.inverse[base + first..base + end]);
            line[first..end].copy_from_slice(&lines.own[first..end]);
            blend(&mut line[first..end], &sum[first..end], black_parity(view, i, k, first));
        }
        std::mem::swap(&mut before, &mut own);
        std::mem::swap(&mut own, &mut after);
    }
}

/// Index parity of the black cells, counted from sample `first`.
#[inline(always)]
fn black_parity<T: Real>(view: &LevelView<'_, T>, i: usize, k: usize, first: usize) -> usize {
    let y = view.heights[i + k * view.shape.nx][1] + first as i32 - 2;
    ((i as i32 + k as i32 + y + 1) & 1) as usize
}

/// `sum = (sum + b) / a`.
#[inline(always)]
fn relaxed<T: Real>(sum: &mut [T], b: &[T], inverse: &[T]) {
    for ((s, b), a) in sum.iter_mut().zip(b).zip(inverse) {
        *s = (*s + *b) * *a;
    }
}

/// Relaxes one group in place.
///
/// Rows with even z are treated in parallel, then the odd ones. That changes nothing, because samples of a group
/// are not coupled; it lets every row read its neighbours while it is written.
pub fn relax<T: Real>(view: &LevelView<'_, T>, r: &Relaxation<'_, T>, group: Group, x: &mut [T]) {
    let row = view.shape.nx * view.shape.samples();
    let small = is_small(x);
    for parity in 0..2 {
        let mut rows: Vec<&mut [T]> = x.chunks_mut(row).collect();
        let (mut even, mut odd) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        for (k, row) in rows.drain(..).enumerate() {
            if k & 1 == parity { even.push(row) } else { odd.push(row) }
        }
        let others: Vec<&[T]> = odd.into_iter().map(|row| &*row).collect();
        let relax_one = |(index, own): (usize, &mut [T])| {
            let k = 2 * index + parity;
            // Row k lies between the rows k−1 and k+1 of the other parity.
            let after = index + parity;
            let before = if k == 0 { &[][..] } else { others[after - 1] };
            let after = others.get(after).copied().unwrap_or(&[]);
            relax_row(view, r, group, k, before, own, after);
        };
        if small {
            even.into_iter().enumerate().for_each(relax_one);
        } else {
            even.into_par_iter().enumerate().for_each(relax_one);
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn relax_row<T: Real>(
    view: &LevelView<'_, T>,
    r: &Relaxation<'_, T>,
    group: Group,
    k: usize,
    before: &[T],
    own: &mut [T],
    after: &[T],
) {
    let (nx, n) = (view.shape.nx, view.shape.samples());
    let mut sum = vec![T::zero(); n];
    for i in 0..nx {
        let column = i + k * nx;
        let heights = view.heights[column];
        let end = r.ends[column] as usize;
        if end == 0 {
            continue;
        }
        match group {
            Group::Red | Group::Black => {
                let lines = Lines::of_rows(view.shape, before, own, after, i);
                let first = view.neighbour_sums(&lines, column, end, &mut sum);
                let base = column * n;
                let end = end.max(first);
                relaxed(&mut sum[first..end], &r.b[base + first..base + end], &r.inverse[base + first..base + end]);
                let black = black_parity(view, i, k, first);
                let parity = if group == Group::Black { black } else { 1 - black };
                blend(&mut own[i * n + first..i * n + end], &sum[first..end], parity);
            }
            Group::TallEven | Group::TallOdd => {
                if !is_tall(heights) || ((i + k) & 1 == 1) != (group == Group::TallOdd) {
                    continue;
                }
                let lines = Lines::of_rows(view.shape, before, own, after, i);
                let pair = relaxed_tall(view, r, &lines, column);
                own[i * n..i * n + 2].copy_from_slice(&pair);
            }
        }
    }
}

/// The two samples of a tall cell that solve its own rows exactly.
#[inline(always)]
pub(crate) fn relaxed_tall<T: Real>(
    view: &LevelView<'_, T>,
    r: &Relaxation<'_, T>,
    lines: &Lines<'_, T>,
    column: usize,
) -> [T; 2] {
    let base = column * view.shape.samples();
    let sums = view.tall_sums(lines, column);
    let unknown = [r.inverse[base] > T::zero(), r.inverse[base + 1] > T::zero()];
    let rhs = [r.b[base] + sums[0], r.b[base + 1] + sums[1]];
    solve_block(view.blocks[column], unknown, rhs, view.discretisation)
}

/// Takes the entries of `new` whose index has this parity.
#[inline(always)]
fn blend<T: Real>(line: &mut [T], new: &[T], parity: usize) {
    if parity == 0 { blend_lanes::<T, 0>(line, new) } else { blend_lanes::<T, 1>(line, new) }
}

/// Whole vectors with a constant mask: a loop over every second entry would scatter.
#[inline(always)]
fn blend_lanes<T: Real, const PARITY: usize>(line: &mut [T], new: &[T]) {
    const LANES: usize = 16;
    let mut lines = line.chunks_exact_mut(LANES);
    let mut news = new.chunks_exact(LANES);
    for (x, s) in lines.by_ref().zip(news.by_ref()) {
        for lane in 0..LANES {
            x[lane] = if lane & 1 == PARITY { s[lane] } else { x[lane] };
        }
    }
    for (lane, (x, s)) in lines.into_remainder().iter_mut().zip(news.remainder()).enumerate() {
        *x = if lane & 1 == PARITY { *s } else { *x };
    }
}

/// `y = A x` in the unknowns, 0 elsewhere. Returns `x·A x`, rows summed in their order.
pub fn multiply<T: Real>(view: &LevelView<'_, T>, ends: &[u32], x: &[T], y: &mut [T]) -> f64 {
    let row = view.shape.nx * view.shape.samples();
    map_chunks(y, row, |k, y| multiply_row(view, ends, x, k, y)).iter().sum()
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn multiply_row<T: Real>(view: &LevelView<'_, T>, ends: &[u32], x: &[T], k: usize, y: &mut [T]) -> f64 {
    let (nx, n) = (view.shape.nx, view.shape.samples());
    let mut total = 0.0;
    for (i, y) in y.chunks_mut(n).enumerate() {
        let column = i + k * nx;
        let end = ends[column] as usize;
        product_line(view, x, column, end, y);
        let x = &x[column * n..column * n + n];
        total += line_dot(&x[..end], &y[..end]).to_double();
    }
    total
}

/// Dot product of two short lines in sixteen partial sums.
#[inline(always)]
pub(crate) fn line_dot<T: Real>(a: &[T], b: &[T]) -> T {
    const LANES: usize = 16;
    let mut sums = [T::zero(); LANES];
    let (ca, cb) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let mut rest = T::zero();
    for (a, b) in ca.remainder().iter().zip(cb.remainder()) {
        rest += *a * *b;
    }
    for (a, b) in ca.zip(cb) {
        for ((s, a), b) in sums.iter_mut().zip(a).zip(b) {
            *s += *a * *b;
        }
    }
    sums.iter().copied().sum::<T>() + rest
}

/// One column of `A x`.
#[inline(always)]
pub(crate) fn product_line<T: Real>(view: &LevelView<'_, T>, x: &[T], column: usize, end: usize, y: &mut [T]) {
    let n = view.shape.samples();
    y[end..].fill(T::zero());
    if end == 0 {
        return;
    }
    let lines = Lines::of(view.shape, x, column);
    let first = view.neighbour_sums(&lines, column, end, y);
    let end = end.max(first);
    let diagonal = &view.diagonal[column * n..(column + 1) * n];
    for ((y, x), d) in y[first..end].iter_mut().zip(&lines.own[first..end]).zip(&diagonal[first..end]) {
        *y = if *d > T::zero() { *d * *x - *y } else { T::zero() };
    }
    if first == 2 {
        let product = tall_product(view, &lines, column);
        for sample in 0..2 {
            y[sample] = if diagonal[sample] > T::zero() { product[sample] } else { T::zero() };
        }
    }
}

/// `r = b − A x`. Returns the largest magnitude.
pub fn residual<T: Real>(view: &LevelView<'_, T>, ends: &[u32], b: &[T], x: &[T], r: &mut [T]) -> f64 {
    residual_rows::<T, false>(view, ends, b, x, r)
}

/// [`residual`], or `AFRESH` from differences of pressure.
pub(crate) fn residual_rows<T: Real, const AFRESH: bool>(
    view: &LevelView<'_, T>,
    ends: &[u32],
    b: &[T],
    x: &[T],
    r: &mut [T],
) -> f64 {
    let row = view.shape.nx * view.shape.samples();
    let largest = map_chunks(r, row, |k, r| residual_row::<T, AFRESH>(view, ends, b, x, k, r));
    largest.iter().fold(T::zero(), |a, b| if *b > a || b.is_nan() { *b } else { a }).to_double()
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn residual_row<T: Real, const AFRESH: bool>(
    view: &LevelView<'_, T>,
    ends: &[u32],
    b: &[T],
    x: &[T],
    k: usize,
    r: &mut [T],
) -> T {
    let (nx, n) = (view.shape.nx, view.shape.samples());
    let mut largest = T::zero();
    for (i, r) in r.chunks_mut(n).enumerate() {
        let column = i + k * nx;
        let end = ends[column] as usize;
        if AFRESH {
            residual_of_differences(view, b, x, column, end, r);
        } else {
            residual_line(view, b, x, column, end, r);
        }
        for r in r.iter() {
            let size = r.abs();
            largest = if size > largest || size.is_nan() { size } else { largest };
        }
    }
    largest
}

/// One column of `b − A x`, 0 outside the unknowns.
#[inline(always)]
pub(crate) fn residual_line<T: Real>(
    view: &LevelView<'_, T>,
    b: &[T],
    x: &[T],
    column: usize,
    end: usize,
    r: &mut [T],
) {
    let n = view.shape.samples();
    r[end..].fill(T::zero());
    if end == 0 {
        return;
    }
    let lines = Lines::of(view.shape, x, column);
    let first = view.neighbour_sums(&lines, column, end, r);
    let end = end.max(first);
    let (b, diagonal) = (&b[column * n..column * n + end], &view.diagonal[column * n..column * n + end]);
    let cells = lines.own[first..end].iter().zip(&diagonal[first..]).zip(&b[first..]);
    for (r, ((x, d), b)) in r[first..end].iter_mut().zip(cells) {
        *r = if *d > T::zero() { *b - (*d * *x - *r) } else { T::zero() };
    }
    if first == 2 {
        let product = tall_product(view, &lines, column);
        for sample in 0..2 {
            r[sample] = if diagonal[sample] > T::zero() { b[sample] - product[sample] } else { T::zero() };
        }
    }
}

/// The two rows of `A x` of a tall cell.
#[inline(always)]
pub(crate) fn tall_product<T: Real>(view: &LevelView<'_, T>, lines: &Lines<'_, T>, column: usize) -> [T; 2] {
    let sums = view.tall_sums(lines, column);
    let [a00, a01, a11, other] = view.blocks[column];
    let a10 = if view.discretisation == Discretisation::Galerkin { a01 } else { other };
    let (x0, x1) = (lines.own[0], lines.own[1]);
    [a00 * x0 + a01 * x1 - sums[0], a10 * x0 + a11 * x1 - sums[1]]
}
