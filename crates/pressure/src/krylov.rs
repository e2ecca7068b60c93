//! Conjugate gradients around a multigrid cycle, on the CPU.
//!
//! Residual, preconditioner and correction run in the precision `U` of the hierarchy; the solution, the search
//! direction and products with the matrix are in `T`. Whenever the residual has fallen by three orders of magnitude it
//! is computed afresh from the solution (Sleijpen and van der Vorst 1996, "reliable updates"), so that the result is as
//! accurate as doubles throughout.

use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_columns::Real;

use crate::cycle::{Cycle, Sweeps};
use crate::differences::residual_of_differences;
use crate::host::HostHierarchy;
use crate::level::Level;
use crate::parallel::{for_chunks, is_small, map_chunks};
use crate::report::{Progress, Report, Stop};
use crate::singular;
use crate::smooth::{line_dot, product_line};

/// Solves `A x = b` by conjugate gradients, preconditioned by one cycle per iteration. `x` is the start and the
/// result; residuals are in the unit of `b`.
///
/// The flexible form (Notay 2000) is used: a cycle is not exactly symmetric, since restriction is not the transpose of
/// prolongation. Call it inside a thread pool: every parallel loop from outside has to
/// wake the pool up first.
pub fn conjugate_gradients<T: Real, U: Real>(
    level: &Level<T>,
    hierarchy: &mut HostHierarchy<U>,
    cycle: Cycle,
    sweeps: Sweeps,
    b: &[T],
    x: &mut [T],
    stop: Stop,
) -> Report {
    let mut course = Progress::new(stop);
    let spans = Spans::of(level);
    let null = singular::Components::of(level);
    let rhs = null.consistent(b);
    let len = b.len();
    // The residual lives where the cycle wants it: in the right-hand side of the finest level.
    // The search direction is kept in `T`: A p nearly cancels where p is smooth, and rounding p to floats costs
    // a 256³ system a dozen iterations.
    let mut p = vec![T::zero(); len];
    let (mut q, mut y) = (vec![U::zero(); len], vec![U::zero(); len]);
    let warm = x.iter().any(|v| *v != T::zero());
    let mut largest = true_residual(level, &rhs, warm.then_some(&*x), hierarchy.rhs());
    // Residual of x alone, computed afresh; y is what has been added since.
    let mut fresh = largest;
    course.push(largest);
    let mut last: Option<(f64, f64)> = None; // α and r·z of the last iteration
    while !course.done() {
        hierarchy.cycle(cycle, sweeps);
        let (r, z) = hierarchy.vectors();
        let (rz, qz) = dots(spans, r, &q, z);
        let beta = last.map_or(0.0, |(alpha, old)| -alpha * qz / old);
        search(spans, T::of(beta), hierarchy.values(), &mut p);
        null.remove_mean(&mut p);
        let pq = product(level, &p, &mut q);
        let alpha = rz / pq;
        if !(alpha.is_finite() && pq > 0.0 && rz > 0.0) {
            break; // no further progress in this precision
        }
        largest = advance(spans, U::of(alpha), (&p, &q), &mut y, hierarchy.rhs());
        last = Some((alpha, rz));
        // The recursion for r drifts from b − A x by rounding; start it afresh before that shows, and at the end.
        if largest <= stop.residual || largest < REPLACE * fresh {
            add(&y, x);
            largest = true_residual(level, &rhs, Some(x), hierarchy.rhs());
            let better = largest < fresh; // not for NaN
            if !better {
                // Rounding has the last word: the values before were better, or as good.
                subtract(&y, x);
                y.fill(U::zero());
                course.push(fresh);
                return course.report;
            }
            y.fill(U::zero());
            fresh = largest;
        }
        course.push(largest);
        if largest > GIVEN_UP * fresh {
            break;
        }
    }
    if !course.report.converged && y.iter().any(|v| *v != U::zero()) {
        add(&y, x);
        largest = true_residual(level, &rhs, Some(x), hierarchy.rhs());
        let better = largest < fresh;
        if !better {
            subtract(&y, x);
            largest = fresh;
        }
        course.amend(largest);
    }
    course.report
}

/// A residual that has grown by this factor since it was last computed afresh will not come back.
const GIVEN_UP: f64 = 1e3;

