//! Where everything lies: all levels of a kind behind each other in one buffer, finest first.
//!
//! | buffer | contents |
//! | --- | --- |
//! | `heights` | `[H, T]` per column |
//! | `open` | per level: open fractions of x faces, y faces, z faces |
//! | `cells` | planes over all samples, see [`plane`] |
//! | `matrix` | per level: conductances of x faces, y faces, z faces; then the 2×2 block of every column |
//! | `marks` | four flags per level, see [`flag`]; then per column one past its last unknown; then per column its lowest solid sample |
//! | `direct` | the inverse of the coarsest level's matrix, column by column, if it is small |
//! | `x`, `b` | values and right-hand side per sample |
//!
//! One set of buffers for all levels lets one workgroup walk through the coarse ones, and keeps the finest level at the
//! start of each buffer.

use thalweg_columns::Shape;

/// Planes of the buffer `cells`; each holds one number per sample of all levels.
pub mod plane {
    /// Level set in cells, negative in water.
    pub const PHI: usize = 0;
    /// Solid fraction.
    pub const SOLID: usize = 1;
    /// Conductance to vanished bubbles.
    pub const SINK: usize = 2;
    /// Sum of conductances, 0 where there is no unknown.
    pub const DIAGONAL: usize = 3;
    /// Reciprocal of the diagonal, or 0.
    pub const INVERSE: usize = 4;
    /// How many planes there are.
    pub const COUNT: usize = 5;
}

/// Flags of a level in the buffer `marks`. They are set when a level is built.
pub mod flag {
    /// Some face between liquid cells does not conduct exactly 1.
    pub const NOT_UNIT: usize = 0;
    /// Some face conducts to air.
    pub const TOUCHES_AIR: usize = 1;
    /// Some column has a true tall cell.
    pub const HAS_TALL: usize = 2;
    /// Words per level.
    pub const COUNT: usize = 4;
}

/// Samples of a level that needs no coarser one and is solved directly, as on the host.
const COARSEST: usize = 128;

/// Partial results that a reduction leaves at most.
pub const PARTIALS: usize = 1024;

/// Reductions, each with [`PARTIALS`] words of the buffer `partials`.
pub mod slot {
    /// `r·z`.
    pub const RZ: usize = 0;
    /// `q·z`.
    pub const QZ: usize = 1;
    /// `z` over cells.
    pub const ZM: usize = 2;
    /// `p·q`.
    pub const PQ: usize = 3;
    /// Largest residual.
    pub const MAX_R: usize = 4;
    /// Largest right-hand side.
    pub const MAX_B: usize = 5;
    /// Sum of the right-hand side.
    pub const SUM_B: usize = 6;
    /// Cells.
    pub const SUM_M: usize = 7;
    /// How many there are.
    pub const COUNT: usize = 8;
}

/// Words of the buffer `scalars`; the history of residuals follows.
pub mod scalar {
    /// Whether no water touches air.
    pub const SINGULAR: usize = 0;
    /// Step along the search direction.
    pub const ALPHA: usize = 1;
    /// `r·z` of the last iteration.
    pub const RZ: usize = 2;
    /// Whether a number is not finite.
    pub const BROKEN: usize = 3;
    /// Entries of the history.
    pub const RECORDED: usize = 4;
    /// Whether the solve has ended.
    pub const STOPPED: usize = 5;
    /// Largest residual that is good enough.
    pub const BOUND: usize = 6;
    /// How many there are.
    pub const COUNT: usize = 8;
}

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
