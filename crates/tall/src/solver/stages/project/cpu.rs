use rayon::prelude::*;
use thalweg_columns::Heights;
use thalweg_columns::grid::{is_tall, neighbours, world_cell};
use thalweg_columns::interpolate::{SideSpan, cell_at};

use super::constants::UP;
use super::{MaskParams, MaskSlices, SurfaceParams, SurfaceRhsSlices, SurfaceSamplesSlices, SurfaceUpdateSlices};

pub(super) fn mask(p: &MaskParams, s: MaskSlices<'_>) {
    let len = p.len as usize;
    let diagonals = &s.cells[p.diagonal_at as usize..][..len];
    s.q[..len].par_iter_mut().zip(diagonals).with_min_len(4096).for_each(|(q, d)| {
        if *d <= 0.0 {
            *q = 0.0;
        }
    });
}

/// From a wet cell to the air, along one axis.
type Direction = [f32; 3];
const DOWN: Direction = [0.0, -1.0, 0.0];
/// In the order of [`neighbours`].
const ASIDE: [Direction; 4] = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]];

/// What faces to air need to know.
#[derive(Clone, Copy)]
struct Surface<'a> {
    p: &'a SurfaceParams,
    heights: &'a [Heights],
    phi: &'a [f32],
    matrix: &'a [f32],
    aperture: &'a [f32],
}

impl Surface<'_> {
    /// Whether a world cell of a column is water; over the column is air, under it ground, which no face conducts to.
    fn is_wet(&self, column: usize, y: i32) -> bool {
        let n = self.p.samples as usize;
        let h = self.heights[column];
        y < h[1] + n as i32 - 2 && cell_at(&self.phi[column * n..][..n], h, y) < 0.0
    }

    /// Conductance and value `g Δt (y_s − y₀) + a Δt x_s` of a face whose surface lies `towards` (in shares of `θ`) of
    /// a wet cell.
    fn value(&self, face: usize, column: usize, y: i32, towards: Direction) -> (f32, f32) {
        let (w, a) = (self.matrix[face], self.aperture[face]);
        let theta = if w > 0.0 { a / w } else { 0.0 };
        let nx = self.p.nx as usize;
        let up = self.p.weight * (y as f32 + towards[1] * theta - self.p.level);
        let x = self.p.aside_x * ((column % nx) as f32 + towards[0] * theta);
        let z = self.p.aside_z * ((column / nx) as f32 + towards[2] * theta);
        (w, up + (x + z))
    }

    /// The neighbours of a column, with the faces between.
    fn sides(&self, column: usize) -> Vec<Side> {
        let shape = self.p.shape();
        let (n, len) = (shape.samples(), shape.len());
        neighbours(shape, column)
            .into_iter()
            .enumerate()
            .filter_map(|(number, other)| {
                let other = other?;
                let holder = column.max(other); // the one with the larger coordinate
                let plane = if number < 2 { 0 } else { 2 };
                let span = SideSpan::new(self.heights[column], self.heights[other], n);
                Some(Side { number, other, face: plane * len + holder * n, span })
            })
            .collect()
    }

    /// Conductance times value of the face between a wet cell at a world height and a neighbour, if that is air.
    fn beside(&self, column: usize, Side { number, other, face, span }: &Side, y: i32) -> f32 {
        let entry = y - span.cell_of(2) + 2;
        let single = entry >= 2 || (entry >= 0 && span.run[1] - span.run[0] <= 2);
        if y < span.run[0] || entry >= span.regular + 2 || !single || self.is_wet(*other, y) {
            return 0.0;
        }
        let entry =
            if entry >= 2 { entry as usize } else { usize::from(y > span.run[0] || span.run[1] - span.run[0] == 1) };
        let (w, value) = self.value(face + entry, column, y, ASIDE[*number]);
        w * value
    }
}

/// A neighbouring column and the faces between.
struct Side {
    /// In the order of [`neighbours`].
    number: usize,
    other: usize,
    /// First entry of the face column.
    face: usize,
    span: SideSpan,
}

/// The y face under a cell that is a sample of its own, and the one over it.
fn vertical_faces(len: usize, n: usize, column: usize, sample: usize) -> [usize; 2] {
    let start = len + column * n;
    [start + sample, if sample + 1 < n { start + sample + 1 } else { start }]
}

pub(super) fn surface_rhs(p: &SurfaceParams, s: SurfaceRhsSlices<'_>) {
    let shape = p.shape();
    let (n, len) = (shape.samples(), shape.len());
    let surface = Surface { p, heights: s.heights, phi: s.phi, matrix: s.matrix, aperture: s.aperture };
    let diagonals = &s.cells[p.diagonal_at as usize..][..len];
    s.b.par_chunks_mut(n).enumerate().for_each(|(column, b)| {
        let own = s.heights[column];
        let sides = surface.sides(column);
        // Of a wet cell at a world height: the sum over its side faces to air.
        let beside = |y: i32| sides.iter().map(|side| surface.beside(column, side, y)).sum::<f32>();
        let first = if is_tall(own) { 2 } else { 0 };
        for (sample, b) in b.iter_mut().enumerate().skip(first) {
            if diagonals[column * n + sample] <= 0.0 {
                continue;
            }
            let y = world_cell(own, sample);
            let mut sum = beside(y);
            let [under, over] = vertical_faces(len, n, column, sample);
            if y > own[0] && !surface.is_wet(column, y - 1) {
                let (w, value) = surface.value(under, column, y, DOWN);
                sum += w * value;
            }
            if !surface.is_wet(column, y + 1) {
                let (w, value) = surface.value(over, column, y, UP);
                sum += w * value;
            }
            *b += sum;
        }
        if is_tall(own) && diagonals[column * n + 1] > 0.0 {
            // Only where regular cells were too few to keep the surface away.
            let [bottom, top] = own;
            if !surface.is_wet(column, top) {
                let (w, value) = surface.value(len + column * n + 2, column, top - 1, UP);
                b[1] += w * value;
            }
            // The published rows see what lies beside their own cells only.
            let step = if p.collocated == 0 { 1 } else { top - 1 - bottom };
            for y in (bottom..top).step_by(step as usize) {
                let sum = beside(y);
                if sum != 0.0 {
                    let share = (y - bottom) as f32 / (top - 1 - bottom) as f32;
                    b[0] += (1.0 - share) * sum;
                    b[1] += share * sum;
                }
            }
        }
    });
}

