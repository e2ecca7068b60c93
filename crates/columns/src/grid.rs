//! The column grid: cubic cells near the surface, one tall cell of linear profile below them.
//!
//! A column stands on terrain of `H` cells and holds `2 + regular` samples: the bottom and the top of its tall
//! cell, then one per regular cell. `T` is the world index of the first regular cell, so the tall cell is
//! `h = T − H ≥ 2` cells high. A tall cell of height two *is* two cubic cells: a uniform grid is the grid with
//! `T = H + 2` everywhere, and needs no code of its own.
//!
//! | index | world cell `y` |
//! | --- | --- |
//! | 0 | `H` |
//! | 1 | `T − 1` |
//! | `j ≥ 2` | `T + j − 2` |
//!
//! (\[000\] eq. 4–6, indices from 0 and with the errors of the print removed.) In memory a column is contiguous,
//! columns follow each other along x, then along z.

use crate::Real;

/// How many columns, and how many samples in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Columns along x.
    pub nx: usize,
    /// Columns along z; 1 is a vertical slice.
    pub nz: usize,
    /// Regular cells of a column, at least 1.
    pub regular: usize,
}

impl Shape {
    /// Samples of one column.
    pub fn samples(&self) -> usize {
        self.regular + 2
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.nx * self.nz
    }

    /// Samples of the whole grid.
    pub fn len(&self) -> usize {
        self.columns() * self.samples()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shape of the next coarser level: every axis halved and rounded up.
    pub fn coarser(&self) -> Self {
        Self { nx: self.nx.div_ceil(2), nz: self.nz.div_ceil(2), regular: self.regular.div_ceil(2) }
    }
}

/// Heights of one column in cells: `[H, T]`.
pub type Heights = [i32; 2];

/// World index of the first sample that is a cell of its own: `T` above a tall cell, `H` where the tall cell is
/// two cubic cells.
#[inline(always)]
pub fn first_cell(heights: Heights) -> i32 {
    if is_tall(heights) { heights[1] } else { heights[0] }
}

/// Whether the two lower samples span more than two cells.
#[inline(always)]
pub fn is_tall(heights: Heights) -> bool {
    heights[1] - heights[0] > 2
}

/// The world cell of a sample, \[000\] eq. 4.
#[inline(always)]
pub fn world_cell(heights: Heights, sample: usize) -> i32 {
    match sample {
        0 => heights[0],
        1 => heights[1] - 1,
        _ => heights[1] + sample as i32 - 2,
    }
}

/// First sample of a column that is a cell of its own.
#[inline(always)]
pub fn first_sample(heights: Heights) -> usize {
    if is_tall(heights) { 2 } else { 0 }
}

/// Whether a world cell is part of a column: over its terrain and under its top.
#[inline(always)]
pub fn has_cell([bottom, top]: Heights, samples: usize, y: i32) -> bool {
    y >= bottom && y < top + samples as i32 - 2
}

/// The neighbours of a column, in the order -x, +x, -z, +z.
#[inline(always)]
pub fn neighbours(shape: Shape, column: usize) -> [Option<usize>; 4] {
    let (i, k) = (column % shape.nx, column / shape.nx);
    [
        (i > 0).then(|| column - 1),
        (i + 1 < shape.nx).then(|| column + 1),
        (k > 0).then(|| column - shape.nx),
        (k + 1 < shape.nz).then(|| column + shape.nx),
    ]
}

/// Where a world cell lies in a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place<T> {
    /// Inside the terrain.
    Terrain,
    /// Inside the tall cell, at this share of the way from its bottom to its top sample.
    Tall(T),
    /// A sample of its own.
    Cell(usize),
    /// Above the column: air.
    Above,
}