/// The residual is computed afresh after it has fallen by this factor.
const REPLACE: f64 = 1e-3;

/// Solves `A x = b` by cycles alone: `x += M (b − A x)`.
pub fn stationary<T: Real, U: Real>(
    level: &Level<T>,
    hierarchy: &mut HostHierarchy<U>,
    mut kind: impl FnMut(usize) -> Cycle,
    sweeps: Sweeps,
    b: &[T],
    x: &mut [T],
    stop: Stop,
) -> Report {
    let mut course = Progress::new(stop);
    let null = singular::Components::of(level);
    let rhs = null.consistent(b);
    loop {
        course.push(true_residual(level, &rhs, Some(x), hierarchy.rhs()));
        if course.done() {
            return course.report;
        }
        hierarchy.cycle(kind(course.report.iterations), sweeps);
        add(hierarchy.values(), x);
        null.remove_mean(x);
    }
}

/// `r = b − A x` computed in `T`, stored in `U`. Returns the largest magnitude.
fn true_residual<T: Real, U: Real>(level: &Level<T>, b: &[T], x: Option<&[T]>, r: &mut [U]) -> f64 {
    let row = level.grid.shape.nx * level.grid.shape.samples();
    let largest = map_chunks(r, row, |k, r| true_residual_row(level, b, x, k, r));
    largest.iter().fold(T::zero(), |a, b| if *b <= a { a } else { *b }).to_double()
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn true_residual_row<T: Real, U: Real>(level: &Level<T>, b: &[T], x: Option<&[T]>, k: usize, r: &mut [U]) -> T {
    let (nx, n) = (level.grid.shape.nx, level.grid.shape.samples());
    let view = level.view();
    let mut line = vec![T::zero(); n];
    let mut largest = T::zero();
    for (i, r) in r.chunks_mut(n).enumerate() {
        let column = i + k * nx;
        let end = level.ends[column] as usize;
        match x {
            Some(x) => residual_of_differences(&view, b, x, column, end, &mut line),
            None => {
                let range = column * n..column * n + end;
                for ((r, b), d) in line.iter_mut().zip(&b[range.clone()]).zip(&level.diagonal[range]) {
                    *r = if *d > T::zero() { *b } else { T::zero() };
                }
                line[end..].fill(T::zero());
            }
        }
        for (r, v) in r.iter_mut().zip(&line) {
            *r = U::of(v.to_double());
            let size = v.abs();
            largest = if size <= largest { largest } else { size };
        }
    }
    largest
}

/// `x += y`.
fn add<T: Real, U: Real>(y: &[U], x: &mut [T]) {
    for_chunks(x, 1 << 14, |chunk, x| {
        for (x, y) in x.iter_mut().zip(&y[chunk << 14..]) {
            *x += T::of(y.to_double());
        }
    });
}

/// `x −= y`.
fn subtract<T: Real, U: Real>(y: &[U], x: &mut [T]) {
    for_chunks(x, 1 << 14, |chunk, x| {
        for (x, y) in x.iter_mut().zip(&y[chunk << 14..]) {
            *x -= T::of(y.to_double());
        }
    });
}

/// The wet part of every column: vector operations leave the air alone.
#[derive(Debug, Clone, Copy)]
struct Spans<'a> {
    ends: &'a [u32],
    samples: usize,
    /// Entries of one row of columns.
    row: usize,
}

impl<'a> Spans<'a> {
    fn of<T: Real>(level: &'a Level<T>) -> Self {
        let samples = level.grid.shape.samples();
        Self { ends: &level.ends, samples, row: samples * level.grid.shape.nx }
    }

    /// `(start, end)` of the wet part of every column of a row, relative to the row.
    #[inline(always)]
    fn of_row(self, k: usize) -> impl Iterator<Item = std::ops::Range<usize>> + 'a {
        let columns = self.row / self.samples;
        let ends = self.ends[k * columns..(k + 1) * columns].iter().enumerate();
        ends.map(move |(i, end)| i * self.samples..i * self.samples + *end as usize)
    }
}

