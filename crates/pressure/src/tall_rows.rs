//! The two rows of a tall cell: where the Galerkin and the collocated discretisation differ.

use thalweg_columns::grid::{first_cell, is_tall};
use thalweg_columns::lines::{Line, weighted_product};
use thalweg_columns::{Heights, Real};

use crate::rows::{Discretisation, LevelView, Lines, Side};

impl<T: Real> LevelView<'_, T> {
    /// Sums `w_f p_n` over everything outside a tall cell, for its two rows.
    #[inline(always)]
    pub(crate) fn tall_sums(&self, p: &Lines<'_, T>, column: usize) -> [T; 2] {
        let n = self.shape.samples();
        let own = self.heights[column];
        let above = self.weights[self.shape.len() + column * n + 2] * p.own[2];
        let mut rows = [T::zero(), above];
        for side in self.sides(column).iter().flatten() {
            let line = p.sides[side.number];
            match self.discretisation {
                Discretisation::Galerkin => self.galerkin_side(own, side, |row, side, y0, y1, w| {
                    // A stretch of the neighbour's tall line, or one cell of it.
                    match y1 {
                        Some(moments) => {
                            rows[row] += moments[0] * line[0] + moments[1] * line[1];
                        }
                        None => rows[row] += w * line[(y0 - side.heights[1] + 2) as usize],
                    }
                }),
                Discretisation::Collocated => {
                    for (row, y) in [(0, own[0]), (1, own[1] - 1)] {
                        rows[row] += self.weight_at(side, y) * self.value_at(line, side.heights, y);
                    }
                }
            }
        }
        rows
    }

    /// The 2×2 block of a tall cell, `[a00, a01, a11, a10]`, without anything outside it.
    pub(crate) fn tall_block(&self, column: usize) -> [T; 4] {
        let n = self.shape.samples();
        let own = self.heights[column];
        let up = self.shape.len() + column * n;
        let (inside, above) = (self.weights[up + 1], self.weights[up + 2]);
        let mut block = [inside, -inside, inside + above, -inside];
        for side in self.sides(column).iter().flatten() {
            match self.discretisation {
                Discretisation::Galerkin => {
                    let own_sum = self.galerkin_own(own, side);
                    block[0] += own_sum[0];
                    block[1] += own_sum[1];
                    block[2] += own_sum[2];
                    block[3] += own_sum[1];
                }
                Discretisation::Collocated => {
                    block[0] += self.weight_at(side, own[0]);
                    block[2] += self.weight_at(side, own[1] - 1);
                }
            }
        }
        block
    }

    /// Visits the side faces of a tall cell: `visit(row, side, y, Some([m0, m1]), _)` once per row for the overlap
    /// with the neighbour's tall cell (`m` multiplies the neighbour's two samples), `visit(row, side, y, None, w)`
    /// for every cell of the neighbour beside the tall cell, `w` already times the row's hat function.
    #[inline(always)]
    pub(crate) fn galerkin_side(
        &self,
        own: Heights,
        side: &Side,
        mut visit: impl FnMut(usize, &Side, i32, Option<[T; 2]>, T),
    ) {
        let lines = Line::<T>::of_tall(own);
        if is_tall(side.heights)
            && let Some((lo, count, weight)) = self.overlap(side)
        {
            let other = Line::<T>::of_tall(side.heights);
            for (row, hat) in lines.iter().enumerate() {
                let hat = hat.from(lo);
                let m = [
                    weighted_product(weight, hat, other[0].from(lo), count),
                    weighted_product(weight, hat, other[1].from(lo), count),
                ];
                visit(row, side, lo, Some(m), T::zero());
            }
        }
        let (lo, hi) = self.cells_beside(own, side);
        for y in lo..hi {
            let w = self.face_weight(side, y);
            for (row, hat) in lines.iter().enumerate() {
                visit(row, side, y, None, w * hat.at(y));
            }
        }
    }

    /// `Σ w b², Σ w b t, Σ w t²` over the side faces of a tall cell.
    fn galerkin_own(&self, own: Heights, side: &Side) -> [T; 3] {
        let [b, t] = Line::<T>::of_tall(own);
        let mut sum = [T::zero(); 3];
        if is_tall(side.heights)
            && let Some((lo, count, weight)) = self.overlap(side)
        {
            let (b, t) = (b.from(lo), t.from(lo));
            sum = [
                weighted_product(weight, b, b, count),
                weighted_product(weight, b, t, count),
                weighted_product(weight, t, t, count),
            ];
        }
        let (lo, hi) = self.cells_beside(own, side);
        for y in lo..hi {
            let w = self.face_weight(side, y);
            let (b, t) = (b.at(y), t.at(y));
            sum[0] += w * b * b;
            sum[1] += w * b * t;
            sum[2] += w * t * t;
        }
        sum
    }

    /// The cells of a neighbour that lie beside a tall cell.
    #[inline(always)]
    fn cells_beside(&self, own: Heights, side: &Side) -> (i32, i32) {
        let column_top = side.heights[1] + self.shape.regular as i32;
        (first_cell(side.heights).max(own[0]), own[1].min(column_top))
    }

    /// The overlap of two tall cells: lowest world cell, number of cells, linear profile of the conductance.
    #[inline(always)]
    pub(crate) fn overlap(&self, side: &Side) -> Option<(i32, i32, Line<T>)> {
        let [lo, hi] = side.overlap;
        let count = hi - lo;
        if count <= 0 {
            return None;
        }
        let (w0, w1) = (self.weights[side.face], self.weights[side.face + 1]);
        let slope = if count > 1 { (w1 - w0) / T::of(f64::from(count - 1)) } else { T::zero() };
        Some((lo, count, Line { start: w0, slope, origin: lo }))
    }
}
