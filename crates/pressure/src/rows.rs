//! The rows of the matrix on one level: what a sample takes from its neighbours.
//!
//! The matrix is `(A p)_i = Σ_f w_f (p_i − p_n)`: one conductance `w` per face, symmetric by construction. A face
//! between liquid samples conducts its open fraction, one to air `open/θ` with `p = 0` on the other side (ghost
//! fluid), all others nothing. Samples that are not unknowns hold `p = 0`, so no row asks what its neighbour is.
//!
//! A cell beside a tall cell takes the tall line's value at its own height. The rows of the tall cell itself are
//! where the two discretisations differ, see [`Discretisation`].

use thalweg_columns::grid::{face_base, face_heights, is_tall};
use thalweg_columns::{Heights, Real, Shape};
pub use thalweg_model::Discretisation;

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
pub(crate) struct Side {
    /// Which of the four it is: −x, +x, −z, +z.
    pub(crate) number: usize,
    pub(crate) heights: Heights,
    /// First entry of the face column in `weights`.
    pub(crate) face: usize,
    /// `[H_f, T_f]`.
    pub(crate) overlap: Heights,
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
    pub(crate) fn sides(&self, column: usize) -> [Option<Side>; 4] {
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
    pub(crate) fn face_weight(&self, side: &Side, y: i32) -> T {
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
            self.side_sums(p, own, &sides, first, end, sum);
        } else {
            let up = self.shape.len() + column * n;
            weighted_vertical_sums(line, &self.weights[up..up + n], first, end, sum);
            self.side_sums(p, own, &sides, first, end, sum);
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

    /// The part of [`Self::neighbour_sums`] across side faces.
    #[inline(always)]
    fn side_sums(
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
                let values = &p.sides[side.number][from..from + hi - lo];
                if self.unit {
                    for (s, v) in sum[lo..hi].iter_mut().zip(values) {
                        *s += *v;
                    }
                } else {
                    let face = side.face + (own[1] + lo as i32 - face_base(side.overlap)) as usize;
                    for ((s, v), w) in sum[lo..hi].iter_mut().zip(values).zip(&self.weights[face..face + hi - lo]) {
                        *s += *v * *w;
                    }
                }
            }
            self.tall_neighbour(p, own, side, first, lo.min(end), sum);
        }
    }

    /// Adds what the cells `first..end` of a column take from the tall line of a neighbour.
    #[inline(always)]
    fn tall_neighbour(&self, p: &Lines<'_, T>, own: Heights, side: &Side, first: usize, end: usize, sum: &mut [T]) {
        if !is_tall(side.heights) {
            return;
        }
        let [bottom, top] = side.heights;
        let (p0, p1) = (p.sides[side.number][0], p.sides[side.number][1]);
        let slope = (p1 - p0) / T::of(f64::from(top - bottom - 1));
        for (j, s) in sum.iter_mut().enumerate().take(end).skip(first) {
            let y = own[1] + j as i32 - 2;
            if y >= bottom && y < top {
                let weight = if self.unit { T::one() } else { self.face_weight(side, y) };
                *s += weight * (p0 + slope * T::of(f64::from(y - bottom)));
            }
        }
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
    pub(crate) fn weight_at(&self, side: &Side, y: i32) -> T {
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
    pub(crate) fn value_at(&self, line: &[T], heights: Heights, y: i32) -> T {
        match thalweg_columns::grid::place::<T>(heights, line.len(), y) {
            thalweg_columns::grid::Place::Tall(t) => line[0] + (line[1] - line[0]) * t,
            thalweg_columns::grid::Place::Cell(j) => line[j],
            thalweg_columns::grid::Place::Terrain | thalweg_columns::grid::Place::Above => T::zero(),
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
        match thalweg_columns::grid::place::<T>(side.heights, self.shape.samples(), y) {
            thalweg_columns::grid::Place::Tall(t) => {
                visit(line, -weight * (T::one() - t));
                visit(line + 1, -weight * t);
            }
            thalweg_columns::grid::Place::Cell(j) => visit(line + j, -weight),
            thalweg_columns::grid::Place::Terrain | thalweg_columns::grid::Place::Above => {}
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
