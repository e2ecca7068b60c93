//! Matrices whose rows come in runs with the same pattern: products, sweeps and incomplete factors without an index per
//! entry.
//!
//! The rows of one line of cells, fine or coarse, have their neighbours at the same distances in the numbering. Storing
//! those distances once per run lets every loop but the recurrence along the line be vector code, as in
//! [`crate::sparse::SevenPoint`], for any stencil. Rows at a seam make runs of one.

use crate::sparse::{LinearOperator, Preconditioner};
use rayon::prelude::*;
use std::ops::Range;
use thalweg_columns::Real;
use thalweg_pressure::Csr;

/// Rows per parallel task; a run never crosses into another.
const CHUNK: usize = 4096;
/// Distances up to this are handled in order, inside the recurrence; all others are at least as long as the run.
const NEAR: u32 = 2;

/// Runs up to this long are done row by row: the loops over entries would cost more than they save.
const SHORT: u32 = 3;

/// Consecutive rows with equal distances to their columns.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Run {
    start: u32,
    len: u32,
    /// Distances in `RunMatrix::distances`; values in `RunMatrix::values`.
    first: u32,
    count: u32,
    values: u32,
    /// Values per entry: one for all rows, or one for each. Entry by entry.
    each: u32,
}

/// The values of one entry of a run.
#[derive(Clone, Copy)]
enum Values<'a, T> {
    Same(T),
    Each(&'a [T]),
}

/// A matrix as runs of rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RunMatrix<T> {
    rows: usize,
    runs: Vec<Run>,
    chunk_runs: Vec<u32>,
    distances: Vec<i32>,
    values: Vec<T>,
}

impl<T: Real> RunMatrix<T> {
    /// The entries of `a` in `part` of each row, which is a range of its columns and values.
    pub(super) fn new(a: &Csr<T>, part: impl Fn(usize) -> Range<usize>) -> Self {
        let rows = a.rows();
        let mut matrix = Self {
            rows,
            runs: Vec::new(),
            chunk_runs: Vec::with_capacity(rows / CHUNK + 2),
            distances: Vec::new(),
            values: Vec::with_capacity(a.values.len() / 2),
        };
        let mut longest = 0;
        for r in 0..rows {
            let columns = &a.columns[part(r)];
            let fits = !r.is_multiple_of(CHUNK)
                && matrix.runs.last().is_some_and(|run| {
                    let known = &matrix.distances[run.first as usize..][..run.count as usize];
                    let same = |(d, c): (&i32, &u32)| *d == (*c).wrapping_sub(r as u32) as i32;
                    run.len < longest && known.len() == columns.len() && known.iter().zip(columns).all(same)
                });
            if !fits {
                matrix.take_values(a, &part);
                if r.is_multiple_of(CHUNK) {
                    matrix.chunk_runs.push(matrix.runs.len() as u32);
                }
                let first = matrix.distances.len() as u32;
                matrix.distances.extend(columns.iter().map(|c| c.wrapping_sub(r as u32) as i32));
                let far = matrix.distances[first as usize..].iter().map(|d| d.unsigned_abs()).filter(|d| *d > NEAR);
                longest = far.min().unwrap_or(u32::MAX);
                let (start, count) = (r as u32, columns.len() as u32);
                matrix.runs.push(Run { start, len: 0, first, count, values: 0, each: 1 });
            }
            if let Some(run) = matrix.runs.last_mut() {
                run.len += 1;
            }
        }
        matrix.take_values(a, &part);
        matrix.chunk_runs.push(matrix.runs.len() as u32);
        matrix
    }

    /// Stores the values of the last run, entry by entry.
    fn take_values(&mut self, a: &Csr<T>, part: impl Fn(usize) -> Range<usize>) {
        let Some(run) = self.runs.last_mut() else { return };
        run.values = self.values.len() as u32;
        let (start, len, count) = (run.start as usize, run.len as usize, run.count as usize);
        let first = &a.values[part(start)];
        if (start + 1..start + len).all(|r| &a.values[part(r)] == first) {
            self.values.extend_from_slice(first);
            return;
        }
        run.each = run.len;
        let at = self.values.len();
        self.values.resize(at + len * count, T::zero());
        for i in 0..len {
            for (k, v) in a.values[part(start + i)].iter().enumerate() {
                self.values[at + k * len + i] = *v;
            }
        }
    }

