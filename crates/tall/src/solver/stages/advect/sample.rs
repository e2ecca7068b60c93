//! Velocities at points between columns.
//!
//! Columns around a point mostly hold single cells at its height: then a value is two entries of a line, found without
//! asking where tall cells and tops are.

use thalweg_columns::around::columns_around;
use thalweg_columns::grid::{face_base, is_tall};
use thalweg_columns::interpolate::{Pair, SideSpan, line_pair, sample_pair, vertical_value};
use thalweg_columns::{Heights, Shape};

/// A point in cells.
pub(crate) type Point = [f32; 3];

/// A vector at a sample; the last component is unused.
pub(crate) type Vector = [f32; 4];

/// Velocities at points.
pub(crate) trait Field {
    fn at(&self, point: Point) -> Vector;
}

#[inline(always)]
fn each(value: impl Fn(usize) -> f32) -> Vector {
    std::array::from_fn(value)
}

/// Velocities at samples.
#[derive(Clone, Copy)]
pub(crate) struct Centres<'a> {
    pub(crate) shape: Shape,
    pub(crate) heights: &'a [Heights],
    pub(crate) values: &'a [Vector],
}

impl Centres<'_> {
    /// The entries of the four columns around a point, each with its share.
    #[inline(always)]
    fn pairs(&self, point: Point) -> [(usize, f32, Pair); 4] {
        let n = self.shape.samples();
        let columns = columns_around(self.shape, point);
        let heights = columns.map(|(column, _)| self.heights[column]);
        let mut pair = sample_pair(heights[0], n, point[1]);
        let same = heights[1] == heights[0] && heights[2] == heights[0] && heights[3] == heights[0];
        std::array::from_fn(|corner| {
            let (column, weight) = columns[corner];
            if !same && corner > 0 {
                pair = sample_pair(heights[corner], n, point[1]);
            }
            (column * n + pair.lower, weight, pair)
        })
    }

    /// The smallest and the largest of the values that the one at a point is made of.
    #[inline(always)]
    pub(super) fn range(&self, point: Point) -> [Vector; 2] {
        let mut range = [[f32::INFINITY; 4], [f32::NEG_INFINITY; 4]];
        for (at, _, _) in self.pairs(point) {
            let line = &self.values[at..at + 2];
            let (low, high) = (line[0], line[1]);
            range = [each(|c| range[0][c].min(low[c].min(high[c]))), each(|c| range[1][c].max(low[c].max(high[c])))];
        }
        range
    }

    /// The tall lines of the columns around a point; cells where a column has no tall cell.
    pub(super) fn of_lines(&self, point: Point) -> Vector {
        let n = self.shape.samples();
        let mut sum = [0.0; 4];
        for (column, weight) in columns_around(self.shape, point) {
            let heights = self.heights[column];
            let pair = if is_tall(heights) { line_pair(heights, point[1]) } else { sample_pair(heights, n, point[1]) };
            let line = &self.values[column * n + pair.lower..][..2];
            sum = each(|c| sum[c] + weight * (line[0][c] + (line[1][c] - line[0][c]) * pair.share));
        }
        sum
    }

    /// The velocity at a sample, with the bits that [`Self::at`] gives at its place.
    #[inline(always)]
    pub(super) fn at_sample(&self, column: usize, sample: usize, place: Point) -> Vector {
        let n = self.shape.samples();
        // The others are ends of lines there, which round.
        if sample >= 2 && sample + 1 < n { self.values[column * n + sample] } else { self.at(place) }
    }
}

impl Field for Centres<'_> {
    #[inline(always)]
    fn at(&self, point: Point) -> Vector {
        let mut sum = [0.0; 4];
        for (at, weight, pair) in self.pairs(point) {
            let line = &self.values[at..at + 2];
            let (low, high) = (line[0], line[1]);
            sum = each(|c| sum[c] + weight * (low[c] + (high[c] - low[c]) * pair.share));
        }
        sum
    }
}

/// Velocities of faces.
#[derive(Clone, Copy)]
pub(crate) struct FaceField<'a> {
    pub(crate) shape: Shape,
    pub(crate) heights: &'a [Heights],
    pub(crate) faces: &'a [f32],
    pub(crate) inner: &'a [f32],
}

/// Where a point lies among the face columns of a side plane. Along its own axis faces lie at halves.
#[derive(Clone, Copy)]
struct Across {
    plane: usize,
    /// Face columns along the normal, and columns from one to the next.
    size: usize,
    step: usize,
}

impl FaceField<'_> {
    /// Face column number `f` along the normal, the one that `column` holds; the far side of the grid is a wall.
    #[inline(always)]
    fn side_value(&self, way: Across, f: usize, column: usize, y: f32, below: i32) -> f32 {
        if f == way.size {
            return 0.0;
        }
        let n = self.shape.samples();
        let before = if f > 0 { column - way.step } else { column };
        let span = SideSpan::new(self.heights[before], self.heights[column], n);
        let start = way.plane * self.shape.len() + column * n;
        let entry = below - face_base(span.run);
        if entry >= 0 && entry + 1 < span.regular {
            let line = &self.faces[start + entry as usize + 2..][..2];
            return line[0] + (line[1] - line[0]) * (y - below as f32);
        }
        span.value(&self.faces[start..start + n], y)
    }

    /// A component across a side plane: bilinear between four face columns.
    #[inline(always)]
    fn side(&self, plane: usize, across: f32, along: f32, y: f32, below: i32) -> f32 {
        let Shape { nx, nz, .. } = self.shape;
        let (size, other, step, along_step) = if plane == 0 { (nx, nz, 1, nx) } else { (nz, nx, nx, 1) };
        let across = (across + 0.5).clamp(0.0, size as f32);
        let along = along.clamp(0.0, (other - 1) as f32);
        let (f, a) = ((across as i32 as usize).min(size - 1), along as i32 as usize);
        let (ff, fa) = (across - f as i32 as f32, along - a as i32 as f32);
        let way = Across { plane, size, step };
        let column = f * step + a * along_step;
        let near = self.side_value(way, f, column, y, below) * (1.0 - ff)
            + self.side_value(way, f + 1, column + step, y, below) * ff;
        if fa <= 0.0 {
            return near;
        }
        let column = f * step + (a + 1).min(other - 1) * along_step;
        let far = self.side_value(way, f, column, y, below) * (1.0 - ff)
            + self.side_value(way, f + 1, column + step, y, below) * ff;
        near * (1.0 - fa) + far * fa
    }

    #[inline(always)]
    fn vertical(&self, column: usize, y: f32, below: i32) -> f32 {
        let n = self.shape.samples();
        let start = self.shape.len() + column * n;
        let entry = below - self.heights[column][1] + 2;
        if entry >= 2 && entry + 1 < n as i32 {
            let line = &self.faces[start + entry as usize..][..2];
            return line[0] + (line[1] - line[0]) * (y + 0.5 - below as f32);
        }
        vertical_value(&self.faces[start..start + n], self.inner[column], self.heights[column], y)
    }
}

impl Field for FaceField<'_> {
    #[inline(always)]
    fn at(&self, point: Point) -> Vector {
        let [x, y, z] = point;
        let below = (y + 0.5).floor() as i32;
        let mut v = 0.0;
        for (column, weight) in columns_around(self.shape, point) {
            if weight > 0.0 {
                v += weight * self.vertical(column, y, below);
            }
        }
        let below = y.floor() as i32;
        [self.side(0, x, z, y, below), v, self.side(2, z, x, y, below), 0.0]
    }
}
