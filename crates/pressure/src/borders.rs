//! Extra relaxation where coarse levels are blind: near surfaces, bubbles, droplets and solids.

use rayon::prelude::*;
use thalweg_columns::grid::{is_tall, world_cell};
use thalweg_columns::{Real, Shape};

use crate::level::Level;
use crate::rows::Lines;

/// Cells of one colour near a surface or solid, in the order of memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct BorderCells {
    /// Cells inside the grid whose four neighbouring columns stand at the same height: neighbours lie at fixed
    /// distances in memory.
    level: Vec<u32>,
    /// All others.
    uneven: Vec<u32>,
    /// Where the cells of each row of columns begin in both lists.
    rows: Vec<[u32; 2]>,
}

impl BorderCells {
    fn begin_row(&mut self) {
        self.rows.push([self.level.len() as u32, self.uneven.len() as u32]);
    }

    fn row(&self, k: usize) -> (&[u32], &[u32]) {
        let ([a, b], [c, d]) = (self.rows[k], self.rows[k + 1]);
        (&self.level[a as usize..c as usize], &self.uneven[b as usize..d as usize])
    }
}

/// The red and the black cells within `width` cells of a face that is not fully liquid and open.
pub(crate) fn border_cells<T: Real>(level: &Level<T>, width: usize) -> [BorderCells; 2] {
    let shape = level.grid.shape;
    let (n, len) = (shape.samples(), shape.len());
    let mut near = vec![false; len];
    let view = level.view();
    near.par_chunks_mut(n).enumerate().for_each(|(column, near)| {
        view.irregular_line(column, near);
        for (near, d) in near.iter_mut().zip(&level.diagonal[column * n..(column + 1) * n]) {
            *near &= *d > T::zero();
        }
    });
    for _ in 1..width {
        near = widened(level, &near);
    }
    let mut cells = [BorderCells::default(), BorderCells::default()];
    for column in 0..shape.columns() {
        let (i, k) = (column % shape.nx, column / shape.nx);
        if i == 0 {
            cells.iter_mut().for_each(BorderCells::begin_row);
        }
        let heights = level.grid.heights[column];
        let first = if is_tall(heights) { 2 } else { 0 };
        let even = i > 0
            && k > 0
            && i + 1 < shape.nx
            && k + 1 < shape.nz
            && [column - 1, column + 1, column - shape.nx, column + shape.nx]
                .iter()
                .all(|c| level.grid.heights[*c] == heights);
        for sample in first..level.ends[column] as usize {
            let index = column * n + sample;
            if near[index] && level.diagonal[index] > T::zero() {
                let colour = (i as i32 + k as i32 + world_cell(heights, sample)).rem_euclid(2) as usize;
                let inside = even && sample > first && sample + 1 < n;
                let list = if inside { &mut cells[colour].level } else { &mut cells[colour].uneven };
                list.push(index as u32);
            }
        }
    }
    cells.iter_mut().for_each(BorderCells::begin_row);
    cells
}

/// Adds the face neighbours of marked cells.
fn widened<T: Real>(level: &Level<T>, near: &[bool]) -> Vec<bool> {
    let Shape { nx, nz, .. } = level.grid.shape;
    let n = level.grid.shape.samples();
    let mut out = near.to_vec();
    out.par_chunks_mut(n).enumerate().for_each(|(column, out)| {
        let (i, k) = (column % nx, column / nx);
        let own = level.grid.heights[column];
        let line = |c: usize| &near[c * n..(c + 1) * n];
        for (o, below) in out[1..].iter_mut().zip(line(column)) {
            *o |= below;
        }
        for (o, above) in out.iter_mut().zip(&line(column)[1..]) {
            *o |= above;
        }
        let mut from = |exists: bool, other: usize| {
            if !exists {
                return;
            }
            let shift = (own[1] - level.grid.heights[other][1]) as isize;
            let lo = (-shift).clamp(0, n as isize) as usize;
            let hi = (n as isize - shift).clamp(0, n as isize) as usize;
            if lo < hi {
                let there = &line(other)[lo.wrapping_add_signed(shift)..hi.wrapping_add_signed(shift)];
                for (o, near) in out[lo..hi].iter_mut().zip(there) {
                    *o |= near;
                }
            }
        };
        from(i > 0, column.wrapping_sub(1));
        from(i + 1 < nx, column + 1);
        from(k > 0, column.wrapping_sub(nx));
        from(k + 1 < nz, column + nx);
    });
    out
}

/// Relaxes the cells of both colours in place, `sweeps` times; red first if `forwards`.
///
/// All sweeps run over the rows of columns in one wave, each half sweep one row behind the one before it: a row is
/// then still in the cache when the next half sweep wants it. The result is that of whole half sweeps one after the
/// other, because a half sweep reads the other colour of its own row and of the rows beside it, no more.
pub(crate) fn relax_borders<T: Real>(
    level: &Level<T>,
    b: &[T],
    borders: &[BorderCells; 2],
    sweeps: usize,
    forwards: bool,
    x: &mut [T],
) {
    let nz = level.grid.shape.nz;
    for front in 0..nz + 2 * sweeps {
        for half in 0..2 * sweeps {
            if let Some(k) = front.checked_sub(half).filter(|k| *k < nz) {
                let colour = if forwards { half & 1 } else { 1 - (half & 1) };
                relax_row(level, b, borders[colour].row(k), x);
            }
        }
    }
}

fn relax_row<T: Real>(level: &Level<T>, b: &[T], (even, uneven): (&[u32], &[u32]), x: &mut [T]) {
    let shape = level.grid.shape;
    let (n, len) = (shape.samples(), shape.len());
    let row = shape.nx * n;
    if level.unit {
        for &i in even {
            let i = i as usize;
            let sum = (x[i - 1] + x[i + 1]) + (x[i - n] + x[i + n]) + (x[i - row] + x[i + row]);
            x[i] = (b[i] + sum) * level.inverse[i];
        }
    } else {
        let (along_x, up, along_z) = (&level.weights[..len], &level.weights[len..2 * len], &level.weights[2 * len..]);
        for &i in even {
            let i = i as usize;
            let sum = (up[i] * x[i - 1] + up[i + 1] * x[i + 1])
                + (along_x[i] * x[i - n] + along_x[i + n] * x[i + n])
                + (along_z[i] * x[i - row] + along_z[i + row] * x[i + row]);
            x[i] = (b[i] + sum) * level.inverse[i];
        }
    }
    let view = level.view();
    for &index in uneven {
        let index = index as usize;
        let sum = view.cell_sum(&Lines::of(shape, x, index / n), index / n, index % n);
        x[index] = (b[index] + sum) * level.inverse[index];
    }
}
