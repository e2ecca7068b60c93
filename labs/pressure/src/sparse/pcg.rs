//! Preconditioned conjugate gradients (Hestenes & Stiefel 1952).

use super::Preconditioner;
use super::reduce::{CHUNK, dot, largest_of, largest_serial};
use rayon::prelude::*;
use std::time::Instant;
use thalweg_columns::Real;
use thalweg_pressure::{Csr, Report, Stop};

/// A symmetric positive (semi)definite matrix, seen by what it does to a vector.
pub trait LinearOperator<T: Real> {
    /// Rows, equal to columns.
    fn unknowns(&self) -> usize;

    /// `y = A x`; every entry of `y` is overwritten.
    fn apply(&self, x: &[T], y: &mut [T]);

    /// As [`Self::apply`], and returns `x · y`. Worth overriding where `y` can be summed while it is in cache.
    fn apply_dot(&self, x: &[T], y: &mut [T]) -> f64 {
        self.apply(x, y);
        dot(x, y)
    }
}

impl<T: Real> LinearOperator<T> for Csr<T> {
    fn unknowns(&self) -> usize {
        self.rows()
    }

    fn apply(&self, x: &[T], y: &mut [T]) {
        self.multiply(x, y);
    }
}

/// Solves `a x = b` from the given `x` until `max|b − a x| <= stop.residual`.
///
/// The residual is carried along by the recurrence, as in every textbook: in `f32`, and below about `1e-6 |b|`, it
/// can fall under the true one, for which see [`largest_residual`]. A start that is not finite is replaced by zero.
/// When the iteration breaks down (matrix or preconditioner not positive definite, overflow), the report says
/// `converged: false`, and `x` is the last iterate, with zero where an entry overflowed: it never holds NaN.
///
/// # Panics
///
/// If `b` or `x` has not one entry per unknown.
pub fn pcg<T: Real>(
    a: &impl LinearOperator<T>,
    m: &mut impl Preconditioner<T>,
    b: &[T],
    x: &mut [T],
    stop: Stop,
) -> Report {
    pcg_projected(a, m, b, x, stop, &[])
}

/// [`pcg`] for a singular matrix whose null space is spanned by `null` (closed tanks: one vector per body of water, 1
/// in its cells and 0 elsewhere). Residuals are those of the projected right-hand side, which always has a solution,
/// and what is added to `x` is orthogonal to `null`.
///
/// # Panics
///
/// If `b`, `x` or a null vector has not one entry per unknown.
pub fn pcg_projected<T: Real>(
    a: &impl LinearOperator<T>,
    m: &mut impl Preconditioner<T>,
    b: &[T],
    x: &mut [T],
    stop: Stop,
    null: &[Vec<T>],
) -> Report {
    let n = a.unknowns();
    assert_eq!((b.len(), x.len()), (n, n), "lengths of b and x");
    let null = orthonormal(null);
    let mut course = Course::start(stop);
    let mut q = vec![T::zero(); n];

    // r = b − A x
    if !largest_serial(x).is_finite() {
        x.fill(T::zero());
    }
    let mut r = b.to_vec();
    if x.iter().any(|v| *v != T::zero()) {
        a.apply(x, &mut q);
        for (r, q) in r.iter_mut().zip(&q) {
            *r -= *q;
        }
    }
    project(&null, &mut r);
    if course.finished(largest_serial(&r)) {
        return course.report;
    }

    let mut z = vec![T::zero(); n];
    let mut rz = precondition(m, &null, &r, &mut z);
    let mut p = z.clone();
    while course.report.iterations < stop.iterations {
        let pq = a.apply_dot(&p, &mut q);
        let alpha = rz / pq;
        let usable = rz > 0.0 && pq > 0.0 && T::of(alpha).is_finite();
        if !usable {
            break; // also when either is NaN
        }
        let largest = descend(T::of(alpha), &p, &q, x, &mut r);
        course.report.iterations += 1;
        if course.finished(largest) {
            break;
        }
        let rz_new = precondition(m, &null, &r, &mut z);
        advance(T::of(rz_new / rz), &z, &mut p);
        rz = rz_new;
    }
    if !largest_serial(x).is_finite() {
        x.iter_mut().filter(|v| !v.is_finite()).for_each(|v| *v = T::zero());
        course.report.converged = false;
    }
    course.report
}

