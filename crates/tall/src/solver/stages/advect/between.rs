//! From faces to samples and back: [`centre`](centre) and [`increment`](increment) of the kernels.
//!
//! Where columns hold single cells, the faces beside a column are a run of their own; what lies beside tall cells and
//! over lower columns is decoded.

use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_columns::grid::{face_base, first_cell, first_sample, world_cell};
use thalweg_columns::interpolate::{SideSpan, vertical_at};
use thalweg_columns::{Heights, Shape};

use super::{AdvectParams, CentreSlices, IncrementSlices};

/// The face column of a side plane (0: x, 2: z) that a column holds, towards smaller coordinates.
#[inline(always)]
fn held_span(shape: Shape, heights: &[Heights], plane: usize, column: usize) -> SideSpan {
    let before = match plane {
        0 if !column.is_multiple_of(shape.nx) => column - 1,
        2 if column >= shape.nx => column - shape.nx,
        _ => column, // a side of the grid: its faces are those of the column itself
    };
    SideSpan::new(heights[before], heights[column], shape.samples())
}

/// The mean of two opposite faces, of which one may be NaN.
///
/// A face under the ground of a neighbour does not exist, and the other one speaks for the cell. Taken for a wall at
/// rest it would halve the velocity of cells at the foot of every step of a slope; what comes from before them is twice
/// as fast then, and its change is added to their faces again and again: bores over uneven ground reached five times
/// their speed.
#[inline(always)]
fn mean(a: f32, b: f32) -> f32 {
    let a = if a.is_nan() { b } else { a };
    let b = if b.is_nan() { a } else { b };
    if a.is_nan() { 0.0 } else { 0.5 * (a + b) }
}

