//! One level of the hierarchy on the CPU: fields, conductances and what the smoothers need.

use multiversion::multiversion;
use rayon::prelude::*;

use crate::Real;
use crate::fields::{
    BubbleRule, FieldView, Fields, MeanCell, aligned_children, coarse_cell, coarse_open, coarse_sink, is_cell,
};
use crate::grid::{ColumnGrid, Heights, Shape, is_tall, world_cell};
use crate::rows::{Discretisation, LevelView};

/// Smallest sum of conductances of an unknown. Below it a sample is walled in and has no pressure.
pub(crate) const WALLED_IN: f64 = 1e-6;

/// One level of the hierarchy.
#[derive(Debug, Clone)]
pub struct Level<T> {
    /// Columns, samples, heights, cell size.
    pub grid: ColumnGrid,
    /// Level set, solids, openings.
    pub fields: Fields<T>,
    /// Conductances of all faces, see [`LevelView::weights`].
    pub weights: Vec<T>,
    /// Sum of the conductances per sample, 0 where it is no unknown.
    pub diagonal: Vec<T>,
    /// Reciprocal of the diagonal, 0 where it is no unknown.
    pub inverse: Vec<T>,
    /// The 2×2 blocks of tall cells.
    pub blocks: Vec<[T; 4]>,
    /// One past the last unknown of every column, 0 for a dry one.
    pub ends: Vec<u32>,
    /// Lowest fully solid sample of every column, the number of samples if there is none.
    pub solids: Vec<u32>,
    /// Whether every face between unknowns conducts exactly 1.
    pub unit: bool,
    /// Whether any column has a true tall cell.
    pub tall: bool,
    /// Form of tall rows.
    pub discretisation: Discretisation,
}

impl<T: Real> Level<T> {
    /// Computes conductances and diagonals from the fields.
    pub fn new(grid: ColumnGrid, fields: Fields<T>, theta_min: f64, discretisation: Discretisation) -> Self {
        let shape = grid.shape;
        let (n, len) = (shape.samples(), shape.len());
        let mut weights = vec![T::zero(); 3 * len];
        let view = fields.view(shape, &grid.heights);
        fill_weights(&view, T::of(theta_min), &mut weights);
        let mut level = Self {
            unit: false,
            solids: lowest_solids(n, &fields.solid),
            tall: grid.heights.iter().any(|h| is_tall(*h)),
            discretisation,
            weights,
            diagonal: vec![T::zero(); len],
            inverse: vec![T::zero(); len],
            blocks: vec![[T::zero(); 4]; shape.columns()],
            ends: vec![0; shape.columns()],
            grid,
            fields,
        };
        let (mut diagonal, mut inverse) = (std::mem::take(&mut level.diagonal), std::mem::take(&mut level.inverse));
        let (mut blocks, mut ends) = (std::mem::take(&mut level.blocks), std::mem::take(&mut level.ends));
        fill_diagonal(
            &level.view(),
            &level.fields.view(shape, &level.grid.heights),
            &mut diagonal,
            &mut inverse,
            &mut blocks,
        );
        for (end, line) in ends.iter_mut().zip(diagonal.chunks(n)) {
            *end = line.iter().rposition(|d| *d > T::zero()).map_or(0, |j| j as u32 + 1);
        }
        level.diagonal = diagonal;
        level.inverse = inverse;
        level.blocks = blocks;
        level.ends = ends;
        level.unit = level.faces_are_unit();
        level
    }

