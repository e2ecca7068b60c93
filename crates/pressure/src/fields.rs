//! What the matrix is made from: level set, solid fraction and open fractions of faces, on one level.

use thalweg_columns::grid::{Place, face_base, face_heights, first_cell, is_tall, place};
use thalweg_columns::{GridError, Heights, Real, Shape};

/// Level set, solids and openings of one level. Lengths count in cells of that level.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields<T> {
    /// Signed distance to the water surface per sample in cells, negative in water.
    pub phi: Vec<T>,
    /// Solid fraction per sample, 0 to 1.
    pub solid: Vec<T>,
    /// Open fraction of every face, 0 to 1: x faces, then y faces, then z faces, in the layout of
    /// [`LevelView::weights`](crate::LevelView).
    pub open: Vec<T>,
    /// Conductance to bubbles that have become too small for this level, per sample; empty where there are none.
    pub sink: Vec<T>,
}

/// A borrowed level of fields.
#[derive(Debug, Clone, Copy)]
pub struct FieldView<'a, T> {
    /// Columns and samples.
    pub shape: Shape,
    /// `[H, T]` per column.
    pub heights: &'a [Heights],
    /// See [`Fields::phi`].
    pub phi: &'a [T],
    /// See [`Fields::solid`].
    pub solid: &'a [T],
    /// See [`Fields::open`].
    pub open: &'a [T],
    /// See [`Fields::sink`].
    pub sink: &'a [T],
}

impl<T: Real> Fields<T> {
    /// Fields of an open domain: no solids, every face open, water where `phi` (in metres) is negative.
    pub fn open_water(grid: &thalweg_columns::ColumnGrid, phi: &[T]) -> Result<Self, GridError> {
        let len = grid.shape.len();
        if phi.len() != len {
            return Err(GridError::Length { what: "phi", found: phi.len(), expected: len });
        }
        if let Some(index) = phi.iter().position(|v| !v.is_finite()) {
            return Err(GridError::NotFinite { what: "phi", index });
        }
        let scale = T::of(1.0 / grid.cell);
        Ok(Self {
            phi: phi.iter().map(|v| *v * scale).collect(),
            solid: vec![T::zero(); len],
            open: vec![T::one(); 3 * len],
            sink: Vec::new(),
        })
    }

    /// Borrows the fields together with their grid.
    pub fn view<'a>(&'a self, shape: Shape, heights: &'a [Heights]) -> FieldView<'a, T> {
        FieldView { shape, heights, phi: &self.phi, solid: &self.solid, open: &self.open, sink: &self.sink }
    }
}

