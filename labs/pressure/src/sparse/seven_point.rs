//! The seven-point matrix of a uniform grid, over its water cells only.

use super::pcg::LinearOperator;
use super::reduce::{CHUNK, dot_serial};
use rayon::prelude::*;
use std::sync::Arc;
use thalweg_columns::Real;
use thalweg_pressure::{Csr, NONE};

/// A symmetric matrix with at most six entries beside the diagonal in a row, all −1.
///
/// Where the unknowns are numbered row by row, the neighbours of one row of cells are slices of the other rows. So
/// the matrix stores, for each run of cells, where those slices start: no index is loaded per cell, and the loops are
/// vector code.
#[derive(Debug, Clone, PartialEq)]
pub struct SevenPoint<T> {
    pub(super) diag: Vec<T>,
    /// Shared with the factors of the matrix.
    pub(super) runs: Arc<[Run]>,
    /// First run of each chunk of [`CHUNK`] unknowns, and the number of runs: a run never crosses into another chunk.
    chunk_runs: Vec<u32>,
    /// Stands for the neighbours on a side where a run has none.
    pub(super) zeros: Vec<T>,
}

/// Consecutive unknowns, each a neighbour of the next, whose other neighbours all lie at the same distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) len: u32,
    /// Distances to the neighbours before the run, negative; 0 where there is none.
    pub(super) before: [i32; 3],
    /// Distances to the neighbours after the run, positive; 0 where there is none. None is shorter than the run, so
    /// that it touches no neighbour of its own beside those next to each other.
    pub(super) after: [i32; 3],
    /// Whether the first unknown is a neighbour of the one before it.
    pub(super) joins_previous: bool,
    /// Whether the last unknown is a neighbour of the one after it.
    pub(super) joins_next: bool,
}

impl Run {
    /// The unknowns of the run.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }

    /// The neighbours at `distance` of all the unknowns of the run; `zeros` where there are none. The slice `x`
    /// starts at unknown `origin`.
    #[inline(always)]
    pub(super) fn side<'a, T>(&self, x: &'a [T], origin: usize, distance: i32, zeros: &'a [T]) -> &'a [T] {
        let len = self.len as usize;
        if distance == 0 {
            &zeros[..len]
        } else {
            let first = (self.start as usize).wrapping_add_signed(distance as isize) - origin;
            &x[first..first + len]
        }
    }

    /// Neighbours after unknown `u` of the run.
    pub(super) fn neighbours_after(&self, u: usize) -> usize {
        let next = self.joins_next || u + 1 < self.range().end;
        self.after.iter().filter(|d| **d != 0).count() + usize::from(next)
    }

    /// The neighbours before unknown `u` of the run.
    pub(super) fn before(&self, u: usize) -> impl Iterator<Item = usize> + '_ {
        let previous = (self.joins_previous || u > self.start as usize).then(|| u - 1);
        let far = self.before.iter().filter(|d| **d != 0);
        far.map(move |d| u.wrapping_add_signed(*d as isize)).chain(previous)
    }
}

impl<T: Real> SevenPoint<T> {
    /// The matrix with diagonal `diag` and −1 for each of the neighbours −x, +x, −y, +y, −z, +z ([`NONE`] where there
    /// is none). Unknowns may be numbered in any order in which −x, −y and −z come first; rows along one axis are
    /// fastest. No two neighbours of an unknown may be neighbours of each other, which holds on every grid.
    ///
    /// # Panics
    ///
    /// If the lists have different lengths, a neighbour is on the wrong side, or the relation is not mutual.
    pub fn new(neighbours: [Vec<u32>; 6], diag: Vec<T>) -> Self {
        check(&neighbours, diag.len());
        let mut runs: Vec<Run> = Vec::new();
        let mut chunk_runs = Vec::with_capacity(diag.len() / CHUNK + 2);
        for u in 0..diag.len() {
            let single = single_run(&neighbours, u);
            let new_chunk = u.is_multiple_of(CHUNK);
            if new_chunk {
                chunk_runs.push(runs.len() as u32);
            }
            match runs.last_mut() {
                Some(run) if !new_chunk && extends(run, &single) => {
                    run.len += 1;
                    run.joins_next = single.joins_next;
                }
                _ => runs.push(single),
            }
        }
        chunk_runs.push(runs.len() as u32);
        Self { diag, runs: runs.into(), chunk_runs, zeros: vec![T::zero(); CHUNK] }
    }

    /// The diagonal.
    pub fn diagonal(&self) -> &[T] {
        &self.diag
    }

