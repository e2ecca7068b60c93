use std::array::from_fn;

use rayon::prelude::*;
use thalweg_pressure::Shape;
use thalweg_pressure::grid::{Heights, first_cell, is_tall, world_cell};

use super::{AdvectParams, AdvectSlices, CentreSlices, CorrectSlices, IncrementSlices, LevelSetSlices};
use crate::lattice::{SideSpan, level_set as level_set_at, line_pair, sample_pair, vertical_at, vertical_value};

/// A point in cells.
type Point = [f32; 3];

/// A trace is cut into at most so many pieces.
const PIECES: f32 = 8.0;

/// The face column of a side plane (0: x, 2: z) that a column holds, towards smaller coordinates.
fn held_span(shape: Shape, heights: &[Heights], plane: usize, column: usize) -> SideSpan {
    let before = match plane {
        0 if !column.is_multiple_of(shape.nx) => column - 1,
        2 if column >= shape.nx => column - shape.nx,
        _ => column, // a side of the grid: its faces are those of the column itself
    };
    SideSpan::new(heights[before], heights[column], shape.samples())
}

pub(super) fn centre(p: &AdvectParams, s: CentreSlices<'_>) {
    let shape = p.shape();
    let (n, len) = (shape.samples(), shape.len());
    let side = |plane: usize, column: Option<usize>, y: i32| {
        // Beyond the grid and under the ground of a neighbour is a wall.
        let Some(column) = column else { return 0.0 };
        let span = held_span(shape, s.heights, plane, column);
        if y < span.run[0] { 0.0 } else { span.at(&s.faces[plane * len + column * n..][..n], y) }
    };
    s.centres.par_chunks_mut(n).enumerate().for_each(|(column, out)| {
        let own = s.heights[column];
        let (i, k) = (column % shape.nx, column / shape.nx);
        let right = (i + 1 < shape.nx).then(|| column + 1);
        let front = (k + 1 < shape.nz).then(|| column + shape.nx);
        let vertical = |face: i32| vertical_at(&s.faces[len + column * n..][..n], s.inner[column], own, face);
        for (sample, out) in out.iter_mut().enumerate() {
            let y = world_cell(own, sample);
            let x = side(0, Some(column), y) + side(0, right, y);
            let z = side(2, Some(column), y) + side(2, front, y);
            *out = [0.5 * x, 0.5 * (vertical(y) + vertical(y + 1)), 0.5 * z, 0.0];
        }
    });
}

/// The four columns around a point and their shares.
fn around(shape: Shape, [x, _, z]: Point) -> [(usize, f32); 4] {
    let (x, z) = (x.clamp(0.0, (shape.nx - 1) as f32), z.clamp(0.0, (shape.nz - 1) as f32));
    let (i, k) = (x as usize, z as usize);
    let (fx, fz) = (x - i as f32, z - k as f32);
    let (i1, k1) = ((i + 1).min(shape.nx - 1), (k + 1).min(shape.nz - 1));
    [
        (i + k * shape.nx, (1.0 - fx) * (1.0 - fz)),
        (i1 + k * shape.nx, fx * (1.0 - fz)),
        (i + k1 * shape.nx, (1.0 - fx) * fz),
        (i1 + k1 * shape.nx, fx * fz),
    ]
}

/// Velocities at samples, read at points.
#[derive(Clone, Copy)]
struct Centres<'a> {
    shape: Shape,
    heights: &'a [Heights],
    values: &'a [[f32; 4]],
}

impl Centres<'_> {
    fn at(&self, point: Point) -> Point {
        self.with_range(point).0
    }

    /// The tall lines of the columns around a point; cells where a column has no tall cell.
    fn of_lines(&self, point: Point) -> Point {
        let n = self.shape.samples();
        let mut sum = [0.0; 3];
        for (column, weight) in around(self.shape, point) {
            let heights = self.heights[column];
            let pair = if is_tall(heights) { line_pair(heights, point[1]) } else { sample_pair(heights, n, point[1]) };
            let line = &self.values[column * n + pair.lower..][..2];
            for c in 0..3 {
                sum[c] += weight * (line[0][c] + (line[1][c] - line[0][c]) * pair.share);
            }
        }
        sum
    }

    /// The value at a point, with the smallest and the largest of the values that it was made of.
    fn with_range(&self, point: Point) -> (Point, [Point; 2]) {
        let n = self.shape.samples();
        let mut sum = [0.0; 3];
        let mut range = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for (column, weight) in around(self.shape, point) {
            let pair = sample_pair(self.heights[column], n, point[1]);
            let line = &self.values[column * n + pair.lower..][..2];
            for c in 0..3 {
                let (low, high) = (line[0][c], line[1][c]);
                sum[c] += weight * (low + (high - low) * pair.share);
                range[0][c] = range[0][c].min(low.min(high));
                range[1][c] = range[1][c].max(low.max(high));
            }
        }
        (sum, range)
    }
}

