//! Faces of cells that are cells of their own, and the slots that kernels go over.

use thalweg_columns::grid::{is_tall, world_cell};
use thalweg_columns::interpolate::SideSpan;
use thalweg_columns::{Heights, Shape};
use thalweg_solids::vector::{cross, minus, plus};

use super::{BodiesParams, CHUNK, word};

impl BodiesParams {
    pub(super) fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }

    /// The slots of a chunk that have an item: lane, item, level.
    pub(super) fn slots<'a>(
        &self,
        items: &'a [[i32; 4]],
        chunk: usize,
    ) -> impl Iterator<Item = (usize, &'a [i32; 4], usize)> {
        let [first, end, levels, begin] = items[self.items as usize + chunk].map(|v| v as usize);
        let slots = (0..CHUNK).map(move |lane| (lane, first + (begin + lane) / levels, (begin + lane) % levels));
        slots.filter(move |(_, item, _)| *item < end).map(|(lane, item, level)| (lane, &items[item], level))
    }
}

pub(super) fn vector(words: &[f32], at: usize) -> [f32; 3] {
    [words[at], words[at + 1], words[at + 2]]
}

/// The words of a body.
pub(super) fn body(bodies: &[f32], number: usize) -> &[f32] {
    &bodies[number * word::COUNT..][..word::COUNT]
}

/// The body that an obstacle belongs to, by its word.
pub(super) fn body_of(p: &BodiesParams, bodies: &[f32], owner: u32) -> Option<usize> {
    let number = bodies[p.bodies as usize * word::COUNT + (owner & 0xffff) as usize];
    (number >= 0.0).then_some(number as usize)
}

/// Velocity of a body at a point, m/s.
pub(super) fn velocity(words: &[f32], point: [f32; 3]) -> [f32; 3] {
    let arm = minus(point, vector(words, word::CENTRE));
    plus(vector(words, word::VELOCITY), cross(vector(words, word::RATES), arm))
}

/// A face of a cell that is a cell of its own.
pub(super) struct Face {
    /// Its entry among all faces.
    pub(super) at: usize,
    pub(super) axis: usize,
    /// 1 if the cell lies below it, −1 if above.
    pub(super) outward: f32,
}

/// Faces between columns that stand for one cell each.
pub(super) struct Lattice<'a> {
    pub(super) shape: Shape,
    pub(super) heights: &'a [Heights],
}

impl Lattice<'_> {
    /// The entry of the side face at a world cell, between a column and the one before it.
    fn side(&self, before: usize, column: usize, y: i32) -> Option<usize> {
        let span = SideSpan::new(self.heights[before], self.heights[column], self.shape.samples());
        span.single(y)
    }

    /// The middle of a cell, cells from the corner of the domain.
    pub(super) fn middle(&self, column: usize, y: i32) -> [f32; 3] {
        [(column % self.shape.nx) as f32 + 0.5, y as f32 + 0.5, (column / self.shape.nx) as f32 + 0.5]
    }

    /// The faces of a cell, in the order −x, +x, −y, +y, −z, +z; none where the domain ends or a run of faces has no
    /// entry of its own.
    pub(super) fn faces(&self, column: usize, sample: usize) -> [Option<Face>; 6] {
        let Shape { nx, nz, .. } = self.shape;
        let (n, len) = (self.shape.samples(), self.shape.len());
        let (i, k, y) = (column % nx, column / nx, world_cell(self.heights[column], sample));
        let face = |axis: usize, upper: bool, owner: usize, entry: usize| Face {
            at: axis * len + owner * n + entry,
            axis,
            outward: if upper { 1.0 } else { -1.0 },
        };
        let side = |axis: usize, upper: bool, before: usize, after: usize| {
            self.side(before, after, y).map(|entry| face(axis, upper, after, entry))
        };
        [
            if i > 0 { side(0, false, column - 1, column) } else { None },
            if i + 1 < nx { side(0, true, column, column + 1) } else { None },
            if sample > 0 { Some(face(1, false, column, sample)) } else { None },
            if sample + 1 < n { Some(face(1, true, column, sample + 1)) } else { None },
            if k > 0 { side(2, false, column - nx, column) } else { None },
            if k + 1 < nz { side(2, true, column, column + nx) } else { None },
        ]
    }

    /// Samples of a column between two world cells, the upper one included: those that are cells of their own, and the
    /// top of the tall cell.
    pub(super) fn samples(&self, column: usize, low: i32, high: i32) -> std::ops::Range<usize> {
        let (h, n) = (self.heights[column], self.shape.samples());
        let begin = low.max(if is_tall(h) { h[1] - 1 } else { h[0] });
        let end = (high + 1).min(h[1] + n as i32 - 2);
        if begin >= end {
            return 0..0;
        }
        let sample = |y: i32| if is_tall(h) || y >= h[1] { (y - h[1] + 2) as usize } else { (y - h[0]) as usize };
        sample(begin)..sample(end - 1) + 1
    }

    /// The sample at a level of an item.
    pub(super) fn sample(&self, [_, column, low, high]: [i32; 4], level: usize) -> Option<usize> {
        self.samples(column as usize, low, high).nth(level)
    }
}
