//! What conjugate gradients ask of a preconditioner, and the two simplest ones.

use super::Csr;
use super::reduce::dot;
use rayon::prelude::*;
use thalweg_columns::Real;

/// Entries that one task scales.
const ENTRIES_PER_TASK: usize = 8192;

/// An approximate inverse, symmetric and positive definite.
pub trait Preconditioner<T: Real> {
    /// `z = M⁻¹ r`; every entry of `z` is overwritten.
    fn precondition(&mut self, r: &[T], z: &mut [T]);

    /// As [`Self::precondition`], and returns `r · z`. Worth overriding where `z` can be summed while it is in cache.
    fn precondition_dot(&mut self, r: &[T], z: &mut [T]) -> f64 {
        self.precondition(r, z);
        dot(r, z)
    }
}

impl<T: Real, M: Preconditioner<T> + ?Sized> Preconditioner<T> for &mut M {
    fn precondition(&mut self, r: &[T], z: &mut [T]) {
        (**self).precondition(r, z);
    }

    fn precondition_dot(&mut self, r: &[T], z: &mut [T]) -> f64 {
        (**self).precondition_dot(r, z)
    }
}

/// No preconditioner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Identity;

impl<T: Real> Preconditioner<T> for Identity {
    fn precondition(&mut self, r: &[T], z: &mut [T]) {
        z.copy_from_slice(r);
    }
}

/// Division by the diagonal.
#[derive(Debug, Clone, PartialEq)]
pub struct Jacobi<T> {
    inverse: Vec<T>,
}

impl<T: Real> Jacobi<T> {
    /// Takes the diagonal of `a`.
    pub fn new(a: &Csr<T>) -> Self {
        Self::from_diagonal(&a.diagonal())
    }

    /// Takes a diagonal. Entries that are not positive (empty rows) precondition to zero.
    pub fn from_diagonal(diagonal: &[T]) -> Self {
        let inverse = |d: &T| if *d > T::zero() { d.recip() } else { T::zero() };
        Self { inverse: diagonal.iter().map(inverse).collect() }
    }
}

impl<T: Real> Preconditioner<T> for Jacobi<T> {
    fn precondition(&mut self, r: &[T], z: &mut [T]) {
        assert_eq!((r.len(), z.len()), (self.inverse.len(), self.inverse.len()), "lengths of r and z");
        let tasks = z.par_chunks_mut(ENTRIES_PER_TASK).zip(r.par_chunks(ENTRIES_PER_TASK));
        tasks.zip(self.inverse.par_chunks(ENTRIES_PER_TASK)).for_each(|((z, r), inverse)| {
            for ((z, r), inverse) in z.iter_mut().zip(r).zip(inverse) {
                *z = *r * *inverse;
            }
        });
    }
}