/// Follows a velocity for `cells` (cells per m/s, negative to go back) from a point, in midpoint steps of at most one
/// cell.
fn trace(shape: Shape, from: Point, cells: f32, velocity: impl Fn(Point) -> Point) -> Point {
    let sides = |p: Point| [p[0].clamp(-0.5, shape.nx as f32 - 0.5), p[1], p[2].clamp(-0.5, shape.nz as f32 - 0.5)];
    let mut point = from;
    let mut u = velocity(point);
    let fastest = u[0].abs().max(u[1].abs()).max(u[2].abs());
    let pieces = (fastest * cells.abs()).ceil().clamp(1.0, PIECES);
    let step = cells / pieces;
    for piece in 0..pieces as u32 {
        if piece > 0 {
            u = velocity(point);
        }
        let middle = sides(from_fn(|c| point[c] + 0.5 * step * u[c]));
        let u = velocity(middle);
        point = sides(from_fn(|c| point[c] + step * u[c]));
    }
    point
}

/// Where a sample lies.
fn place(shape: Shape, heights: &[Heights], column: usize, sample: usize) -> Point {
    [(column % shape.nx) as f32, world_cell(heights[column], sample) as f32, (column / shape.nx) as f32]
}

pub(super) fn advect(p: &AdvectParams, s: AdvectSlices<'_>) {
    let shape = p.shape();
    let n = shape.samples();
    let field = Centres { shape, heights: s.heights, values: s.centres };
    s.hat.par_chunks_mut(n).zip(s.departures.par_chunks_mut(n)).enumerate().for_each(|(column, (hat, departures))| {
        for sample in 0..n {
            let at = column * n + sample;
            let here = place(shape, s.heights, column, sample);
            if s.phi[at] > p.band {
                hat[sample] = s.centres[at];
                departures[sample] = [here[0], here[1], here[2], 0.0];
                continue;
            }
            let [x, y, z] = trace(shape, here, -p.cells_per_speed, |q| field.at(q));
            let is_end = sample < 2 && is_tall(s.heights[column]);
            let [a, b, c] = if is_end { field.of_lines([x, y, z]) } else { field.at([x, y, z]) };
            hat[sample] = [a, b, c, 0.0];
            departures[sample] = [x, y, z, 0.0];
        }
    });
}

pub(super) fn correct(p: &AdvectParams, s: CorrectSlices<'_>) {
    let shape = p.shape();
    let n = shape.samples();
    let field = Centres { shape, heights: s.heights, values: s.centres };
    let hats = Centres { shape, heights: s.heights, values: s.hat };
    s.departures.par_chunks_mut(n).enumerate().for_each(|(column, out)| {
        let tall = is_tall(s.heights[column]);
        for (sample, out) in out.iter_mut().enumerate() {
            let at = column * n + sample;
            let (hat, old) = (s.hat[at], s.centres[at]);
            let mut change: [f32; 4] = from_fn(|c| hat[c] - old[c]);
            // Only inside the water, and not at the ends of tall cells.
            if s.phi[at] < 0.0 && !(tall && sample < 2) {
                let here = place(shape, s.heights, column, sample);
                let forth = hats.at(trace(shape, here, p.cells_per_speed, |q| field.at(q)));
                let (_, [low, high]) = field.with_range([out[0], out[1], out[2]]);
                for c in 0..3 {
                    let better = hat[c] + 0.5 * (old[c] - forth[c]);
                    if better >= low[c] && better <= high[c] {
                        change[c] = better - old[c];
                    }
                }
            }
            *out = change;
        }
    });
}

/// One component of a field of vectors at a world cell.
fn component(line: &[[f32; 4]], heights: Heights, y: i32, c: usize) -> f32 {
    let [bottom, top] = heights;
    if y < first_cell(heights) {
        let share = (y - bottom).max(0) as f32 / (top - 1 - bottom) as f32;
        return line[0][c] + (line[1][c] - line[0][c]) * share;
    }
    line[((y - top + 2) as usize).min(line.len() - 1)][c]
}