/// `max|b − a x|`, computed afresh.
pub fn largest_residual<T: Real>(a: &impl LinearOperator<T>, b: &[T], x: &[T]) -> f64 {
    let mut r = vec![T::zero(); a.unknowns()];
    a.apply(x, &mut r);
    for (r, b) in r.iter_mut().zip(b) {
        *r = *b - *r;
    }
    largest_serial(&r)
}

/// The clock and the history of one solve.
struct Course {
    stop: Stop,
    begin: Instant,
    report: Report,
}

impl Course {
    fn start(stop: Stop) -> Self {
        let report = Report { iterations: 0, converged: false, residuals: Vec::new(), times: Vec::new() };
        Self { stop, begin: Instant::now(), report }
    }

    /// Notes a residual; true when it ends the solve, by being small enough or not finite.
    fn finished(&mut self, residual: f64) -> bool {
        self.report.residuals.push(residual);
        self.report.times.push(self.begin.elapsed());
        self.report.converged = residual <= self.stop.residual;
        self.report.converged || !residual.is_finite()
    }
}

/// `x += α p`, `r −= α q`, and `max|r|`, in one pass.
fn descend<T: Real>(alpha: T, p: &[T], q: &[T], x: &mut [T], r: &mut [T]) -> f64 {
    let tasks = x.par_chunks_mut(CHUNK).zip(r.par_chunks_mut(CHUNK)).zip(p.par_chunks(CHUNK)).zip(q.par_chunks(CHUNK));
    let largest: Vec<f64> = tasks
        .map(|(((x, r), p), q)| {
            for (x, p) in x.iter_mut().zip(p) {
                *x += alpha * *p;
            }
            for (r, q) in r.iter_mut().zip(q) {
                *r -= alpha * *q;
            }
            largest_serial(r)
        })
        .collect();
    largest_of(&largest)
}

/// `p = z + β p`.
fn advance<T: Real>(beta: T, z: &[T], p: &mut [T]) {
    p.par_chunks_mut(CHUNK).zip(z.par_chunks(CHUNK)).for_each(|(p, z)| {
        for (p, z) in p.iter_mut().zip(z) {
            *p = *z + beta * *p;
        }
    });
}

/// `z = M⁻¹ r` without its part in the null space, and `r · z`.
fn precondition<T: Real>(m: &mut impl Preconditioner<T>, null: &[Vec<f64>], r: &[T], z: &mut [T]) -> f64 {
    if null.is_empty() {
        return m.precondition_dot(r, z);
    }
    m.precondition(r, z);
    project(null, z);
    dot(r, z)
}

/// Takes the components along `null`, which is orthonormal, out of `v`.
fn project<T: Real>(null: &[Vec<f64>], v: &mut [T]) {
    for direction in null {
        let along: f64 = v.iter().zip(direction).map(|(v, d)| v.to_double() * d).sum();
        for (v, d) in v.iter_mut().zip(direction) {
            *v = T::of(v.to_double() - along * d);
        }
    }
}

/// An orthonormal basis of what the vectors span, in double precision.
fn orthonormal<T: Real>(vectors: &[Vec<T>]) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for vector in vectors {
        let mut v: Vec<f64> = vector.iter().map(|v| v.to_double()).collect();
        let before = dot(&v, &v).sqrt();
        project(&basis, &mut v);
        project(&basis, &mut v); // once more, because the first leaves a component by rounding
        let after = dot(&v, &v).sqrt();
        if after > 1e-10 * before {
            v.iter_mut().for_each(|v| *v /= after);
            basis.push(v);
        }
    }
    basis
}