    /// Distance and values of each entry of a run.
    #[inline(always)]
    fn entries(&self, run: &Run) -> impl Iterator<Item = (i32, Values<'_, T>)> {
        let each = run.each as usize;
        let distances = &self.distances[run.first as usize..][..run.count as usize];
        let values = &self.values[run.values as usize..][..each * run.count as usize];
        let kind = move |v: &'_ [T]| v.len() == 1 && run.len > 1;
        let values = values.chunks_exact(each).map(move |v| if kind(v) { Values::Same(v[0]) } else { Values::Each(v) });
        distances.iter().copied().zip(values)
    }

    /// Row `i` of a short run times `x`.
    #[inline(always)]
    fn short_row(&self, run: &Run, i: usize, x: &[T]) -> T {
        let (each, row) = (run.each as usize, run.start as usize + i);
        let distances = &self.distances[run.first as usize..][..run.count as usize];
        let values = self.values[run.values as usize + if each > 1 { i } else { 0 }..].iter().step_by(each);
        let term = |(d, v): (&i32, &T)| *v * x[row.wrapping_add_signed(*d as isize)];
        distances.iter().zip(values).map(term).sum()
    }

    /// `y += A x`
    pub(super) fn add_product(&self, x: &[T], y: &mut [T]) {
        self.product::<true>(x, y);
    }

    /// `y −= A x`
    pub(super) fn subtract_product(&self, x: &[T], y: &mut [T]) {
        self.product::<false>(x, y);
    }

    fn product<const ADD: bool>(&self, x: &[T], y: &mut [T]) {
        assert_eq!(y.len(), self.rows, "length of y");
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
            for run in &self.runs[self.chunk_runs[chunk] as usize..self.chunk_runs[chunk + 1] as usize] {
                let start = run.start as usize;
                let y = &mut y[start - chunk * CHUNK..][..run.len as usize];
                if run.len <= SHORT {
                    let signed = |v: T| if ADD { v } else { -v };
                    y.iter_mut().enumerate().for_each(|(i, y)| *y += signed(self.short_row(run, i, x)));
                    continue;
                }
                for (d, values) in self.entries(run) {
                    combine::<ADD, T>(y, values, &x[start.wrapping_add_signed(d as isize)..][..run.len as usize]);
                }
            }
        });
    }

    /// Solves `(D + A) z = r` where `A` is strictly lower triangular and `inverse` is `1/D`.
    pub(super) fn solve_lower(&self, inverse: &[T], r: &[T], z: &mut [T]) {
        for run in &self.runs {
            let rows = run.start as usize..(run.start + run.len) as usize;
            if run.len <= SHORT {
                for (i, row) in rows.enumerate() {
                    z[row] = (r[row] - self.short_row(run, i, z)) * inverse[row];
                }
                continue;
            }
            let (known, rest) = z.split_at_mut(rows.start);
            let z = &mut rest[..rows.len()];
            z.copy_from_slice(&r[rows.clone()]);
            let mut near = [None; NEAR as usize];
            for (d, values) in self.entries(run) {
                if d.unsigned_abs() <= NEAR {
                    near[d.unsigned_abs() as usize - 1] = Some(values);
                } else {
                    combine::<false, T>(z, values, &known[rows.start.wrapping_add_signed(d as isize)..][..rows.len()]);
                }
            }
            let last = [1, 2].map(|d: usize| if d <= rows.start { known[rows.start - d] } else { T::zero() });
            recur(z.iter_mut(), inverse[rows].iter(), near, last, |v| v.iter());
        }
    }

    /// Solves `(D + A) z = z` in place, where `A` is strictly upper triangular and `inverse` is `1/D`.
    pub(super) fn solve_upper(&self, inverse: &[T], z: &mut [T]) {
        for run in self.runs.iter().rev() {
            let rows = run.start as usize..(run.start + run.len) as usize;
            if run.len <= SHORT {
                for (i, row) in rows.enumerate().rev() {
                    z[row] = (z[row] - self.short_row(run, i, z)) * inverse[row];
                }
                continue;
            }
            let (head, known) = z.split_at_mut(rows.end);
            let z = &mut head[rows.start..];
            let mut near = [None; NEAR as usize];
            for (d, values) in self.entries(run) {
                let d = d as usize;
                if d <= NEAR as usize {
                    near[d - 1] = Some(values);
                } else {
                    combine::<false, T>(z, values, &known[d - rows.len()..][..rows.len()]);
                }
            }
            let last = [1, 2].map(|d: usize| known.get(d - 1).copied().unwrap_or(T::zero()));
            recur(z.iter_mut().rev(), inverse[rows].iter().rev(), near, last, |v| v.iter().rev());
        }
    }
}

