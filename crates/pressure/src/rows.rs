//! The rows of the matrix on one level: what a sample takes from its neighbours.
//!
//! The matrix is `(A p)_i = Σ_f w_f (p_i − p_n)`: one conductance `w` per face, symmetric by construction. A face
//! between liquid samples conducts its open fraction, one to air `open/θ` with `p = 0` on the other side (ghost
//! fluid), all others nothing. Samples that are not unknowns hold `p = 0`, so no row asks what its neighbour is.
//!
//! A cell beside a tall cell takes the tall line's value at its own height. The rows of the tall cell itself are
//! where the two discretisations differ, see [`Discretisation`].

use crate::Real;
use crate::grid::{Heights, Shape, face_base, face_heights, first_cell, is_tall};

/// How the two rows of a tall cell are formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Discretisation {
    /// Staggered velocities, pressure restricted to tall lines: `Pᵀ A P` of the uniform grid. Symmetric and
    /// positive, keeps volume, carries long waves at the right speed. The default.
    #[default]
    Galerkin,
    /// \[000\] §3.7 with its errors corrected: the uniform stencil evaluated at the two ends of the tall cell only.
    /// Not symmetric. Kept as the published method to compare with.
    Collocated,
}

/// One level as the row functions see it.
#[derive(Debug, Clone, Copy)]
pub struct LevelView<'a, T> {
    /// Columns and samples.
    pub shape: Shape,
    /// `[H, T]` per column.
    pub heights: &'a [Heights],
    /// Conductances: the x faces (of the face column towards smaller x), then the y faces, then the z faces.
    /// y faces: sample `j ≥ 2` is the lower face of a cell, 1 the inside of the tall cell, 0 the top of the column.
    pub weights: &'a [T],
    /// Sum of the conductances of a sample; 0 where it is not an unknown.
    pub diagonal: &'a [T],
    /// The 2×2 block `[a00, a01, a11, _]` (collocated: `[a00, a01, a11, a10]`) of every tall cell.
    pub blocks: &'a [[T; 4]],
    /// Whether every face between two unknowns conducts exactly 1, so that `weights` need not be read.
    pub unit: bool,
    /// How tall rows are formed.
    pub discretisation: Discretisation,
}

/// A neighbouring column and the face column between.
#[derive(Debug, Clone, Copy)]
struct Side {
    /// Which of the four it is: −x, +x, −z, +z.
    number: usize,
    heights: Heights,
    /// First entry of the face column in `weights`.
    face: usize,
    /// `[H_f, T_f]`.
    overlap: Heights,
}

/// The line of a column and those of its neighbours (−x, +x, −z, +z); an empty one where there is none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines<'a, T> {
    pub(crate) own: &'a [T],
    pub(crate) sides: [&'a [T]; 4],
}

impl<'a, T: Real> Lines<'a, T> {
    /// Cuts the lines around a column out of a whole field.
    #[inline(always)]
    pub(crate) fn of(shape: Shape, field: &'a [T], column: usize) -> Self {
        let n = shape.samples();
        let row = shape.nx * n;
        let (i, k) = (column % shape.nx, column / shape.nx);
        let at = |exists: bool, start: usize| if exists { &field[start..start + n] } else { &field[..0] };
        let base = column * n;
        Self {
            own: &field[base..base + n],
            sides: [
                at(i > 0, base.wrapping_sub(n)),
                at(i + 1 < shape.nx, base + n),
                at(k > 0, base.wrapping_sub(row)),
                at(k + 1 < shape.nz, base + row),
            ],
        }
    }

    /// The same from three rows of columns: the one before along z, the column's own, the one after.
    #[inline(always)]
    pub(crate) fn of_rows(shape: Shape, before: &'a [T], own: &'a [T], after: &'a [T], i: usize) -> Self {
        let n = shape.samples();
        let at = |row: &'a [T], i: usize| if row.is_empty() { row } else { &row[i * n..(i + 1) * n] };
        Self {
            own: at(own, i),
            sides: [
                if i > 0 { at(own, i - 1) } else { &own[..0] },
                if i + 1 < shape.nx { at(own, i + 1) } else { &own[..0] },
                at(before, i),
                at(after, i),
            ],
        }
    }
}