/// Reads a side face column at the samples of a column; NaN under the ground of the neighbour.
#[inline(always)]
fn side_line(out: &mut [f32], own: Heights, span: SideSpan, line: &[f32]) {
    let n = out.len() as i32;
    let base = face_base(span.run);
    // Own samples whose faces are entries of their own.
    let sample = |y: i32| (y - own[1] + 2).clamp(first_sample(own) as i32, n);
    let (low, high) = (sample(base), sample(base + span.regular));
    let at = |y: i32| if y < span.run[0] { f32::NAN } else { span.at(line, y) };
    for j in (0..low).chain(high..n) {
        out[j as usize] = at(world_cell(own, j as usize));
    }
    if low < high {
        let from = (own[1] + low - base) as usize;
        out[low as usize..high as usize].copy_from_slice(&line[from..from + (high - low) as usize]);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn centre_row(shape: Shape, s: [&[f32]; 2], heights: &[Heights], row: usize, centres: &mut [[f32; 4]]) {
    let (n, len) = (shape.samples(), shape.len());
    let [faces, inner] = s;
    let mut sides: [Vec<f32>; 4] = std::array::from_fn(|_| vec![0.0; n]);
    let mut vertical = vec![0.0; n + 1];
    for (i, out) in centres.chunks_mut(n).enumerate() {
        let column = row * shape.nx + i;
        let own = heights[column];
        let right = (i + 1 < shape.nx).then_some(column + 1);
        let front = (row + 1 < shape.nz).then_some(column + shape.nx);
        for (line, (plane, holder)) in
            sides.iter_mut().zip([(0, Some(column)), (0, right), (2, Some(column)), (2, front)])
        {
            match holder {
                Some(holder) => {
                    let span = held_span(shape, heights, plane, holder);
                    side_line(line, own, span, &faces[plane * len + holder * n..][..n]);
                }
                None => line.fill(0.0), // beyond the grid is a wall
            }
        }
        let line = &faces[len + column * n..][..n];
        // Lower faces of all cells, then the top; the ends of a tall cell have two faces each.
        vertical[..n].copy_from_slice(line);
        vertical[n] = line[0];
        let ends = |sample: usize| {
            let y = world_cell(own, sample);
            [y, y + 1].map(|face| vertical_at(line, inner[column], own, face))
        };
        let [a, b, c, d] = sides.each_ref().map(|line| &line[..n]);
        for (j, out) in out.iter_mut().enumerate() {
            *out = [mean(a[j], b[j]), 0.5 * (vertical[j] + vertical[j + 1]), mean(c[j], d[j]), 0.0];
        }
        for (sample, out) in out.iter_mut().enumerate().take(2) {
            let [lower, upper] = ends(sample);
            out[1] = 0.5 * (lower + upper);
        }
    }
}

pub(super) fn centre(p: &AdvectParams, s: CentreSlices<'_>) {
    let shape = p.shape();
    let rows = s.centres.par_chunks_mut(shape.nx * shape.samples()).enumerate();
    rows.for_each(|(row, centres)| centre_row(shape, [s.faces, s.inner], s.heights, row, centres));
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

/// Changes of the samples of a column.
#[derive(Clone, Copy)]
struct Column<'a> {
    heights: Heights,
    changes: &'a [[f32; 4]],
}

impl Column<'_> {
    fn change(&self, y: i32, c: usize) -> f32 {
        component(self.changes, self.heights, y, c)
    }

    /// What the y face under a world cell gains.
    fn vertical(&self, y: i32) -> f32 {
        let top = self.heights[1] + self.changes.len() as i32 - 2;
        let upper = if y < top { self.change(y, 1) } else { self.change(y - 1, 1) };
        0.5 * (upper + self.change(y - 1, 1))
    }

    fn add_vertical(&self, faces: &mut [f32]) {
        let [_, top] = self.heights;
        let n = faces.len();
        let first = first_sample(self.heights) + 1; // from here on both cells are samples
        faces[0] += self.vertical(top + n as i32 - 2);
        for (entry, v) in faces.iter_mut().enumerate().take(first).skip(1) {
            *v += self.vertical(top + entry as i32 - 2);
        }
        for (v, change) in faces[first..].iter_mut().zip(self.changes[first - 1..].windows(2)) {
            *v += 0.5 * (change[1][1] + change[0][1]);
        }
    }

    /// Adds to the faces between this column and the one before it.
    fn add_side(&self, before: &Self, plane: usize, faces: &mut [f32]) {
        let n = faces.len();
        let span = SideSpan::new(before.heights, self.heights, n);
        let base = face_base(span.run);
        let end = (span.regular + 2).clamp(2, n as i32);
        let first = (first_cell(self.heights).max(first_cell(before.heights)) - base + 2).clamp(2, end);
        let mut add = |entry: usize| {
            let y = span.cell_of(entry);
            faces[entry] += 0.5 * (before.change(y, plane) + self.change(y, plane));
        };
        if span.has(0) {
            (0..2).for_each(&mut add);
        }
        (2..first as usize).for_each(add);
        if first < end {
            let line = |column: &Self| (base + first - column.heights[1]) as usize;
            let changes = before.changes[line(before)..].iter().zip(&self.changes[line(self)..]);
            for (u, (before, own)) in faces[first as usize..end as usize].iter_mut().zip(changes) {
                *u += 0.5 * (before[plane] + own[plane]);
            }
        }
    }
}

pub(super) fn increment(p: &AdvectParams, s: IncrementSlices<'_>) {
    let shape = p.shape();
    let (n, nx, columns) = (shape.samples(), shape.nx, shape.columns());
    let of = |column: usize| Column { heights: s.heights[column], changes: &s.changes[column * n..][..n] };
    let inner = s.inner.par_iter_mut().with_min_len(nx).enumerate();
    inner.for_each(|(column, v)| *v += of(column).vertical(s.heights[column][0] + 1));
    s.faces.par_chunks_mut(n).with_min_len(nx).enumerate().for_each(|(index, faces)| {
        let (plane, column) = (index / columns, index % columns);
        match plane {
            1 => of(column).add_vertical(faces),
            0 if !column.is_multiple_of(nx) => of(column).add_side(&of(column - 1), plane, faces),
            2 if column >= nx => of(column).add_side(&of(column - nx), plane, faces),
            _ => {} // a side of the grid
        }
    });
}