    /// Whether all faces between unknowns are fully open, so that sums over neighbours need no weights.
    fn faces_are_unit(&self) -> bool {
        let Shape { nx, .. } = self.grid.shape;
        let (n, len) = (self.grid.shape.samples(), self.grid.shape.len());
        let wet = |index: usize| self.diagonal[index] > T::zero();
        let open = |w: T| w == T::one();
        (0..self.grid.shape.columns()).into_par_iter().all(|column| {
            let base = column * n;
            let own = self.grid.heights[column];
            let first = if is_tall(own) { 2 } else { 1 };
            let vertical =
                (first..n).all(|j| !(wet(base + j) && wet(base + j - 1)) || open(self.weights[len + base + j]));
            let side = |plane: usize, other: usize| {
                if own == self.grid.heights[other] {
                    let lines = self.diagonal[base..base + n].iter().zip(&self.diagonal[other * n..other * n + n]);
                    let faces = &self.weights[plane * len + base..plane * len + base + n];
                    let start = if is_tall(own) { 2 } else { 0 };
                    let closed =
                        |((a, b), w): ((&T, &T), &T)| u32::from(*a > T::zero() && *b > T::zero() && *w != T::one());
                    return lines.zip(faces).skip(start).map(closed).sum::<u32>() == 0;
                }
                let overlap = crate::grid::face_heights(own, self.grid.heights[other]);
                let top = own[1].min(self.grid.heights[other][1]) + self.grid.shape.regular as i32;
                let lo = crate::grid::first_cell(own).min(crate::grid::first_cell(self.grid.heights[other]));
                (lo.max(overlap[0])..top).all(|y| {
                    let water = |c: usize| {
                        let view = self.fields.view(self.grid.shape, &self.grid.heights);
                        let (phi, solid) = view.at(c, y);
                        phi < T::zero() && solid < T::one()
                    };
                    let index = (y - crate::grid::face_base(overlap) + 2) as usize;
                    !(water(column) && water(other)) || open(self.weights[plane * len + base + index])
                })
            };
            vertical && (column % nx == 0 || side(0, column - 1)) && (column < nx || side(2, column - nx))
        })
    }

    /// Borrows what the rows need.
    pub fn view(&self) -> LevelView<'_, T> {
        LevelView {
            shape: self.grid.shape,
            heights: &self.grid.heights,
            weights: &self.weights,
            diagonal: &self.diagonal,
            blocks: &self.blocks,
            unit: self.unit,
            discretisation: self.discretisation,
        }
    }

    /// The next coarser level: fields averaged, conductances formed anew from them. `number` is its own number, 1
    /// for the first coarse one.
    pub fn coarser(&self, number: usize, bubbles: BubbleRule, theta_min: f64) -> Self {
        let grid = self.grid.coarser();
        let fine = self.fields.view(self.grid.shape, &self.grid.heights);
        let fields = coarse_fields(&fine, grid.shape, &grid.heights, number, bubbles);
        Self::new(grid, fields, theta_min, self.discretisation)
    }

    /// Whether any column has a true tall cell.
    pub fn has_tall(&self) -> bool {
        self.tall
    }

    /// Largest magnitude of `b − A x`.
    pub fn residual(&self, b: &[T], x: &[T]) -> f64 {
        let mut r = vec![T::zero(); x.len()];
        crate::smooth::residual(&self.view(), &self.ends, b, x, &mut r)
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.diagonal.iter().filter(|d| **d > T::zero()).count()
    }

    /// The matrix of this level in another precision, without what only the next level is made from. Conductances
    /// are left out too where no row reads them.
    pub fn matrix<U: Real>(&self) -> Level<U> {
        let cast = |v: &[T]| v.par_iter().with_min_len(1 << 14).map(|x| U::of(x.to_double())).collect::<Vec<U>>();
        let weights = if self.unit && !self.tall { Vec::new() } else { cast(&self.weights) };
        Level {
            grid: self.grid.clone(),
            fields: Fields { phi: Vec::new(), solid: cast(&self.fields.solid), open: Vec::new(), sink: Vec::new() },
            weights,
            diagonal: cast(&self.diagonal),
            inverse: cast(&self.inverse),
            blocks: self.blocks.iter().map(|b| b.map(|v| U::of(v.to_double()))).collect(),
            ends: self.ends.clone(),
            solids: self.solids.clone(),
            unit: self.unit,
            tall: self.tall,
            discretisation: self.discretisation,
        }
    }
}

/// Lowest fully solid sample of every column.
fn lowest_solids<T: Real>(samples: usize, solid: &[T]) -> Vec<u32> {
    let lowest = |line: &[T]| line.iter().position(|s| *s >= T::one()).unwrap_or(samples) as u32;
    solid.chunks(samples).map(lowest).collect()
}

