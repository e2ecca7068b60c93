//! Face velocities of columns with tall cells: where the normal velocity of each face lies.
//!
//! [`FaceVelocity::faces`] has three planes (x, y, z) of one entry per sample. A side face column lies between a column
//! and its neighbour towards smaller x (z): entries 0 and 1 are the ends of the overlap `H_f ≤ y < T_f` of two tall
//! cells and stand for a line over its `n` faces (for `n = 1` only entry 1 is read and both are written; for `n ≤ 0`
//! none exists), entry `j ≥ 2` is the face `max(H_f, T_f) + j − 2`. y faces: entry `j ≥ 2` is the lower face of cell
//! `j`, entry 0 the top of the column. The `h − 1` faces inside a tall cell carry a line too: its *upper* end (the
//! lower face of the top sub-cell, as for every other sample) is entry 1, its *lower* end has an array of its own,
//! [`FaceVelocity::inner`], one per column. With `h = 2` both are the same face: entry 1 is read, both are written.

use rayon::prelude::*;

use crate::{Real, Shape};

/// Normal velocities of all faces, m/s. See the [module](self) for where they lie.
#[derive(Debug, Clone, PartialEq)]
pub struct FaceVelocity<T> {
    /// x faces, y faces, z faces: three planes of one entry per sample.
    pub faces: Vec<T>,
    /// Lower end of the line inside the tall cell, per column.
    pub inner: Vec<T>,
}

/// Borrowed [`FaceVelocity`].
#[derive(Debug, Clone, Copy)]
pub struct FaceVelocityView<'a, T> {
    /// See [`FaceVelocity::faces`].
    pub faces: &'a [T],
    /// See [`FaceVelocity::inner`].
    pub inner: &'a [T],
}

impl<T: Real> FaceVelocity<T> {
    /// Borrows both arrays.
    #[inline(always)]
    pub fn view(&self) -> FaceVelocityView<'_, T> {
        FaceVelocityView { faces: &self.faces, inner: &self.inner }
    }

    /// No motion.
    pub fn zero(shape: Shape) -> Self {
        Self { faces: vec![T::zero(); 3 * shape.len()], inner: vec![T::zero(); shape.columns()] }
    }

    /// Adds the same velocity (m/s) everywhere, such as `Δt g`. Closed faces are put right by the update.
    pub fn accelerate(&mut self, by: [T; 3]) {
        let len = self.faces.len() / 3;
        for (plane, by) in self.faces.chunks_mut(len.max(1)).zip(by) {
            plane.par_iter_mut().for_each(|u| *u += by);
        }
        self.inner.iter_mut().for_each(|v| *v += by[1]);
    }
}