pub(super) fn surface_update(p: &SurfaceParams, s: SurfaceUpdateSlices<'_>) {
    let shape = p.shape();
    let (n, nx, len, columns) = (shape.samples(), shape.nx, shape.len(), shape.columns());
    let surface = Surface { p, heights: s.heights, phi: s.phi, matrix: s.matrix, aperture: s.aperture };
    // The part of one face, from the lower (or nearer) to the upper (or farther) cell, each a column and a height.
    let part = |face: usize, [low, high]: [bool; 2], cells: [(usize, i32); 2], axis: Direction| {
        if low == high || s.matrix[face] <= 0.0 || s.aperture[face] <= 0.0 {
            return 0.0;
        }
        let ((column, y), towards) = if low { (cells[0], axis) } else { (cells[1], axis.map(|c| -c)) };
        let (w, value) = surface.value(face, column, y, towards);
        let gradient = w / s.aperture[face] * value * p.per_cell;
        if low { -gradient } else { gradient }
    };
    s.inner.iter_mut().for_each(|v| *v = v.clamp(-p.fastest, p.fastest));
    s.faces.par_chunks_mut(n).enumerate().for_each(|(index, faces)| {
        let (plane, column) = (index / columns, index % columns);
        let own = s.heights[column];
        if plane == 1 {
            for (entry, v) in faces.iter_mut().enumerate() {
                let y = if entry == 0 { own[1] + n as i32 - 2 } else { world_cell(own, entry) };
                if y > own[0] {
                    let wet = [surface.is_wet(column, y - 1), surface.is_wet(column, y)];
                    let gain = part(len + column * n + entry, wet, [(column, y - 1), (column, y)], UP);
                    *v = (*v + gain).clamp(-p.fastest, p.fastest);
                }
            }
            return;
        }
        let other = match plane {
            0 if !column.is_multiple_of(nx) => column - 1,
            2 if column >= nx => column - nx,
            _ => return,
        };
        let span = SideSpan::new(s.heights[other], own, n);
        let long = span.run[1] - span.run[0] > 2;
        for (entry, u) in faces.iter_mut().enumerate() {
            if long && entry < 2 {
                *u = u.clamp(-p.fastest, p.fastest);
            } else if span.has(entry) {
                let y = span.cell_of(entry);
                let wet = [surface.is_wet(other, y), surface.is_wet(column, y)];
                let axis = if plane == 0 { ASIDE[1] } else { ASIDE[3] };
                let gain = part(plane * len + column * n + entry, wet, [(other, y), (column, y)], axis);
                *u = (*u + gain).clamp(-p.fastest, p.fastest);
            }
        }
    });
}

pub(super) fn surface_samples(p: &SurfaceParams, s: SurfaceSamplesSlices<'_>) {
    let shape = p.shape();
    let (n, len) = (shape.samples(), shape.len());
    let surface = Surface { p, heights: s.heights, phi: s.phi, matrix: s.matrix, aperture: s.aperture };
    let diagonals = &s.cells[p.diagonal_at as usize..][..len];
    // The lower and the upper face of a sample along an axis.
    let parts = |column: usize, sides: &[Side], sample: usize, axis: usize| {
        let (own, y) = (s.heights[column], world_cell(s.heights[column], sample));
        let mut parts = [0.0; 2];
        if axis != 1 {
            for side in sides.iter().filter(|side| side.number / 2 == axis / 2) {
                parts[side.number % 2] = surface.beside(column, side, y);
            }
            return parts;
        }
        let [under, over] = vertical_faces(len, n, column, sample);
        let is_end = is_tall(own) && sample < 2;
        if !is_end && y > own[0] && !surface.is_wet(column, y - 1) {
            let (w, value) = surface.value(under, column, y, DOWN);
            parts[0] = w * value;
        }
        let is_bottom = is_end && sample == 0;
        if !is_bottom && !surface.is_wet(column, y + 1) {
            let (w, value) = surface.value(over, column, y, UP);
            parts[1] = w * value;
        }
        parts
    };
    let columns = shape.columns();
    s.samples[..3 * len].par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (axis, column) = (index / columns, index % columns);
        let sides = if axis == 1 { Vec::new() } else { surface.sides(column) };
        for (sample, u) in line.iter_mut().enumerate() {
            if diagonals[column * n + sample] > 0.0 {
                let [lower, upper] = parts(column, &sides, sample, axis);
                *u = (*u - 0.5 * p.per_cell * (upper - lower)).clamp(-p.fastest, p.fastest);
            }
        }
    });
}
