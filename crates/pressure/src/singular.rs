//! Water without any free surface: pressure up to a constant.
//!
//! A connected body of liquid that touches no air (and no vanished bubble) has only Neumann faces. Its rows add up to
//! zero, so the right-hand side must too, and a constant may be added to its pressure. Each such body is found once
//! per matrix; its right-hand side is made consistent and its mean pressure kept at zero.

use std::borrow::Cow;

use thalweg_columns::grid::{Place, is_tall, place, world_cell};
use thalweg_columns::{Real, Shape};

use crate::level::Level;

/// The bodies of liquid that touch no air.
#[derive(Debug, Clone, Default)]
pub(crate) struct Components {
    /// Samples of each body and the number of cells that each stands for.
    bodies: Vec<Vec<(u32, f64)>>,
}

/// A vertical run of connected unknowns in one column: what connectivity is decided between.
#[derive(Debug, Clone, Copy)]
struct Run {
    column: usize,
    /// Samples `first..end`.
    first: usize,
    end: usize,
}

impl Components {
    /// Finds them.
    pub(crate) fn of<T: Real>(level: &Level<T>) -> Self {
        let shape = level.grid.shape;
        let (runs, starts) = runs(level);
        let mut parent: Vec<u32> = (0..runs.len() as u32).collect();
        for (number, run) in runs.iter().enumerate() {
            let towards = [
                (!run.column.is_multiple_of(shape.nx)).then(|| run.column - 1),
                (run.column >= shape.nx).then(|| run.column - shape.nx),
            ];
            for other in towards.into_iter().flatten() {
                let first = starts[other];
                for (offset, candidate) in runs[first..starts[other + 1]].iter().enumerate() {
                    let neighbour = first + offset;
                    if find(&mut parent, neighbour) != find(&mut parent, number) && are_connected(level, run, candidate)
                    {
                        join(&mut parent, neighbour, number);
                    }
                }
            }
        }
        let mut open = vec![false; runs.len()];
        for (number, run) in runs.iter().enumerate() {
            let root = find(&mut parent, number);
            // The top of a run is where air usually is.
            open[root] = open[root] || (run.first..run.end).rev().any(|sample| touches_air(level, run.column, sample));
        }
        let mut body_of = std::collections::HashMap::new();
        let mut bodies: Vec<Vec<(u32, f64)>> = Vec::new();
        for (number, run) in runs.iter().enumerate() {
            let root = find(&mut parent, number);
            if open[root] {
                continue;
            }
            let body = *body_of.entry(root).or_insert_with(|| {
                bodies.push(Vec::new());
                bodies.len() - 1
            });
            let heights = level.grid.heights[run.column];
            for sample in run.first..run.end {
                let cells = if sample < 2 { 0.5 * f64::from(heights[1] - heights[0]) } else { 1.0 };
                bodies[body].push(((run.column * shape.samples() + sample) as u32, cells));
            }
        }
        Self { bodies }
    }

    /// Whether every body of liquid touches air.
    pub(crate) fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// A right-hand side whose rows add up to zero in every body, changed by the same amount per cell.
    pub(crate) fn consistent<'a, T: Real>(&self, b: &'a [T]) -> Cow<'a, [T]> {
        if self.is_empty() {
            return Cow::Borrowed(b);
        }
        let mut b = b.to_vec();
        for body in &self.bodies {
            let cells: f64 = body.iter().map(|(_, m)| m).sum();
            let sum: f64 = body.iter().map(|(i, _)| b[*i as usize].to_double()).sum();
            for (i, m) in body {
                b[*i as usize] -= T::of(sum / cells * m);
            }
        }
        Cow::Owned(b)
    }

    /// Takes the mean of every body away.
    pub(crate) fn remove_mean<T: Real>(&self, x: &mut [T]) {
        for body in &self.bodies {
            let cells: f64 = body.iter().map(|(_, m)| m).sum();
            let mean: f64 = body.iter().map(|(i, m)| x[*i as usize].to_double() * m).sum::<f64>() / cells;
            for (i, _) in body {
                x[*i as usize] -= T::of(mean);
            }
        }
    }
}