impl<T: Real> LevelView<'_, T> {
    /// The up to four neighbours of a column: −x, +x, −z, +z.
    #[inline(always)]
    fn sides(&self, column: usize) -> [Option<Side>; 4] {
        let Shape { nx, nz, .. } = self.shape;
        let (n, len) = (self.shape.samples(), self.shape.len());
        let (i, k) = (column % nx, column / nx);
        let own = self.heights[column];
        let side = |number: usize, exists: bool, neighbour: usize, holder: usize, plane: usize| {
            exists.then(|| {
                let heights = self.heights[neighbour];
                Side { number, heights, face: plane * len + holder * n, overlap: face_heights(own, heights) }
            })
        };
        [
            side(0, i > 0, column.wrapping_sub(1), column, 0),
            side(1, i + 1 < nx, column + 1, column + 1, 0),
            side(2, k > 0, column.wrapping_sub(nx), column, 2),
            side(3, k + 1 < nz, column + nx, column + nx, 2),
        ]
    }

    /// Conductance of the side face at world cell `y`, which must be a face of its own, not one of many inside an
    /// overlap of tall cells.
    #[inline(always)]
    fn face_weight(&self, side: &Side, y: i32) -> T {
        self.weights[side.face + (y - face_base(side.overlap) + 2) as usize]
    }

    /// Sums `w_f p_n` over the neighbours of the cells of one column, into `sum[first..end]`.
    ///
    /// Returns the first sample that is a cell: 2 above a tall cell, else 0.
    #[inline(always)]
    pub(crate) fn neighbour_sums(&self, p: &Lines<'_, T>, column: usize, end: usize, sum: &mut [T]) -> usize {
        let n = self.shape.samples();
        let own = self.heights[column];
        let first = if is_tall(own) { 2 } else { 0 };
        let line = p.own;
        let sides = self.sides(column);
        if end <= first {
            return first;
        }
        if let [Some(a), Some(b), Some(c), Some(d)] = &sides
            && [a, b, c, d].iter().all(|s| s.heights == own)
        {
            self.even_sums(p, column, [a.face, b.face, c.face, d.face], first, end, sum);
        } else if self.unit {
            vertical_sums(line, first, end, sum);
            self.side_sums_unit(p, own, &sides, first, end, sum);
        } else {
            let up = self.shape.len() + column * n;
            weighted_vertical_sums(line, &self.weights[up..up + n], first, end, sum);
            self.side_sums_weighted(p, own, &sides, first, end, sum);
        }
        first
    }

    /// [`Self::neighbour_sums`] of a column inside the grid whose four neighbours stand at its own height, so that all
    /// indices agree: one loop. `faces` are the starts of the four face columns.
    #[inline(always)]
    fn even_sums(&self, p: &Lines<'_, T>, column: usize, faces: [usize; 4], first: usize, end: usize, sum: &mut [T]) {
        let n = self.shape.samples();
        let [a, b, c, d] = p.sides;
        // The lowest and the highest sample have one vertical neighbour only.
        let (lo, hi) = (first.max(1), end.min(n - 1));
        let up = self.shape.len() + column * n;
        for j in [0, n - 1] {
            if j >= first && j < end {
                let (other, face) = if j == 0 { (1, 1) } else { (n - 2, n - 1) };
                sum[j] = if self.unit {
                    p.own[other] + (a[j] + b[j]) + (c[j] + d[j])
                } else {
                    let w = |f: usize| self.weights[f + j];
                    self.weights[up + face] * p.own[other]
                        + (w(faces[0]) * a[j] + w(faces[1]) * b[j])
                        + (w(faces[2]) * c[j] + w(faces[3]) * d[j])
                };
            }
        }
        if lo >= hi {
            return;
        }
        let length = hi - lo;
        let (below, above) = (&p.own[lo - 1..hi - 1][..length], &p.own[lo + 1..hi + 1][..length]);
        let (a, b) = (&a[lo..hi][..length], &b[lo..hi][..length]);
        let (c, d) = (&c[lo..hi][..length], &d[lo..hi][..length]);
        let sum = &mut sum[lo..hi][..length];
        if self.unit {
            for j in 0..length {
                sum[j] = (below[j] + above[j]) + (a[j] + b[j]) + (c[j] + d[j]);
            }
        } else {
            let [wa, wb, wc, wd] = faces.map(|f| &self.weights[f + lo..f + hi][..length]);
            let (lower, upper) =
                (&self.weights[up + lo..up + hi][..length], &self.weights[up + lo + 1..up + hi + 1][..length]);
            for j in 0..length {
                sum[j] = (lower[j] * below[j] + upper[j] * above[j])
                    + (wa[j] * a[j] + wb[j] * b[j])
                    + (wc[j] * c[j] + wd[j] * d[j]);
            }
        }
    }

    /// The part of [`Self::neighbour_sums`] across side faces that all conduct 1.
    #[inline(always)]
    fn side_sums_unit(
        &self,
        p: &Lines<'_, T>,
        own: Heights,
        sides: &[Option<Side>; 4],
        first: usize,
        end: usize,
        sum: &mut [T],
    ) {
        let n = self.shape.samples();
        for side in sides.iter().flatten() {
            let (lo, hi, shift) = overlap_of_cells(own, side.heights, first, end, n);
            if lo < hi {
                let from = lo.wrapping_add_signed(shift);
                for (s, v) in sum[lo..hi].iter_mut().zip(&p.sides[side.number][from..from + hi - lo]) {
                    *s += *v;
                }
            }
            self.tall_neighbour(p, own, side, first, lo.min(end), sum, |_| T::one());
        }
    }

    /// The part of [`Self::neighbour_sums`] across side faces of any conductance.
    #[inline(always)]
    fn side_sums_weighted(
        &self,
        p: &Lines<'_, T>,
        own: Heights,
        sides: &[Option<Side>; 4],
        first: usize,
        end: usize,
        sum: &mut [T],
    ) {
        let n = self.shape.samples();
        for side in sides.iter().flatten() {
            let (lo, hi, shift) = overlap_of_cells(own, side.heights, first, end, n);
            if lo < hi {
                let from = lo.wrapping_add_signed(shift);
                let face = side.face + (own[1] + lo as i32 - face_base(side.overlap)) as usize;
                let (values, weights) =
                    (&p.sides[side.number][from..from + hi - lo], &self.weights[face..face + hi - lo]);
                for ((s, v), w) in sum[lo..hi].iter_mut().zip(values).zip(weights) {
                    *s += *v * *w;
                }
            }
            self.tall_neighbour(p, own, side, first, lo.min(end), sum, |y| self.face_weight(side, y));
        }
    }

    /// Adds what the cells `first..end` of a column take from the tall line of a neighbour.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "one row of a stencil")]
    fn tall_neighbour(
        &self,
        p: &Lines<'_, T>,
        own: Heights,
        side: &Side,
        first: usize,
        end: usize,
        sum: &mut [T],
        weight: impl Fn(i32) -> T,
    ) {
        if !is_tall(side.heights) {
            return;
        }
        let [bottom, top] = side.heights;
        let (p0, p1) = (p.sides[side.number][0], p.sides[side.number][1]);
        let slope = (p1 - p0) / T::of(f64::from(top - bottom - 1));
        for (j, s) in sum.iter_mut().enumerate().take(end).skip(first) {
            let y = own[1] + j as i32 - 2;
            if y >= bottom && y < top {
                *s += weight(y) * (p0 + slope * T::of(f64::from(y - bottom)));
            }
        }
    }

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
    fn galerkin_side(&self, own: Heights, side: &Side, mut visit: impl FnMut(usize, &Side, i32, Option<[T; 2]>, T)) {
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
    fn overlap(&self, side: &Side) -> Option<(i32, i32, Line<T>)> {
        let [lo, hi] = side.overlap;
        let count = hi - lo;
        if count <= 0 {
            return None;
        }
        let (w0, w1) = (self.weights[side.face], self.weights[side.face + 1]);
        let slope = if count > 1 { (w1 - w0) / T::of(f64::from(count - 1)) } else { T::zero() };
        Some((lo, count, Line { start: w0, slope, origin: lo }))
    }

    /// Conductance between two neighbouring columns at any world cell, 0 where there is no face.
    pub(crate) fn weight_between(&self, column: usize, other: usize, y: i32) -> T {
        let n = self.shape.samples();
        let plane = if column.abs_diff(other) == 1 && self.shape.nx > 1 { 0 } else { 2 };
        let side = Side {
            number: 0,
            heights: self.heights[other],
            face: plane * self.shape.len() + column.max(other) * n,
            overlap: face_heights(self.heights[column], self.heights[other]),
        };
        let top = self.heights[column][1].min(self.heights[other][1]) + self.shape.regular as i32;
        if y < top { self.weight_at(&side, y) } else { T::zero() }
    }

    /// Conductance of a side face at any world cell, 0 where there is no face.
    #[inline(always)]
    fn weight_at(&self, side: &Side, y: i32) -> T {
        let [lo, hi] = side.overlap;
        if y < lo {
            return T::zero();
        }
        if y < hi {
            return match self.overlap(side) {
                Some((_, _, line)) => line.at(y),
                None => T::zero(),
            };
        }
        let index = (y - face_base(side.overlap) + 2) as usize;
        if index < self.shape.samples() { self.weights[side.face + index] } else { T::zero() }
    }

    /// The value of a neighbour at a world cell, 0 where it has none.
    #[inline(always)]
    fn value_at(&self, line: &[T], heights: Heights, y: i32) -> T {
        match crate::grid::place::<T>(heights, line.len(), y) {
            crate::grid::Place::Tall(t) => line[0] + (line[1] - line[0]) * t,
            crate::grid::Place::Cell(j) => line[j],
            crate::grid::Place::Terrain | crate::grid::Place::Above => T::zero(),
        }
    }

    /// Sums `w_f p_n` over the neighbours of one cell: [`Self::neighbour_sums`] for a single sample.
    #[inline(always)]
    pub(crate) fn cell_sum(&self, p: &Lines<'_, T>, column: usize, sample: usize) -> T {
        let n = self.shape.samples();
        let own = self.heights[column];
        let y = own[1] + sample as i32 - 2;
        let up = self.shape.len() + column * n;
        let weight = |index: usize| if self.unit { T::one() } else { self.weights[index] };
        let mut sum = T::zero();
        if sample > 0 {
            sum += weight(up + sample) * p.own[sample - 1];
        }
        if sample + 1 < n {
            sum += weight(up + sample + 1) * p.own[sample + 1];
        }
        for side in self.sides(column).iter().flatten() {
            let column_top = side.heights[1].min(own[1]) + self.shape.regular as i32;
            if y >= side.overlap[0] && y < column_top {
                let face = side.face + (y - face_base(side.overlap) + 2) as usize;
                sum += weight(face) * self.value_at(p.sides[side.number], side.heights, y);
            }
        }
        sum
    }

    /// Visits the entries `(index, value)` of one row of the matrix, those of samples that are no unknowns included.
    pub(crate) fn row_entries(&self, column: usize, sample: usize, mut visit: impl FnMut(usize, T)) {
        let n = self.shape.samples();
        let own = self.heights[column];
        let base = column * n;
        let up = self.shape.len() + base;
        if is_tall(own) && sample < 2 {
            let [a00, a01, a11, a10] = self.blocks[column];
            let rows = match self.discretisation {
                Discretisation::Galerkin => [[a00, a01], [a01, a11]],
                Discretisation::Collocated => [[a00, a01], [a10, a11]],
            };
            visit(base, rows[sample][0]);
            visit(base + 1, rows[sample][1]);
            if sample == 1 {
                visit(base + 2, -self.weights[up + 2]);
            }
            for (side, other) in self.sides(column).iter().zip(self.side_columns(column)) {
                let Some(side) = side else { continue };
                let line = other * n;
                match self.discretisation {
                    Discretisation::Galerkin => self.galerkin_side(own, side, |row, side, y, moments, w| {
                        if row != sample {
                            return;
                        }
                        match moments {
                            Some(m) => {
                                visit(line, -m[0]);
                                visit(line + 1, -m[1]);
                            }
                            None => visit(line + (y - side.heights[1] + 2) as usize, -w),
                        }
                    }),
                    Discretisation::Collocated => {
                        let y = if sample == 0 { own[0] } else { own[1] - 1 };
                        self.side_entries(side, line, y, self.weight_at(side, y), &mut visit);
                    }
                }
            }
            return;
        }
        visit(base + sample, self.diagonal[base + sample]);
        if sample > 0 {
            visit(base + sample - 1, -self.weights[up + sample]);
        }
        if sample + 1 < n {
            visit(base + sample + 1, -self.weights[up + sample + 1]);
        }
        let y = own[1] + sample as i32 - 2;
        for (side, other) in self.sides(column).iter().zip(self.side_columns(column)) {
            let Some(side) = side else { continue };
            let column_top = side.heights[1].min(own[1]) + self.shape.regular as i32;
            if y >= side.overlap[0] && y < column_top {
                self.side_entries(side, other * n, y, self.face_weight(side, y), &mut visit);
            }
        }
    }

    /// The columns that [`Self::sides`] speaks of.
    fn side_columns(&self, column: usize) -> [usize; 4] {
        let nx = self.shape.nx;
        [column.wrapping_sub(1), column + 1, column.wrapping_sub(nx), column + nx]
    }

    /// Entries of the neighbour that starts at `line`, for a face at world cell `y`.
    fn side_entries(&self, side: &Side, line: usize, y: i32, weight: T, visit: &mut impl FnMut(usize, T)) {
        match crate::grid::place::<T>(side.heights, self.shape.samples(), y) {
            crate::grid::Place::Tall(t) => {
                visit(line, -weight * (T::one() - t));
                visit(line + 1, -weight * t);
            }
            crate::grid::Place::Cell(j) => visit(line + j, -weight),
            crate::grid::Place::Terrain | crate::grid::Place::Above => {}
        }
    }

    /// Marks the cells of a column that have a face that does not conduct exactly 1, walls of the grid aside.
    #[inline(always)]
    pub(crate) fn irregular_line(&self, column: usize, out: &mut [bool]) {
        let n = self.shape.samples();
        let own = self.heights[column];
        let up = self.shape.len() + column * n;
        let odd = |w: T| w != T::one();
        let vertical = &self.weights[up..up + n];
        out[0] = odd(vertical[1]);
        for (o, w) in out[1..].iter_mut().zip(vertical[1..].windows(2)) {
            *o = odd(w[0]) | odd(w[1]);
        }
        out[n - 1] = odd(vertical[n - 1]) || odd(vertical[0]);
        for side in self.sides(column).iter().flatten() {
            if side.heights == own {
                for (o, w) in out.iter_mut().zip(&self.weights[side.face..side.face + n]) {
                    *o |= odd(*w);
                }
            } else {
                let column_top = side.heights[1].min(own[1]) + self.shape.regular as i32;
                let first = if is_tall(own) { 2 } else { 0 };
                for (sample, o) in out.iter_mut().enumerate().skip(first) {
                    let y = own[1] + sample as i32 - 2;
                    *o |= y < side.overlap[0] || y >= column_top || odd(self.face_weight(side, y));
                }
            }
        }
    }

    /// Sum of the conductances of every cell of a column. The ends of a tall cell are left to
    /// [`Self::tall_block`].
    #[inline(always)]
    pub(crate) fn conductance_line(&self, column: usize, out: &mut [T]) {
        let n = self.shape.samples();
        let own = self.heights[column];
        let up = self.shape.len() + column * n;
        let vertical = &self.weights[up..up + n];
        out[0] = vertical[1];
        for (o, w) in out[1..].iter_mut().zip(vertical[1..].windows(2)) {
            *o = w[0] + w[1];
        }
        out[n - 1] = vertical[n - 1] + vertical[0];
        for side in self.sides(column).iter().flatten() {
            if side.heights == own {
                for (o, w) in out.iter_mut().zip(&self.weights[side.face..side.face + n]) {
                    *o += *w;
                }
            } else {
                let column_top = side.heights[1].min(own[1]) + self.shape.regular as i32;
                let first = if is_tall(own) { 2 } else { 0 };
                for (sample, o) in out.iter_mut().enumerate().skip(first) {
                    let y = own[1] + sample as i32 - 2;
                    if y >= side.overlap[0] && y < column_top {
                        *o += self.face_weight(side, y);
                    }
                }
            }
        }
    }
}