/// `r·z` and `q·z`, rows summed in their order.
fn dots<T: Real>(spans: Spans<'_>, r: &[T], q: &[T], z: &[T]) -> (f64, f64) {
    let row = spans.row;
    let one = |k: usize| dots_row(spans, k, &r[k * row..][..row], &q[k * row..][..row], &z[k * row..][..row]);
    let rows = r.len() / row;
    let parts: Vec<(f64, f64)> =
        if is_small(r) { (0..rows).map(one).collect() } else { (0..rows).into_par_iter().map(one).collect() };
    parts.iter().fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1))
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn dots_row<T: Real>(spans: Spans<'_>, k: usize, r: &[T], q: &[T], z: &[T]) -> (f64, f64) {
    let (mut rz, mut qz) = (0.0, 0.0);
    for span in spans.of_row(k) {
        let z = &z[span.clone()];
        rz += line_dot(&r[span.clone()], z).to_double();
        qz += line_dot(&q[span], z).to_double();
    }
    (rz, qz)
}

/// `q = A p` computed in `T`, stored in `U`. Returns `p·A p`, rows summed in their order.
fn product<T: Real, U: Real>(level: &Level<T>, p: &[T], q: &mut [U]) -> f64 {
    let row = level.grid.shape.nx * level.grid.shape.samples();
    map_chunks(q, row, |k, q| product_row(level, p, k, q)).iter().sum()
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn product_row<T: Real, U: Real>(level: &Level<T>, p: &[T], k: usize, q: &mut [U]) -> f64 {
    let (nx, n) = (level.grid.shape.nx, level.grid.shape.samples());
    let view = level.view();
    let mut line = vec![T::zero(); n];
    let mut total = 0.0;
    for (i, q) in q.chunks_mut(n).enumerate() {
        let column = i + k * nx;
        let end = level.ends[column] as usize;
        product_line(&view, p, column, end, &mut line);
        total += line_dot(&p[column * n..column * n + end], &line[..end]).to_double();
        for (q, v) in q[..end].iter_mut().zip(&line[..end]) {
            *q = U::of(v.to_double());
        }
    }
    total
}

/// `p = z + β p`.
fn search<T: Real, U: Real>(spans: Spans<'_>, beta: T, z: &[U], p: &mut [T]) {
    for_chunks(p, spans.row, |k, p| search_row(spans, k, beta, &z[k * spans.row..][..p.len()], p));
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn search_row<T: Real, U: Real>(spans: Spans<'_>, k: usize, beta: T, z: &[U], p: &mut [T]) {
    for span in spans.of_row(k) {
        for (p, z) in p[span.clone()].iter_mut().zip(&z[span]) {
            *p = T::of(z.to_double()) + beta * *p;
        }
    }
}

/// `y += α p`, `r −= α q`. Returns the largest magnitude of `r`.
fn advance<T: Real, U: Real>(spans: Spans<'_>, alpha: U, (p, q): (&[T], &[U]), y: &mut [U], r: &mut [U]) -> f64 {
    let row = spans.row;
    let rows = y.par_chunks_mut(row).zip(r.par_chunks_mut(row)).enumerate();
    let parts: Vec<U> = rows
        .map(|(k, (y, r))| advance_row(spans, k, alpha, (&p[k * row..][..row], &q[k * row..][..row]), y, r))
        .collect();
    parts.iter().fold(U::zero(), |a, b| if *b <= a { a } else { *b }).to_double()
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn advance_row<T: Real, U: Real>(
    spans: Spans<'_>,
    k: usize,
    alpha: U,
    (p, q): (&[T], &[U]),
    y: &mut [U],
    r: &mut [U],
) -> U {
    const LANES: usize = 16;
    let mut largest = [U::zero(); LANES];
    for span in spans.of_row(k) {
        let (p, q) = (&p[span.clone()], &q[span.clone()]);
        let (y, r) = (&mut y[span.clone()], &mut r[span]);
        for (y, p) in y.iter_mut().zip(p) {
            *y += alpha * U::of(p.to_double());
        }
        for (r, q) in r.chunks_mut(LANES).zip(q.chunks(LANES)) {
            for ((r, q), largest) in r.iter_mut().zip(q).zip(&mut largest) {
                let new = *r - alpha * *q;
                *r = new;
                let size = new.abs();
                *largest = if size <= *largest { *largest } else { size };
            }
        }
    }
    largest.iter().fold(U::zero(), |a, b| if *b <= a { a } else { *b })
}