/// Conductances of all faces.
pub(crate) fn fill_weights<T: Real>(fields: &FieldView<'_, T>, theta_min: T, weights: &mut [T]) {
    let (n, columns) = (fields.shape.samples(), fields.shape.columns());
    let row = fields.shape.nx;
    weights.par_chunks_mut(n * row).enumerate().for_each(|(index, lines)| {
        let (plane, first) = (index * row / columns, index * row % columns);
        weight_rows(fields, plane, first, theta_min, lines);
    });
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn weight_rows<T: Real>(fields: &FieldView<'_, T>, plane: usize, first: usize, theta_min: T, lines: &mut [T]) {
    for (i, line) in lines.chunks_mut(fields.shape.samples()).enumerate() {
        fields.weight_line(plane, first + i, theta_min, line);
    }
}

/// Diagonals, their reciprocals and the blocks of tall cells.
pub(crate) fn fill_diagonal<T: Real>(
    view: &LevelView<'_, T>,
    fields: &FieldView<'_, T>,
    diagonal: &mut [T],
    inverse: &mut [T],
    blocks: &mut [[T; 4]],
) {
    let n = view.shape.samples();
    let row = view.shape.nx;
    let rows = diagonal.par_chunks_mut(n * row).zip(inverse.par_chunks_mut(n * row)).zip(blocks.par_chunks_mut(row));
    rows.enumerate().for_each(|(k, ((diagonal, inverse), blocks))| {
        diagonal_row(view, fields, k * row, diagonal, inverse, blocks);
    });
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn diagonal_row<T: Real>(
    view: &LevelView<'_, T>,
    fields: &FieldView<'_, T>,
    first: usize,
    diagonal: &mut [T],
    inverse: &mut [T],
    blocks: &mut [[T; 4]],
) {
    let n = view.shape.samples();
    let lines = diagonal.chunks_mut(n).zip(inverse.chunks_mut(n)).zip(blocks);
    for (i, ((diagonal, inverse), block)) in lines.enumerate() {
        let column = first + i;
        view.conductance_line(column, diagonal);
        let range = column * n..(column + 1) * n;
        if !fields.sink.is_empty() {
            for (d, s) in diagonal.iter_mut().zip(&fields.sink[range.clone()]) {
                *d += *s;
            }
        }
        *block = [T::zero(); 4];
        if is_tall(view.heights[column]) {
            *block = view.tall_block(column);
            diagonal[0] = block[0];
            diagonal[1] = block[2];
        }
        let cells = fields.phi[range.clone()].iter().zip(&fields.solid[range]);
        for ((d, a), (phi, solid)) in diagonal.iter_mut().zip(inverse.iter_mut()).zip(cells) {
            let unknown = *phi < T::zero() && *solid < T::one() && *d > T::of(WALLED_IN);
            *a = if unknown { T::one() / *d } else { T::zero() };
            *d = if unknown { *d } else { T::zero() };
        }
    }
}

/// Fields of the next coarser level.
pub(crate) fn coarse_fields<T: Real>(
    fine: &FieldView<'_, T>,
    shape: Shape,
    heights: &[Heights],
    number: usize,
    bubbles: BubbleRule,
) -> Fields<T> {
    let (n, len, columns) = (shape.samples(), shape.len(), shape.columns());
    let (mut phi, mut solid) = (vec![T::zero(); len], vec![T::zero(); len]);
    phi.par_chunks_mut(n).zip(solid.par_chunks_mut(n)).enumerate().for_each(|(column, (phi, solid))| {
        let (i, k) = (column % shape.nx, column / shape.nx);
        let keep_air = number <= bubbles.levels;
        let children = aligned_children(fine, i, k);
        let direct = if children.is_some() { (fine.shape.samples() / 2).min(n) } else { 0 };
        for sample in 0..n {
            (phi[sample], solid[sample]) = match children {
                Some(children) if sample < direct => {
                    let mut mean = MeanCell::default();
                    for c in children {
                        mean.add(fine.phi[c + 2 * sample], fine.solid[c + 2 * sample]);
                        mean.add(fine.phi[c + 2 * sample + 1], fine.solid[c + 2 * sample + 1]);
                    }
                    mean.finish(fine.shape, keep_air)
                }
                _ => coarse_cell(fine, i, k, world_cell(heights[column], sample), keep_air),
            };
        }
    });
    let mut open = vec![T::zero(); 3 * len];
    open.par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (plane, column) = (index / columns, index % columns);
        let (i, k) = (column % shape.nx, column / shape.nx);
        let before = match plane {
            0 => i.checked_sub(1).and_then(|i| aligned_children(fine, i, k)),
            2 => k.checked_sub(1).and_then(|k| aligned_children(fine, i, k)),
            _ => aligned_children(fine, i, k),
        };
        let fine_len = fine.shape.len();
        match (aligned_children(fine, i, k), before) {
            (Some(own), Some(before))
                if fine.heights[own[0] / fine.shape.samples()] == fine.heights[before[0] / fine.shape.samples()] =>
            {
                let open = &fine.open[plane * fine_len..(plane + 1) * fine_len];
                let direct = (fine.shape.samples() / 2).min(n);
                let quarter = T::of(0.25);
                // The faces on the near side of the children: two of them for x and z, all four for y.
                let near = match plane {
                    0 => [own[0], own[2]],
                    _ => [own[0], own[1]],
                };
                for sample in 0..n {
                    line[sample] = if sample >= direct || (plane == 1 && sample < 1) {
                        coarse_open(fine, shape, heights, plane, column, sample)
                    } else if plane == 1 {
                        own.iter().map(|c| open[c + 2 * sample]).sum::<T>() * quarter
                    } else {
                        near.iter().map(|c| open[c + 2 * sample] + open[c + 2 * sample + 1]).sum::<T>() * quarter
                    };
                }
            }
            _ => {
                for (sample, value) in line.iter_mut().enumerate() {
                    *value = coarse_open(fine, shape, heights, plane, column, sample);
                }
            }
        }
    });
    let mut sink = Vec::new();
    if bubbles.sinks {
        sink.resize(len, T::zero());
        let here = FieldView { shape, heights, phi: &phi, solid: &solid, open: &open, sink: &[] };
        sink.par_chunks_mut(n).enumerate().for_each(|(column, line)| {
            for (sample, value) in line.iter_mut().enumerate() {
                let index = column * n + sample;
                if phi[index] < T::zero() && solid[index] < T::one() && is_cell(heights[column], sample) {
                    *value = cell_sink(fine, &here, column, sample);
                }
            }
        });
    }
    Fields { phi, solid, open, sink }
}