/// Decodes a world cell, \[000\] eq. 5 and 6.
#[inline(always)]
pub fn place<T: Real>(heights: Heights, samples: usize, y: i32) -> Place<T> {
    let [bottom, top] = heights;
    if y < bottom {
        Place::Terrain
    } else if y < first_cell(heights) {
        Place::Tall(T::of(f64::from(y - bottom)) / T::of(f64::from(top - bottom - 1)))
    } else if y < top + samples as i32 - 2 {
        Place::Cell((y - top + 2) as usize)
    } else {
        Place::Above
    }
}

/// Heights of the face column between two neighbouring columns: `[H_f, T_f]`, the cells below the tall tops of both
/// and above the terrain of both. Its samples are the two ends of that overlap, then one per face from
/// `max(H_f, T_f)` up to the lower of the two column tops.
#[inline(always)]
pub fn face_heights(a: Heights, b: Heights) -> Heights {
    [a[0].max(b[0]), a[1].min(b[1])]
}

/// World index of the face that is sample 2 of a face column.
#[inline(always)]
pub fn face_base(face: Heights) -> i32 {
    face[0].max(face[1])
}

/// A grid of columns with its heights.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnGrid {
    /// Columns and samples.
    pub shape: Shape,
    /// Edge of a cubic cell, m.
    pub cell: f64,
    /// `[H, T]` of every column, in cells.
    pub heights: Vec<Heights>,
}

/// Why a grid cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GridError {
    /// No columns or no cells.
    #[error("the grid has no cells ({nx} × {nz} columns of {regular} regular cells): every size must be at least 1")]
    Empty {
        /// Columns along x.
        nx: usize,
        /// Columns along z.
        nz: usize,
        /// Regular cells of a column.
        regular: usize,
    },
    /// The cell size is not a positive number.
    #[error("the cell size {0} m is not a positive number")]
    Cell(f64),
    /// A list does not have one entry per column, sample or face.
    #[error("{what} has {found} entries, the grid needs {expected}")]
    Length {
        /// Which list.
        what: &'static str,
        /// Entries given.
        found: usize,
        /// Entries needed.
        expected: usize,
    },
    /// A tall cell is lower than two cells.
    #[error("column ({x}, {z}) has a tall cell of {height} cells: it must be at least 2 high, a dry column has 2")]
    TallCell {
        /// Column along x.
        x: usize,
        /// Column along z.
        z: usize,
        /// Height in cells.
        height: i32,
    },
    /// More samples than an index can hold.
    #[error("{0} samples are more than the 2³¹ that one grid may hold; use larger cells or fewer regular cells")]
    TooLarge(u128),
    /// A field holds a value that is not a number.
    #[error("{what} is not finite at entry {index}")]
    NotFinite {
        /// Which field.
        what: &'static str,
        /// Where.
        index: usize,
    },
}

impl ColumnGrid {
    /// Checks and builds a grid from terrain heights and tall cell heights, both in cells.
    pub fn new(shape: Shape, cell: f64, terrain: &[i32], tall: &[i32]) -> Result<Self, GridError> {
        let Shape { nx, nz, regular } = shape;
        if nx == 0 || nz == 0 || regular == 0 {
            return Err(GridError::Empty { nx, nz, regular });
        }
        let samples = nx as u128 * nz as u128 * (regular as u128 + 2);
        if samples >= 1 << 31 {
            return Err(GridError::TooLarge(samples));
        }
        if !(cell.is_finite() && cell > 0.0) {
            return Err(GridError::Cell(cell));
        }
        for (what, list) in [("terrain height", terrain), ("tall cell height", tall)] {
            if list.len() != shape.columns() {
                return Err(GridError::Length { what, found: list.len(), expected: shape.columns() });
            }
        }
        let mut heights = Vec::with_capacity(shape.columns());
        for (column, (&h0, &h)) in terrain.iter().zip(tall).enumerate() {
            if h < 2 {
                return Err(GridError::TallCell { x: column % nx, z: column / nx, height: h });
            }
            heights.push([h0, h0 + h]);
        }
        Ok(Self { shape, cell, heights })
    }