/// Cells `lo..hi` of a column that have a cell of the neighbour beside them, and by how much its index is larger.
#[inline(always)]
fn overlap_of_cells(own: Heights, other: Heights, first: usize, end: usize, samples: usize) -> (usize, usize, isize) {
    let shift = own[1] - other[1];
    let other_first = if is_tall(other) { 2 } else { 0 };
    let lo = (first as i32).max(other_first - shift);
    let hi = (end as i32).min(samples as i32 - shift);
    (lo as usize, hi.max(0) as usize, shift as isize)
}

/// `sum[j] = p[j−1] + p[j+1]`.
#[inline(always)]
fn vertical_sums<T: Real>(p: &[T], first: usize, end: usize, sum: &mut [T]) {
    let n = p.len();
    let inner = (first.max(1), end.min(n - 1));
    if inner.0 < inner.1 {
        let (below, above) = (&p[inner.0 - 1..inner.1 - 1], &p[inner.0 + 1..inner.1 + 1]);
        for ((s, a), b) in sum[inner.0..inner.1].iter_mut().zip(below).zip(above) {
            *s = *a + *b;
        }
    }
    if first == 0 {
        sum[0] = p[1];
    }
    if end == n {
        sum[n - 1] = p[n - 2];
    }
}

/// `sum[j] = w[j] p[j−1] + w[j+1] p[j+1]`.
#[inline(always)]
fn weighted_vertical_sums<T: Real>(p: &[T], w: &[T], first: usize, end: usize, sum: &mut [T]) {
    let n = p.len();
    let inner = (first.max(1), end.min(n - 1));
    if inner.0 < inner.1 {
        let (below, above) = (&p[inner.0 - 1..inner.1 - 1], &p[inner.0 + 1..inner.1 + 1]);
        let (lower, upper) = (&w[inner.0..inner.1], &w[inner.0 + 1..inner.1 + 1]);
        for ((((s, a), b), l), u) in sum[inner.0..inner.1].iter_mut().zip(below).zip(above).zip(lower).zip(upper) {
            *s = *l * *a + *u * *b;
        }
    }
    if first == 0 {
        sum[0] = w[1] * p[1];
    }
    if end == n {
        sum[n - 1] = w[n - 1] * p[n - 2];
    }
}