/// Conductance to vanished bubbles of one coarse cell.
#[inline(always)]
pub(crate) fn cell_sink<T: Real>(
    fine: &FieldView<'_, T>,
    coarse: &FieldView<'_, T>,
    column: usize,
    sample: usize,
) -> T {
    let Shape { nx, nz, .. } = coarse.shape;
    let y = world_cell(coarse.heights[column], sample);
    let (i, k) = (column % nx, column / nx);
    if let Some(children) = aligned_children(fine, i, k)
        && 2 * sample + 1 < fine.shape.samples()
    {
        // Nearly all cells have neither air nor sinks below them.
        let pure = |c: usize| fine.phi[c] < T::zero() && (fine.sink.is_empty() || fine.sink[c] <= T::zero());
        if children.iter().all(|c| pure(c + 2 * sample) && pure(c + 2 * sample + 1)) {
            return T::zero();
        }
    }
    let is_air = |i: usize, k: usize, y: i32| {
        let (phi, solid) = coarse.at(i + k * nx, y);
        phi >= T::zero() && solid < T::one()
    };
    if is_air(i, k, y) {
        return T::zero();
    }
    let beside_air = is_air(i, k, y - 1)
        || is_air(i, k, y + 1)
        || (i > 0 && is_air(i - 1, k, y))
        || (i + 1 < nx && is_air(i + 1, k, y))
        || (k > 0 && is_air(i, k - 1, y))
        || (k + 1 < nz && is_air(i, k + 1, y));
    coarse_sink(fine, i, k, y, beside_air)
}