pub(super) fn increment(p: &AdvectParams, s: IncrementSlices<'_>) {
    let shape = p.shape();
    let (n, nx, columns) = (shape.samples(), shape.nx, shape.columns());
    let line = |column: usize| &s.changes[column * n..][..n];
    let change = |column: usize, y: i32, c: usize| component(line(column), s.heights[column], y, c);
    // The y face under a world cell.
    let vertical = |column: usize, y: i32| {
        let top = s.heights[column][1] + n as i32 - 2;
        let upper = if y < top { change(column, y, 1) } else { change(column, y - 1, 1) };
        0.5 * (upper + change(column, y - 1, 1))
    };
    s.inner.par_iter_mut().enumerate().for_each(|(column, v)| *v += vertical(column, s.heights[column][0] + 1));
    s.faces.par_chunks_mut(n).enumerate().for_each(|(index, faces)| {
        let (plane, column) = (index / columns, index % columns);
        if plane == 1 {
            let [_, top] = s.heights[column];
            for (entry, v) in faces.iter_mut().enumerate() {
                let face = if entry == 0 { top + n as i32 - 2 } else { top + entry as i32 - 2 };
                *v += vertical(column, face);
            }
            return;
        }
        let other = match plane {
            0 if !column.is_multiple_of(nx) => column - 1,
            2 if column >= nx => column - nx,
            _ => return,
        };
        let span = SideSpan::new(s.heights[other], s.heights[column], n);
        for (entry, u) in faces.iter_mut().enumerate() {
            if span.has(entry) {
                let y = span.cell_of(entry);
                *u += 0.5 * (change(other, y, plane) + change(column, y, plane));
            }
        }
    });
}

/// Velocities of faces, read at points.
struct FaceField<'a> {
    shape: Shape,
    heights: &'a [Heights],
    faces: &'a [f32],
    inner: &'a [f32],
}

impl FaceField<'_> {
    /// A component across a side plane: bilinear between four face columns. Along its own axis faces lie at halves.
    fn side(&self, plane: usize, across: f32, along: f32, y: f32) -> f32 {
        let Shape { nx, nz, .. } = self.shape;
        let (size, other) = if plane == 0 { (nx, nz) } else { (nz, nx) };
        let (n, len) = (self.shape.samples(), self.shape.len());
        let across = (across + 0.5).clamp(0.0, size as f32);
        let along = along.clamp(0.0, (other - 1) as f32);
        let (f, a) = ((across as usize).min(size - 1), along as usize);
        let (ff, fa) = (across - f as f32, along - a as f32);
        let value = |f: usize, a: usize| {
            if f == size {
                return 0.0; // the far side of the grid is a wall
            }
            let column = if plane == 0 { f + a * nx } else { a + f * nx };
            let span = held_span(self.shape, self.heights, plane, column);
            span.value(&self.faces[plane * len + column * n..][..n], y)
        };
        let row = |a: usize| value(f, a) * (1.0 - ff) + value(f + 1, a) * ff;
        let next = (a + 1).min(other - 1);
        if fa > 0.0 { row(a) * (1.0 - fa) + row(next) * fa } else { row(a) }
    }

    fn at(&self, point: Point) -> Point {
        let [x, y, z] = point;
        let (n, len) = (self.shape.samples(), self.shape.len());
        let mut v = 0.0;
        for (column, weight) in around(self.shape, point) {
            if weight > 0.0 {
                let line = &self.faces[len + column * n..][..n];
                v += weight * vertical_value(line, self.inner[column], self.heights[column], y);
            }
        }
        [self.side(0, x, z, y), v, self.side(2, z, x, y)]
    }
}

pub(super) fn level_set(p: &AdvectParams, s: LevelSetSlices<'_>) {
    let shape = p.shape();
    let n = shape.samples();
    let field = FaceField { shape, heights: s.heights, faces: s.faces, inner: s.inner };
    s.moved.par_chunks_mut(n).enumerate().for_each(|(column, out)| {
        for (sample, out) in out.iter_mut().enumerate() {
            let phi = s.phi[column * n + sample];
            *out = phi;
            if phi.abs() >= p.band {
                continue;
            }
            let here = place(shape, s.heights, column, sample);
            let point = trace(shape, here, -p.cells_per_speed, |q| field.at(q));
            let value =
                |column: usize| level_set_at(&s.phi[column * n..][..n], sample_pair(s.heights[column], n, point[1]));
            *out = around(shape, point).iter().map(|(column, weight)| weight * value(*column)).sum();
        }
    });
}