/// A linear function of the world cell.
#[derive(Debug, Clone, Copy)]
struct Line<T> {
    start: T,
    slope: T,
    origin: i32,
}

impl<T: Real> Line<T> {
    /// The hat functions of a tall cell: 1 at the bottom sample, 1 at the top sample.
    #[inline(always)]
    fn of_tall(heights: Heights) -> [Self; 2] {
        let slope = T::one() / T::of(f64::from(heights[1] - heights[0] - 1));
        [
            Self { start: T::one(), slope: -slope, origin: heights[0] },
            Self { start: T::zero(), slope, origin: heights[0] },
        ]
    }

    /// The value at a world cell.
    #[inline(always)]
    fn at(self, y: i32) -> T {
        self.start + self.slope * T::of(f64::from(y - self.origin))
    }

    /// The same line counted from another origin.
    #[inline(always)]
    fn from(self, origin: i32) -> Self {
        Self { start: self.at(origin), slope: self.slope, origin }
    }
}

/// `Σ_{m<count} w f g` of three lines with the same origin, in closed form.
#[inline(always)]
fn weighted_product<T: Real>(w: Line<T>, f: Line<T>, g: Line<T>, count: i32) -> T {
    let n = f64::from(count);
    let s1 = n * (n - 1.0) * 0.5;
    let s2 = s1 * (2.0 * n - 1.0) / 3.0;
    let s3 = s1 * s1;
    let [s0, s1, s2, s3] = [n, s1, s2, s3].map(T::of);
    let (c0, c1, c2) = (f.start * g.start, f.start * g.slope + f.slope * g.start, f.slope * g.slope);
    w.start * (c0 * s0 + c1 * s1 + c2 * s2) + w.slope * (c0 * s1 + c1 * s2 + c2 * s3)
}