impl<T: Real> FieldView<'_, T> {
    /// Level set and solid fraction of a column at a world cell. Terrain is solid; above the column is air, or solid
    /// under a closed lid.
    #[inline(always)]
    pub(crate) fn at(&self, column: usize, y: i32) -> (T, T) {
        let n = self.shape.samples();
        let base = column * n;
        match place::<T>(self.heights[column], n, y) {
            Place::Terrain => (self.phi[base], T::one()),
            Place::Tall(t) => {
                let mix = |f: &[T]| f[base] + (f[base + 1] - f[base]) * t;
                (mix(self.phi), mix(self.solid))
            }
            Place::Cell(j) => (self.phi[base + j], self.solid[base + j]),
            Place::Above => {
                let last = self.heights[column][1] + n as i32 - 3;
                let phi = self.phi[base + n - 1].max(T::zero()) + T::of(f64::from(y - last));
                (phi, T::one() - self.open[self.shape.len() + base])
            }
        }
    }

    /// Conductance of a face between two level set values: open fraction, ghost fluid at the surface
    /// (\[000\] eq. 16, as one number per face).
    #[inline(always)]
    fn conductance(open: T, a: T, b: T, theta_min: T) -> T {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        // 1/θ with θ = φ_liquid / (φ_liquid − φ_air), at most 1/θ_min.
        let ghost = (T::one() - high / low).min(T::one() / theta_min);
        let zero = T::zero();
        open * if high < zero {
            T::one()
        } else if low < zero {
            ghost
        } else {
            zero
        }
    }

    /// World cell of entry `sample` of the face column between two columns, if there is a face.
    #[inline(always)]
    fn side_cell(&self, a: usize, b: usize, sample: usize) -> Option<i32> {
        let (ha, hb) = (self.heights[a], self.heights[b]);
        let overlap = face_heights(ha, hb);
        let y = match sample {
            0 => overlap[0],
            1 => (overlap[1] - 1).max(overlap[0]),
            _ => face_base(overlap) + sample as i32 - 2,
        };
        let exists =
            if sample < 2 { overlap[1] > overlap[0] } else { y < ha[1].min(hb[1]) + self.shape.regular as i32 };
        exists.then_some(y)
    }

    /// Whether there is liquid on both sides of a side face.
    fn is_between_liquid(&self, a: usize, b: usize, sample: usize) -> bool {
        self.side_cell(a, b, sample).is_some_and(|y| {
            [a, b].iter().all(|c| {
                let (phi, solid) = self.at(*c, y);
                phi < T::zero() && solid < T::one()
            })
        })
    }

    /// Conductance of the side face `sample` of the face column between two columns.
    #[inline(always)]
    fn side_conductance(&self, face: usize, a: usize, b: usize, sample: usize, theta_min: T) -> T {
        let Some(y) = self.side_cell(a, b, sample) else {
            return T::zero();
        };
        let ((phi_a, solid_a), (phi_b, solid_b)) = (self.at(a, y), self.at(b, y));
        if solid_a >= T::one() || solid_b >= T::one() {
            return T::zero();
        }
        Self::conductance(self.open[face + sample], phi_a, phi_b, theta_min)
    }

    /// Conductance of entry `sample` of one of the three planes of faces (x, y, z) at a column.
    #[inline(always)]
    pub(crate) fn weight(&self, plane: usize, column: usize, sample: usize, theta_min: T) -> T {
        let n = self.shape.samples();
        let (nx, len) = (self.shape.nx, self.shape.len());
        let face = plane * len + column * n;
        match plane {
            0 if column.is_multiple_of(nx) => T::zero(),
            0 => self.side_conductance(face, column - 1, column, sample, theta_min),
            2 if column < nx => T::zero(),
            2 => self.side_conductance(face, column - nx, column, sample, theta_min),
            _ => self.vertical_conductance(face, column, sample, theta_min),
        }
    }

    /// The whole line of [`Self::weight`] of one column. Returns how many faces between liquid are not fully open.
    #[inline(always)]
    pub(crate) fn weight_line(&self, plane: usize, column: usize, theta_min: T, out: &mut [T]) -> usize {
        let mut partly_open = 0;
        let tall = is_tall(self.heights[column]);
        // The ends of an overlap of tall cells and the inside of a tall cell are no faces of cells.
        let first = if tall { 2 } else { 0 };
        let between = |a: T, b: T, open: T| usize::from(a < T::zero() && b < T::zero() && open != T::one());
        let n = self.shape.samples();
        let nx = self.shape.nx;
        let other = match plane {
            0 => (!column.is_multiple_of(nx)).then(|| column - 1),
            2 => (column >= nx).then(|| column - nx),
            _ => Some(column),
        };
        let face = plane * self.shape.len() + column * n;
        match other {
            Some(other) if plane != 1 && self.heights[other] == self.heights[column] => {
                // Equal heights: samples, faces and neighbours have the same index.
                let (a, b) = (other * n..(other + 1) * n, column * n..(column + 1) * n);
                let phi = self.phi[a.clone()].iter().zip(&self.phi[b.clone()]);
                let solid = self.solid[a].iter().zip(&self.solid[b]);
                let open = &self.open[face..face + n];
                for (((w, (pa, pb)), (sa, sb)), o) in out.iter_mut().zip(phi).zip(solid).zip(open) {
                    let weight = Self::conductance(*o, *pa, *pb, theta_min);
                    let free = *sa < T::one() && *sb < T::one();
                    *w = if free { weight } else { T::zero() };
                    partly_open += if free { between(*pa, *pb, *o) } else { 0 };
                }
                if tall {
                    let ends =
                        |s: usize| between(self.phi[other * n + s], self.phi[column * n + s], self.open[face + s]);
                    let free = |s: usize| self.solid[other * n + s] < T::one() && self.solid[column * n + s] < T::one();
                    partly_open -= (0..2).filter(|s| free(*s)).map(ends).sum::<usize>();
                }
            }
            Some(_) if plane == 1 => {
                let phi = &self.phi[column * n..(column + 1) * n];
                let solid = &self.solid[column * n..(column + 1) * n];
                let open = &self.open[face + 1..face + n];
                let pairs = phi.windows(2).zip(solid.windows(2));
                for ((w, (p, s)), o) in out[1..].iter_mut().zip(pairs).zip(open) {
                    let weight = Self::conductance(*o, p[0], p[1], theta_min);
                    let free = s[0] < T::one() && s[1] < T::one();
                    *w = if free { weight } else { T::zero() };
                    partly_open += if free { between(p[0], p[1], *o) } else { 0 };
                }
                if tall && solid[0] < T::one() && solid[1] < T::one() {
                    partly_open -= between(phi[0], phi[1], self.open[face + 1]);
                }
                for (sample, w) in out.iter_mut().enumerate().take(2) {
                    *w = self.vertical_conductance(face, column, sample, theta_min);
                }
            }
            _ => {
                for (sample, w) in out.iter_mut().enumerate() {
                    *w = self.weight(plane, column, sample, theta_min);
                    let of_cells = other.is_some_and(|o| sample >= first || !is_tall(self.heights[o]));
                    if let (true, Some(other)) = (of_cells && *w != T::one(), other)
                        && self.is_between_liquid(other, column, sample)
                    {
                        partly_open += 1;
                    }
                }
            }
        }
        partly_open
    }

    #[inline(always)]
    fn vertical_conductance(&self, face: usize, column: usize, sample: usize, theta_min: T) -> T {
        let n = self.shape.samples();
        let base = column * n;
        let own = self.heights[column];
        let (lower, upper) = match sample {
            0 => (n - 1, n),
            _ => (sample - 1, sample),
        };
        let above = self.phi[base + n - 1].max(T::zero()) + T::one();
        let phi_upper = if upper == n { above } else { self.phi[base + upper] };
        let solid_upper = if upper == n { T::zero() } else { self.solid[base + upper] };
        if self.solid[base + lower] >= T::one() || solid_upper >= T::one() {
            return T::zero();
        }
        let weight = Self::conductance(self.open[face + sample], self.phi[base + lower], phi_upper, theta_min);
        // The inside of a tall cell is h − 1 faces in a row.
        if sample == 1 { weight / T::of(f64::from(own[1] - own[0] - 1)) } else { weight }
    }

    /// Open fraction of the side face at a world cell: closed in terrain, as the lids say above the columns.
    #[inline(always)]
    fn side_open(&self, face: usize, a: usize, b: usize, y: i32) -> T {
        let n = self.shape.samples();
        let overlap = face_heights(self.heights[a], self.heights[b]);
        if y < overlap[0] {
            return T::zero();
        }
        if y < overlap[1] {
            let (first, last) = (self.open[face], self.open[face + 1]);
            let span = overlap[1] - overlap[0] - 1;
            if span <= 0 {
                return first;
            }
            return first + (last - first) * T::of(f64::from(y - overlap[0]) / f64::from(span));
        }
        let index = (y - face_base(overlap) + 2) as usize;
        if index < n {
            return self.open[face + index];
        }
        let lids = self.shape.len();
        self.open[lids + a * n].min(self.open[lids + b * n])
    }

    /// Open fraction of the horizontal face below a world cell.
    #[inline(always)]
    pub(crate) fn vertical_open(&self, column: usize, y: i32) -> T {
        let n = self.shape.samples();
        let base = self.shape.len() + column * n;
        let [bottom, top] = self.heights[column];
        if y <= bottom {
            T::zero()
        } else if y < top {
            self.open[base + 1]
        } else if y < top + n as i32 - 2 {
            self.open[base + (y - top + 2) as usize]
        } else {
            self.open[base]
        }
    }

    /// Sum of [`Self::vertical_open`] at `2y` over the inner faces `y` of a coarse tall cell, without walking through
    /// the fine one.
    #[inline(always)]
    pub(crate) fn even_vertical_open_sum(&self, column: usize, coarse: Heights) -> T {
        let [bottom, top] = self.heights[column];
        let (lo, hi) = (coarse[0] + 1, coarse[1]);
        // Inside the fine tall cell: bottom < 2y < top.
        let from = lo.max(bottom.div_euclid(2) + 1);
        let to = hi.min((top + 1).div_euclid(2));
        let inside = (to - from).max(0);
        let mut sum = self.open[self.shape.len() + column * self.shape.samples() + 1] * T::of(f64::from(inside));
        for y in lo.max((top + 1).div_euclid(2))..hi {
            sum += self.vertical_open(column, 2 * y);
        }
        sum
    }

    /// Sum of [`Self::side_open`] over `lo ≤ y < hi` without walking through tall overlaps.
    pub(crate) fn side_open_sum(&self, face: usize, a: usize, b: usize, lo: i32, hi: i32) -> T {
        let overlap = face_heights(self.heights[a], self.heights[b]);
        let (from, to) = (lo.max(overlap[0]), hi.min(overlap[1]));
        let mut sum = T::zero();
        if from < to {
            let ends = self.side_open(face, a, b, from) + self.side_open(face, a, b, to - 1);
            sum += ends * T::of(0.5 * f64::from(to - from));
        }
        for y in lo.max(face_base(overlap))..hi {
            sum += self.side_open(face, a, b, y);
        }
        sum
    }
}

impl<T: Real> FieldView<'_, T> {
    /// The bubble sink of a column at a world cell.
    #[inline(always)]
    pub(crate) fn sink_at(&self, column: usize, y: i32) -> T {
        let n = self.shape.samples();
        match place::<T>(self.heights[column], n, y) {
            Place::Cell(j) if !self.sink.is_empty() => self.sink[column * n + j],
            Place::Terrain | Place::Tall(_) | Place::Above | Place::Cell(_) => T::zero(),
        }
    }
}

/// Whether the sample of a column is a cell of its own (not the end of a tall cell).
#[inline(always)]
pub(crate) fn is_cell(heights: Heights, sample: usize) -> bool {
    sample >= 2 || first_cell(heights) == heights[0]
}