    /// The same matrix in compressed rows.
    pub fn to_csr(&self) -> Csr<T> {
        let n = self.diag.len();
        let mut rows: Vec<Vec<(u32, T)>> = self.diag.iter().enumerate().map(|(u, d)| vec![(u as u32, *d)]).collect();
        for run in self.runs.iter() {
            for u in run.range() {
                for o in run.before(u) {
                    rows[u].push((o as u32, -T::one()));
                    rows[o].push((u as u32, -T::one()));
                }
            }
        }
        Csr::from_rows(n, rows.into_iter())
    }

    /// `y = A x` for one chunk of `y`.
    fn apply_chunk(&self, chunk: usize, x: &[T], y: &mut [T]) {
        let origin = chunk * CHUNK;
        for run in &self.runs[self.chunk_runs[chunk] as usize..self.chunk_runs[chunk + 1] as usize] {
            let side = |distance| run.side(x, 0, distance, &self.zeros);
            let (b0, b1, a0, a1) = (side(run.before[0]), side(run.before[1]), side(run.after[0]), side(run.after[1]));
            let range = run.range();
            let (diag, own) = (&self.diag[range.clone()], &x[range.clone()]);
            let y = &mut y[range.start - origin..range.end - origin];
            let last = y.len() - 1;
            let far = |i: usize| diag[i] * own[i] - ((b0[i] + b1[i]) + (a0[i] + a1[i]));
            for i in 1..last {
                y[i] = far(i) - (own[i - 1] + own[i + 1]);
            }
            y[0] = far(0);
            if last > 0 {
                y[0] -= own[1];
                y[last] = far(last) - own[last - 1];
            }
            if run.before[2] != 0 || run.after[2] != 0 {
                let (b2, a2) = (side(run.before[2]), side(run.after[2]));
                for i in 0..=last {
                    y[i] -= b2[i] + a2[i];
                }
            }
            if run.joins_previous {
                y[0] -= x[range.start - 1];
            }
            if run.joins_next {
                y[last] -= x[range.end];
            }
        }
    }
}

impl<T: Real> LinearOperator<T> for SevenPoint<T> {
    fn unknowns(&self) -> usize {
        self.diag.len()
    }

    fn apply(&self, x: &[T], y: &mut [T]) {
        assert_eq!((x.len(), y.len()), (self.diag.len(), self.diag.len()), "lengths of x and y");
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| self.apply_chunk(chunk, x, y));
    }

    fn apply_dot(&self, x: &[T], y: &mut [T]) -> f64 {
        assert_eq!((x.len(), y.len()), (self.diag.len(), self.diag.len()), "lengths of x and y");
        let tasks = y.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).enumerate();
        let partial: Vec<f64> = tasks
            .map(|(chunk, (y, own))| {
                self.apply_chunk(chunk, x, y);
                dot_serial(own, y)
            })
            .collect();
        partial.iter().sum()
    }
}

/// The run of unknown `u` alone.
fn single_run(neighbours: &[Vec<u32>; 6], u: usize) -> Run {
    let far = |side: usize| {
        // The neighbours that are there come first, so that the third place is empty in rows along an axis.
        let mut distances = [0; 3];
        let mut joined = false;
        let mut count = 0;
        for list in neighbours.iter().skip(side).step_by(2).filter(|list| list[u] != NONE) {
            let distance = i64::from(list[u]) - u as i64;
            if distance.abs() == 1 {
                joined = true;
            } else {
                distances[count] = i32::try_from(distance).expect("neighbours are less than 2^31 unknowns apart");
                count += 1;
            }
        }
        (distances, joined)
    };
    let (before, joins_previous) = far(0);
    let (after, joins_next) = far(1);
    Run { start: u as u32, len: 1, before, after, joins_previous, joins_next }
}

/// Whether the unknown `next` continues the run that ends before it.
fn extends(run: &Run, next: &Run) -> bool {
    let nearest = run.before.iter().chain(&run.after).filter(|d| **d != 0).map(|d| d.unsigned_abs()).min();
    run.joins_next && (run.before, run.after) == (next.before, next.after) && run.len < nearest.unwrap_or(u32::MAX)
}

fn check(neighbours: &[Vec<u32>; 6], unknowns: usize) {
    assert!(unknowns < NONE as usize, "at most u32::MAX - 1 unknowns");
    assert!(neighbours.iter().all(|list| list.len() == unknowns), "one neighbour per unknown and side");
    for axis in 0..3 {
        let (before, after) = (&neighbours[2 * axis], &neighbours[2 * axis + 1]);
        let wrong = (0..unknowns as u32).find(|u| {
            let (b, a) = (before[*u as usize], after[*u as usize]);
            let before_is_right = b == NONE || (b < *u && after[b as usize] == *u);
            let after_is_right = a == NONE || (a > *u && before.get(a as usize) == Some(u));
            !(before_is_right && after_is_right)
        });
        assert_eq!(wrong, None, "unknown whose neighbours along axis {axis} are misplaced or not mutual");
    }
}
