//! One level of the hierarchy on the CPU: fields, conductances and what the smoothers need.

use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_columns::grid::{is_tall, world_cell};
use thalweg_columns::{ColumnGrid, Heights, Real, Shape};

use crate::coarse_fields::{BubbleRule, MeanCell, aligned_children, coarse_cell, coarse_open, coarse_sink};
use crate::constants::WALLED_IN;
use crate::fields::{FieldView, Fields, is_cell};
use crate::rows::{Discretisation, LevelView};

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
    /// Reciprocal of the diagonal, 0 where it is no unknown. Only levels of a hierarchy have it: cycles read it often,
    /// no other one does.
    pub(crate) inverse: Vec<T>,
    /// The 2×2 blocks of tall cells.
    pub blocks: Vec<[T; 4]>,
    /// A bound for the unknowns of every column: at least one past the last, 0 for a dry one.
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
        let unit = fill_weights(&view, T::of(theta_min), &mut weights);
        let mut level = Self {
            unit,
            solids: lowest_solids(n, &fields.solid),
            tall: grid.heights.iter().any(|h| is_tall(*h)),
            discretisation,
            weights,
            diagonal: vec![T::zero(); len],
            inverse: Vec::new(),
            blocks: vec![[T::zero(); 4]; shape.columns()],
            ends: vec![0; shape.columns()],
            grid,
            fields,
        };
        let mut diagonal = std::mem::take(&mut level.diagonal);
        let (mut blocks, mut ends) = (std::mem::take(&mut level.blocks), std::mem::take(&mut level.ends));
        fill_diagonal(&level.view(), &level.fields.view(shape, &level.grid.heights), &mut diagonal, &mut blocks);
        for (end, line) in ends.iter_mut().zip(diagonal.chunks(n)) {
            let last = line.iter().rposition(|d| *d > T::zero());
            *end = last.map_or(0, |j| j as u32 + 1);
        }
        level.diagonal = diagonal;
        level.blocks = blocks;
        level.ends = ends;
        level
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
    /// are left out too where no row reads them, and solids unless something is interpolated from this level.
    pub(crate) fn matrix<U: Real>(&self, solids: bool) -> Level<U> {
        let cast = |v: &[T]| v.par_iter().with_min_len(1 << 14).map(|x| U::of(x.to_double())).collect::<Vec<U>>();
        let weights = if self.unit && !self.tall { Vec::new() } else { cast(&self.weights) };
        let solid = if solids { cast(&self.fields.solid) } else { Vec::new() };
        Level {
            grid: self.grid.clone(),
            fields: Fields { phi: Vec::new(), solid, open: Vec::new(), sink: Vec::new() },
            weights,
            diagonal: cast(&self.diagonal),
            inverse: reciprocals(&self.diagonal),
            blocks: self.blocks.iter().map(|b| b.map(|v| U::of(v.to_double()))).collect(),
            ends: self.ends.clone(),
            solids: self.solids.clone(),
            unit: self.unit,
            tall: self.tall,
            discretisation: self.discretisation,
        }
    }
}

/// Reciprocals, 0 of 0.
pub fn reciprocals<T: Real, U: Real>(diagonal: &[T]) -> Vec<U> {
    let one = |d: &T| if *d > T::zero() { U::of((T::one() / *d).to_double()) } else { U::zero() };
    diagonal.par_iter().with_min_len(1 << 14).map(one).collect()
}

/// Lowest fully solid sample of every column.
fn lowest_solids<T: Real>(samples: usize, solid: &[T]) -> Vec<u32> {
    let lowest = |line: &[T]| line.iter().position(|s| *s >= T::one()).unwrap_or(samples) as u32;
    solid.chunks(samples).map(lowest).collect()
}

/// Conductances of all faces. Returns whether every face between liquid cells is fully open, so that sums over
/// neighbours need no conductances.
pub(crate) fn fill_weights<T: Real>(fields: &FieldView<'_, T>, theta_min: T, weights: &mut [T]) -> bool {
    let (n, columns) = (fields.shape.samples(), fields.shape.columns());
    let row = fields.shape.nx;
    let partly_open = weights.par_chunks_mut(n * row).enumerate().map(|(index, lines)| {
        let (plane, first) = (index * row / columns, index * row % columns);
        weight_rows(fields, plane, first, theta_min, lines)
    });
    partly_open.sum::<usize>() == 0
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn weight_rows<T: Real>(fields: &FieldView<'_, T>, plane: usize, first: usize, theta_min: T, lines: &mut [T]) -> usize {
    let lines = lines.chunks_mut(fields.shape.samples()).enumerate();
    lines.map(|(i, line)| fields.weight_line(plane, first + i, theta_min, line)).sum()
}

/// Diagonals and the blocks of tall cells.
pub(crate) fn fill_diagonal<T: Real>(
    view: &LevelView<'_, T>,
    fields: &FieldView<'_, T>,
    diagonal: &mut [T],
    blocks: &mut [[T; 4]],
) {
    let n = view.shape.samples();
    let row = view.shape.nx;
    let rows = diagonal.par_chunks_mut(n * row).zip(blocks.par_chunks_mut(row)).enumerate();
    rows.for_each(|(k, (diagonal, blocks))| diagonal_row(view, fields, k * row, diagonal, blocks));
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn diagonal_row<T: Real>(
    view: &LevelView<'_, T>,
    fields: &FieldView<'_, T>,
    first: usize,
    diagonal: &mut [T],
    blocks: &mut [[T; 4]],
) {
    let n = view.shape.samples();
    for (i, (diagonal, block)) in diagonal.chunks_mut(n).zip(blocks).enumerate() {
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
        for (d, (phi, solid)) in diagonal.iter_mut().zip(cells) {
            let unknown = *phi < T::zero() && *solid < T::one() && *d > T::of(WALLED_IN);
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
