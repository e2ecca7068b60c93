//! `b − A x` from differences of pressure across faces.
//!
//! `d x − Σ w x_n` subtracts numbers as large as the pressure at depth from each other, and stored diagonals and blocks
//! are rounded sums. Both leave an error of 2⁻²⁴ of the deepest pressure in floats, which the weakest mode, the slope
//! of all tall lines together, blows up to 5e-5 of it. `Σ w (x − x_n)` is rounded to the size of the differences, and
//! needs the conductances alone. It is what iterations are corrected by whenever the residual is computed afresh (Moler
//! 1967, iterative refinement): the solution is then known to a few units in the last place.

use thalweg_columns::Real;
use thalweg_columns::grid::{first_cell, is_tall};
use thalweg_columns::lines::{Line, weighted_product};

use crate::rows::{Discretisation, LevelView, Lines};
use crate::smooth::{residual_line, residual_rows};
use crate::velocity::difference_at;

/// `r = b − A x` on a finest level, 0 outside the unknowns. Returns the largest magnitude.
pub(crate) fn residual_afresh<T: Real>(view: &LevelView<'_, T>, ends: &[u32], b: &[T], x: &[T], r: &mut [T]) -> f64 {
    residual_rows::<T, true>(view, ends, b, x, r)
}

/// One column of `b − A x`, 0 outside the unknowns.
#[inline(always)]
pub(crate) fn residual_of_differences<T: Real>(
    view: &LevelView<'_, T>,
    b: &[T],
    x: &[T],
    column: usize,
    end: usize,
    r: &mut [T],
) {
    // The collocated rows are no sums over faces.
    if view.discretisation == Discretisation::Collocated {
        return residual_line(view, b, x, column, end, r);
    }
    let n = view.shape.samples();
    let lines = Lines::of(view.shape, x, column);
    let first = if is_tall(view.heights[column]) { 2 } else { 0 };
    view.outflow_of_cells(&lines, column, first, end, r);
    if first == 2 && end > 0 {
        r[..2].copy_from_slice(&view.outflow_of_tall(&lines, column));
    }
    let (b, diagonal) = (&b[column * n..][..end], &view.diagonal[column * n..][..end]);
    for ((r, b), d) in r[..end].iter_mut().zip(b).zip(diagonal) {
        *r = if *d > T::zero() { *b - *r } else { T::zero() };
    }
    r[end..].fill(T::zero());
}

impl<T: Real> LevelView<'_, T> {
    /// `Σ w (x − x_n)` of the cells `first..end`.
    #[inline(always)]
    fn outflow_of_cells(&self, p: &Lines<'_, T>, column: usize, first: usize, end: usize, out: &mut [T]) {
        if end <= first {
            return;
        }
        let n = self.shape.samples();
        let own = self.heights[column];
        let vertical = &self.weights[self.shape.len() + column * n..][..n];
        let x = p.own;
        // Downwards, then upwards; entry 0 of the vertical faces is the one over the highest cell, with air above.
        out[0] = T::zero();
        for j in first.max(1)..end {
            out[j] = vertical[j] * (x[j] - x[j - 1]);
        }
        let inner = end.min(n - 1);
        for j in first..inner {
            out[j] += vertical[j + 1] * (x[j] - x[j + 1]);
        }
        if end == n {
            out[n - 1] += vertical[0] * x[n - 1];
        }
        for side in self.sides(column).iter().flatten() {
            let other = p.sides[side.number];
            if side.heights == own {
                let weights = &self.weights[side.face..][..n];
                for j in first..end {
                    out[j] += weights[j] * (x[j] - other[j]);
                }
                continue;
            }
            let top = own[1].min(side.heights[1]) + self.shape.regular as i32;
            for (y, out) in (own[1] + first as i32 - 2..).zip(&mut out[first..end]) {
                if y >= side.overlap[0] && y < top {
                    *out += self.face_weight(side, y) * difference_at((x, own), (other, side.heights), y);
                }
            }
        }
    }

    /// `Σ w φ (x − x_n)` over the faces of a tall cell, for both of its hat functions `φ`.
    fn outflow_of_tall(&self, p: &Lines<'_, T>, column: usize) -> [T; 2] {
        let n = self.shape.samples();
        let own = self.heights[column];
        let up = self.shape.len() + column * n;
        let inside = self.weights[up + 1] * (p.own[0] - p.own[1]);
        let mut rows = [inside, self.weights[up + 2] * (p.own[1] - p.own[2]) - inside];
        let hats = Line::<T>::of_tall(own);
        for side in self.sides(column).iter().flatten() {
            let other = p.sides[side.number];
            let difference = |y: i32| difference_at((p.own, own), (other, side.heights), y);
            if is_tall(side.heights)
                && let Some((lo, count, weight)) = self.overlap(side)
            {
                let (start, last) = (difference(lo), difference(lo + count - 1));
                let slope = if count > 1 { (last - start) / T::of(f64::from(count - 1)) } else { T::zero() };
                let across = Line { start, slope, origin: lo };
                for (row, hat) in rows.iter_mut().zip(hats) {
                    *row += weighted_product(weight, hat.from(lo), across, count);
                }
            }
            let top = side.heights[1] + self.shape.regular as i32;
            for y in first_cell(side.heights).max(own[0])..own[1].min(top) {
                let flow = self.face_weight(side, y) * difference(y);
                for (row, hat) in rows.iter_mut().zip(hats) {
                    *row += flow * hat.at(y);
                }
            }
        }
        rows
    }
}