/// The recurrence along a run: `z = (z − Σ a z_before) / D`, in the order of the iterators. `last` holds the one and
/// the two values before.
#[inline(always)]
fn recur<'a, T: Real, I: Iterator<Item = &'a T>>(
    z: impl Iterator<Item = &'a mut T>,
    inverse: impl Iterator<Item = &'a T>,
    near: [Option<Values<'a, T>>; 2],
    mut last: [T; 2],
    order: impl Fn(&'a [T]) -> I,
) {
    let rows = z.zip(inverse);
    match near {
        [None, None] => rows.for_each(|(z, d)| *z *= *d),
        // Multiplied out, so that the chain from row to row is one product and one difference.
        [Some(Values::Same(one)), None] => rows.for_each(|(z, d)| {
            last[0] = *z * *d - (one * *d) * last[0];
            *z = last[0];
        }),
        [Some(Values::Each(one)), None] => rows.zip(order(one)).for_each(|((z, d), one)| {
            last[0] = *z * *d - (*one * *d) * last[0];
            *z = last[0];
        }),
        [one, two] => {
            let mut each = [one, two].map(|v| match v {
                Some(Values::Each(v)) => Some(order(v)),
                _ => None,
            });
            let same = [one, two].map(|v| if let Some(Values::Same(v)) = v { v } else { T::zero() });
            rows.for_each(|(z, d)| {
                let mut sum = *z;
                for k in 0..2 {
                    let a = each[k].as_mut().and_then(|v| v.next()).copied().unwrap_or(same[k]);
                    sum -= a * last[k];
                }
                *z = sum * *d;
                last = [*z, last[0]];
            });
        }
    }
}

/// `y += a x` or `y −= a x`, row by row.
#[inline(always)]
fn combine<const ADD: bool, T: Real>(y: &mut [T], a: Values<'_, T>, x: &[T]) {
    let one = |y: T, a: T, x: T| if ADD { y + a * x } else { y - a * x };
    match a {
        Values::Same(a) => y.iter_mut().zip(x).for_each(|(y, x)| *y = one(*y, a, *x)),
        Values::Each(a) => y.iter_mut().zip(a).zip(x).for_each(|((y, a), x)| *y = one(*y, *a, *x)),
    }
}

/// Where the entries of a row lie.
fn whole_row<T>(a: &Csr<T>, r: usize) -> Range<usize> {
    a.row_start[r] as usize..a.row_start[r + 1] as usize
}

/// A symmetric matrix as diagonal and two triangles.
#[derive(Debug, Clone)]
pub(super) struct Split<T> {
    pub(super) lower: RunMatrix<T>,
    pub(super) upper: RunMatrix<T>,
    diagonal: Vec<T>,
    /// `1/D`; 0 for an empty row.
    pub(super) inverse: Vec<T>,
}

impl<T: Real> Split<T> {
    pub(super) fn new(a: &Csr<T>) -> Self {
        let middle: Vec<u32> = (0..a.rows())
            .map(|r| {
                let row = &a.columns[whole_row(a, r)];
                a.row_start[r] + row.iter().position(|c| *c >= r as u32).unwrap_or(row.len()) as u32
            })
            .collect();
        let on_diagonal = |r: usize| a.columns.get(middle[r] as usize) == Some(&(r as u32));
        let diagonal: Vec<T> =
            (0..a.rows()).map(|r| if on_diagonal(r) { a.values[middle[r] as usize] } else { T::zero() }).collect();
        let inverse = diagonal.iter().map(|d| if *d > T::zero() { d.recip() } else { T::zero() }).collect();
        let lower = RunMatrix::new(a, |r| a.row_start[r] as usize..middle[r] as usize);
        let upper =
            RunMatrix::new(a, |r| middle[r] as usize + usize::from(on_diagonal(r))..a.row_start[r + 1] as usize);
        Self { lower, upper, diagonal, inverse }
    }

    /// Rows, equal to columns.
    pub(super) fn rows(&self) -> usize {
        self.diagonal.len()
    }
}

impl<T: Real> LinearOperator<T> for Split<T> {
    fn unknowns(&self) -> usize {
        self.rows()
    }

    fn apply(&self, x: &[T], y: &mut [T]) {
        y.iter_mut().zip(x).zip(&self.diagonal).for_each(|((y, x), d)| *y = *d * *x);
        self.lower.add_product(x, y);
        self.upper.add_product(x, y);
    }
}

/// IC(0) of a matrix, `L Lᵀ` on its own pattern, in runs. The same factor as [`crate::sparse::IncompleteCholesky`].
#[derive(Debug, Clone)]
pub(super) struct RunCholesky<T> {
    lower: RunMatrix<T>,
    upper: RunMatrix<T>,
    inverse: Vec<T>,
}

/// A pivot below this part of its diagonal is replaced by the diagonal.
const SAFETY: f64 = 0.25;

impl<T: Real> RunCholesky<T> {
    pub(super) fn new(a: &Csr<T>) -> Self {
        let n = a.rows();
        let mut upper = Csr {
            row_start: Vec::with_capacity(n + 1),
            columns: Vec::with_capacity(a.columns.len() / 2),
            values: Vec::with_capacity(a.columns.len() / 2),
            column_count: n,
        };
        upper.row_start.push(0);
        let mut pivots = Vec::with_capacity(n);
        for r in 0..n {
            pivots.push(T::zero());
            for (c, v) in a.row(r) {
                if c > r {
                    upper.columns.push(c as u32);
                    upper.values.push(v);
                } else if c == r {
                    pivots[r] = v;
                }
            }
            upper.row_start.push(upper.columns.len() as u32);
        }
        let diagonal = pivots.clone();
        let mut inverse = vec![T::zero(); n];
        for k in 0..n {
            let pivot = if pivots[k] < T::of(SAFETY) * diagonal[k] { diagonal[k] } else { pivots[k] };
            if pivot > T::zero() {
                inverse[k] = pivot.sqrt().recip();
            }
            let row_k = whole_row(&upper, k);
            upper.values[row_k.clone()].iter_mut().for_each(|v| *v *= inverse[k]);
            for at in row_k.clone() {
                let (j, from_j) = (upper.columns[at] as usize, upper.values[at]);
                pivots[j] -= from_j * from_j;
                // Both lists ascend, so that one walk finds the entries of row j that row k has as well.
                let mut here = upper.row_start[j] as usize;
                let end = upper.row_start[j + 1] as usize;
                for other in at + 1..row_k.end {
                    let i = upper.columns[other];
                    while here < end && upper.columns[here] < i {
                        here += 1;
                    }
                    if here == end {
                        break;
                    }
                    if upper.columns[here] == i {
                        let fill = from_j * upper.values[other];
                        upper.values[here] -= fill;
                    }
                }
            }
        }
        let lower = upper.transpose();
        let lower = RunMatrix::new(&lower, |r| whole_row(&lower, r));
        Self { lower, upper: RunMatrix::new(&upper, |r| whole_row(&upper, r)), inverse }
    }
}

impl<T: Real> Preconditioner<T> for RunCholesky<T> {
    fn precondition(&mut self, r: &[T], z: &mut [T]) {
        self.lower.solve_lower(&self.inverse, r, z);
        self.upper.solve_upper(&self.inverse, z);
    }
}
