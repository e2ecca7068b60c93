//! Where everything lies: all levels of a kind behind each other in one buffer, finest first.
//!
//! | buffer | contents |
//! | --- | --- |
//! | `heights` | `[H, T]` per column |
//! | `open` | per level: open fractions of x faces, y faces, z faces |
//! | `cells` | planes over all samples, see [`plane`](crate::constants::plane) |
//! | `matrix` | per level: conductances of x faces, y faces, z faces; then the 2×2 block of every column |
//! | `marks` | four flags per level, see [`flag`]; then per column one past its last unknown; then per column its lowest solid sample |
//! | `direct` | the inverse of the coarsest level's matrix, column by column, if it is small |
//! | `x`, `b` | values and right-hand side per sample |
//!
//! One set of buffers for all levels lets one workgroup walk through the coarse ones, and keeps the finest level at the
//! start of each buffer.

use thalweg_columns::Shape;

use crate::constants::{COARSEST, PARTIALS, flag};

/// One level inside the packed buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedLevel {
    pub(crate) shape: Shape,
    /// Columns of all finer levels.
    pub(crate) column_at: usize,
    /// Samples of all finer levels.
    pub(crate) sample_at: usize,
    /// Its number, 0 for the finest.
    pub(crate) number: usize,
}

impl PackedLevel {
    /// Rebuilds a level from the words that kernels get.
    pub(crate) fn of(nx: u32, nz: u32, samples: u32, column_at: u32, sample_at: u32, number: u32) -> Self {
        let shape = Shape { nx: nx as usize, nz: nz as usize, regular: samples as usize - 2 };
        Self { shape, column_at: column_at as usize, sample_at: sample_at as usize, number: number as usize }
    }

    /// The next coarser level, which follows in memory.
    pub(crate) fn coarser(&self) -> Self {
        Self {
            shape: self.shape.coarser(),
            column_at: self.column_at + self.shape.columns(),
            sample_at: self.sample_at + self.shape.len(),
            number: self.number + 1,
        }
    }

    /// Its columns.
    pub(crate) fn columns(&self) -> std::ops::Range<usize> {
        self.column_at..self.column_at + self.shape.columns()
    }

    /// Its samples.
    pub(crate) fn samples(&self) -> std::ops::Range<usize> {
        self.sample_at..self.sample_at + self.shape.len()
    }

    /// Its faces in `open` and `matrix`.
    pub(crate) fn faces(&self) -> std::ops::Range<usize> {
        3 * self.sample_at..3 * (self.sample_at + self.shape.len())
    }
}

/// All levels of a hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) levels: Vec<PackedLevel>,
}

impl Layout {
    /// Halves a shape until at most [`COARSEST`] samples or four columns are left, as on the host.
    pub(crate) fn new(shape: Shape) -> Self {
        let mut levels = vec![PackedLevel { shape, column_at: 0, sample_at: 0, number: 0 }];
        while let Some(last) = levels.last() {
            if last.shape.len() <= COARSEST || (last.shape.nx <= 2 && last.shape.nz <= 2) {
                break;
            }
            levels.push(last.coarser());
        }
        Self { levels }
    }

    fn end(&self) -> PackedLevel {
        self.levels[self.levels.len() - 1].coarser()
    }

    /// Columns of all levels.
    pub(crate) fn columns(&self) -> usize {
        self.end().column_at
    }

    /// Samples of all levels.
    pub(crate) fn samples(&self) -> usize {
        self.end().sample_at
    }

    /// Where the ends of columns begin in `marks`.
    pub(crate) fn ends_at(&self) -> usize {
        flag::COUNT * self.levels.len()
    }

    /// Where the lowest solid samples of columns begin in `marks`.
    pub(crate) fn solids_at(&self) -> usize {
        self.ends_at() + self.columns()
    }

    /// Where the blocks begin in `matrix`.
    pub(crate) fn blocks_at(&self) -> usize {
        3 * self.samples()
    }

    /// Samples of the coarsest level, if they are few enough for the inverse of its matrix.
    pub(crate) fn coarsest_unknowns(&self) -> Option<usize> {
        self.levels.last().map(|level| level.shape.len()).filter(|n| *n <= COARSEST)
    }

    /// The first level that one workgroup takes over: at most `samples` samples, or the coarsest.
    pub(crate) fn tail(&self, samples: usize) -> usize {
        self.levels.iter().position(|l| l.shape.len() <= samples).unwrap_or(self.levels.len() - 1)
    }
}

/// Invocations that share a column: one for four of its regular cells, so that each looks up the neighbours once for
/// several; a power of two, 8 to 256.
pub(crate) fn lanes(samples: usize) -> usize {
    ((samples.max(4) - 2).next_power_of_two() / 4).clamp(8, thalweg_compute::WORKGROUP as usize)
}

/// Workgroups of kernels with one invocation per sample.
pub(crate) fn column_groups(shape: Shape) -> usize {
    shape.columns().div_ceil(thalweg_compute::WORKGROUP as usize / lanes(shape.samples()))
}

/// Workgroups of kernels that reduce: one partial result each.
pub fn reduction_groups(len: usize) -> usize {
    len.div_ceil(thalweg_compute::WORKGROUP as usize).clamp(1, PARTIALS)
}
