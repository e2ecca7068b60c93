//! BiCGStab around a multigrid cycle, for the collocated operator, whose matrix is not symmetric.

use thalweg_columns::Real;
use thalweg_pressure::parts::{Progress, multiply, residual};
use thalweg_pressure::{Cycle, HostHierarchy, Level, Report, Stop, Sweeps};

/// Solves `A x = b` by BiCGStab (van der Vorst 1992), preconditioned from the right by one cycle.
pub fn bicgstab<T: Real>(
    level: &Level<T>,
    hierarchy: &mut HostHierarchy<T>,
    cycle: Cycle,
    sweeps: Sweeps,
    b: &[T],
    x: &mut [T],
    stop: Stop,
) -> Report {
    rayon::scope(|_| {
        let mut course = Progress::new(stop);
        let (view, ends) = (level.view(), &level.ends);
        let len = b.len();
        let mut precondition = |v: &[T], out: &mut Vec<T>| {
            hierarchy.rhs().copy_from_slice(v);
            hierarchy.cycle(cycle, sweeps);
            out.clear();
            out.extend_from_slice(hierarchy.values());
        };
        let zeros = || vec![T::zero(); len];
        let (mut r, mut p, mut v, mut t) = (zeros(), zeros(), zeros(), zeros());
        let (mut p_hat, mut s_hat) = (zeros(), zeros());
        course.push(residual(&view, ends, b, x, &mut r));
        let shadow = r.clone();
        let (mut rho, mut alpha, mut omega) = (1.0, 1.0, 1.0);
        while !course.done() {
            let new_rho = dot(&shadow, &r);
            let beta = new_rho / rho * (alpha / omega);
            rho = new_rho;
            if !beta.is_finite() || rho == 0.0 {
                break; // the shadow residual has lost touch; the best values so far stand
            }
            for ((p, r), v) in p.iter_mut().zip(&r).zip(&v) {
                *p = *r + T::of(beta) * (*p - T::of(omega) * *v);
            }
            precondition(&p, &mut p_hat);
            multiply(&view, ends, &p_hat, &mut v);
            alpha = rho / dot(&shadow, &v);
            if !alpha.is_finite() {
                break;
            }
            for (r, v) in r.iter_mut().zip(&v) {
                *r -= T::of(alpha) * *v;
            }
            precondition(&r, &mut s_hat);
            multiply(&view, ends, &s_hat, &mut t);
            let tt = dot(&t, &t);
            omega = if tt > 0.0 { dot(&t, &r) / tt } else { 0.0 };
            for ((x, p), s) in x.iter_mut().zip(&p_hat).zip(&s_hat) {
                *x += T::of(alpha) * *p + T::of(omega) * *s;
            }
            let mut largest = T::zero();
            for (r, t) in r.iter_mut().zip(&t) {
                *r -= T::of(omega) * *t;
                largest = if r.abs() <= largest { largest } else { r.abs() };
            }
            course.push(largest.to_double());
            if omega == 0.0 {
                break;
            }
        }
        course.report
    })
}

fn dot<T: Real>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.to_double() * b.to_double()).sum()
}