/// All runs in the order of their columns, and where the runs of each column start.
fn runs<T: Real>(level: &Level<T>) -> (Vec<Run>, Vec<usize>) {
    let shape = level.grid.shape;
    let (n, len) = (shape.samples(), shape.len());
    let mut runs = Vec::new();
    let mut starts = Vec::with_capacity(shape.columns() + 1);
    for column in 0..shape.columns() {
        starts.push(runs.len());
        let mut first = None;
        for sample in 0..=level.ends[column] as usize {
            let index = column * n + sample;
            let wet = sample < level.ends[column] as usize && level.diagonal[index] > T::zero();
            let joined = wet && first.is_some() && level.weights[len + index] > T::zero();
            if !joined && let Some(first) = first.take() {
                runs.push(Run { column, first, end: sample });
            }
            if wet && !joined {
                first = Some(sample);
            }
        }
    }
    starts.push(runs.len());
    (runs, starts)
}

/// World cells of a run: lowest, and one past the highest. The ends of a tall cell stand for all of its cells.
fn extent<T: Real>(level: &Level<T>, run: &Run) -> (i32, i32) {
    let heights = level.grid.heights[run.column];
    let cell = |sample: usize| world_cell(heights, sample);
    let low = if is_tall(heights) && run.first < 2 { heights[0] } else { cell(run.first) };
    let high = if is_tall(heights) && run.end < 2 { heights[1] } else { cell(run.end - 1) + 1 };
    (low, high)
}

/// Whether water can flow between two runs of neighbouring columns.
fn are_connected<T: Real>(level: &Level<T>, a: &Run, b: &Run) -> bool {
    let view = level.view();
    let ((low_a, high_a), (low_b, high_b)) = (extent(level, a), extent(level, b));
    (low_a.max(low_b)..high_a.min(high_b)).any(|y| view.weight_between(a.column, b.column, y) > T::zero())
}

/// Whether a sample conducts to something that is no unknown.
fn touches_air<T: Real>(level: &Level<T>, column: usize, sample: usize) -> bool {
    let Shape { nx, nz, .. } = level.grid.shape;
    let n = level.grid.shape.samples();
    let (index, up) = (column * n + sample, level.grid.shape.len() + column * n);
    let dry = |index: usize| level.diagonal[index] <= T::zero();
    if level.fields.sink.get(index).is_some_and(|s| *s > T::zero())
        || (sample > 0 && level.weights[up + sample] > T::zero() && dry(index - 1))
        || (sample + 1 < n && level.weights[up + sample + 1] > T::zero() && dry(index + 1))
        || (sample + 1 == n && level.weights[up] > T::zero())
    {
        return true;
    }
    let own = level.grid.heights[column];
    let cells = if is_tall(own) && sample < 2 {
        own[0]..own[1]
    } else {
        let y = world_cell(own, sample);
        y..y + 1
    };
    let view = level.view();
    let side = |exists: bool, other: usize| {
        exists
            && cells.clone().any(|y| {
                view.weight_between(column, other, y) > T::zero()
                    && match place::<T>(level.grid.heights[other], n, y) {
                        Place::Cell(j) => dry(other * n + j),
                        Place::Tall(_) => dry(other * n) && dry(other * n + 1),
                        Place::Terrain | Place::Above => false,
                    }
            })
    };
    let (i, k) = (column % nx, column / nx);
    side(i > 0, column.wrapping_sub(1))
        || side(i + 1 < nx, column + 1)
        || side(k > 0, column.wrapping_sub(nx))
        || side(k + 1 < nz, column + nx)
}

fn find(parent: &mut [u32], mut index: usize) -> usize {
    while parent[index] as usize != index {
        let up = parent[parent[index] as usize];
        parent[index] = up;
        index = up as usize;
    }
    index
}

fn join(parent: &mut [u32], a: usize, b: usize) {
    let (a, b) = (find(parent, a), find(parent, b));
    let (low, high) = (a.min(b), a.max(b));
    parent[high] = low as u32;
}