    /// A uniform grid of `nx × ny × nz` cubic cells on flat ground, `ny ≥ 3`.
    pub fn uniform(nx: usize, ny: usize, nz: usize, cell: f64) -> Result<Self, GridError> {
        let shape = Shape { nx, nz, regular: ny.saturating_sub(2) };
        let columns = nx.saturating_mul(nz);
        Self::new(shape, cell, &vec![0; columns], &vec![2; columns])
    }

    /// World cell of a sample.
    pub fn world_cell(&self, column: usize, sample: usize) -> i32 {
        world_cell(self.heights[column], sample)
    }

    /// Samples a field at a point, given in units of cells with cell centres at integers (`x/Δx − ½`, …).
    ///
    /// Along y first: each of the four columns around the point gives one value from two consecutive samples
    /// (\[000\] §3.8), then bilinear in x and z. `above` says what lies over the top of a column, from the top
    /// value and the distance above it in cells; outside the grid sideways the nearest column counts.
    pub fn sample<T: Real>(&self, field: &[T], point: [f64; 3], above: impl Fn(T, T) -> T) -> T {
        let clamp = |v: f64, n: usize| v.clamp(0.0, (n - 1) as f64);
        let (gx, gz) = (clamp(point[0], self.shape.nx), clamp(point[2], self.shape.nz));
        let (i, k) = (gx as usize, gz as usize);
        let (fx, fz) = (T::of(gx - i as f64), T::of(gz - k as f64));
        let (i1, k1) = ((i + 1).min(self.shape.nx - 1), (k + 1).min(self.shape.nz - 1));
        let value = |i: usize, k: usize| self.sample_column(field, i + k * self.shape.nx, point[1], &above);
        let near = value(i, k) * (T::one() - fx) + value(i1, k) * fx;
        let far = value(i, k1) * (T::one() - fx) + value(i1, k1) * fx;
        near * (T::one() - fz) + far * fz
    }

    /// The value of one column at height `gy` (cell centres at integers).
    fn sample_column<T: Real>(&self, field: &[T], column: usize, gy: f64, above: &impl Fn(T, T) -> T) -> T {
        let n = self.shape.samples();
        let line = &field[column * n..(column + 1) * n];
        let [bottom, top] = self.heights[column].map(f64::from);
        let last = top + n as f64 - 3.0;
        let (lower, share) = if gy <= top - 1.0 {
            (0, ((gy - bottom) / (top - 1.0 - bottom)).clamp(0.0, 1.0))
        } else if gy < last {
            let below = (gy - top).floor();
            ((below + 2.0) as usize, gy - top - below)
        } else {
            return if gy == last { line[n - 1] } else { above(line[n - 1], T::of(gy - last)) };
        };
        line[lower] + (line[lower + 1] - line[lower]) * T::of(share)
    }

    /// The next coarser grid. It covers this one: `2H' ≤ H` and `2(T' + B') ≥ T + B` in every column, odd sizes
    /// included (\[000\] §3.3.1 with the rounding of \[003\]).
    pub fn coarser(&self) -> Self {
        let shape = self.shape.coarser();
        let mut heights = Vec::with_capacity(shape.columns());
        for k in 0..shape.nz {
            for i in 0..shape.nx {
                heights.push(coarse_heights(&self.heights, self.shape, i, k));
            }
        }
        Self { shape, cell: 2.0 * self.cell, heights }
    }
}

/// Heights of the coarse column over (up to) four fine ones.
pub fn coarse_heights(fine: &[Heights], shape: Shape, i: usize, k: usize) -> Heights {
    let mut bottom = i32::MAX;
    let mut top = i32::MIN;
    for kk in 2 * k..(2 * k + 2).min(shape.nz) {
        for ii in 2 * i..(2 * i + 2).min(shape.nx) {
            let [h, t] = fine[ii + kk * shape.nx];
            bottom = bottom.min(h);
            top = top.max(t);
        }
    }
    let bottom = bottom.div_euclid(2);
    let top = (top + 1).div_euclid(2);
    [bottom, top.max(bottom + 2)]
}
