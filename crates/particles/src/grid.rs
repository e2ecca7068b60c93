//! The grid of cells in which particles find their neighbours, and the order in which all kernels walk it.
//!
//! Cells are a little larger than the kernel's radius and numbered x first, then y, then z. All neighbours of a
//! particle are in its own cell and the 26 around it: nine runs of three cells, each a contiguous run of particles.
//! The grid has an empty layer around it, so that no run ends at a side. A particle outside of the domain belongs to
//! the nearest cell, which keeps neighbours in cells beside each other: the grid may be too coarse there, it never
//! misses one.

use std::ops::Range;

use crate::constants::extent;
use crate::params::StepParams;

/// Number of the cell that a place is in. It is decided once, by `neighbours::count`, and stored.
pub(crate) fn cell_of(p: &StepParams, place: [f32; 4]) -> u32 {
    let along = |x: f32, cells: u32| (x * p.per_cell).floor().clamp(0.0, (cells - 3) as f32) as u32 + 1;
    let [x, y, z] = [along(place[0], p.cells_x), along(place[1], p.cells_y), along(place[2], p.cells_z)];
    x + p.cells_x * (y + p.cells_y * z)
}

/// How many cells there are; it is also the number that stands for no cell.
pub(crate) fn cells(p: &StepParams) -> u32 {
    p.cells_x * p.cells_y * p.cells_z
}

/// Particles in the order of their cells.
#[derive(Clone, Copy)]
pub(crate) struct Grid<'a> {
    /// Steps from a row of cells to the next one along y and along z.
    strides: [u32; 2],
    /// First particle of every cell.
    starts: &'a [u32],
    /// The cell of every particle.
    cells: &'a [u32],
    /// Particles alive.
    pub(crate) count: usize,
}

impl<'a> Grid<'a> {
    pub(crate) fn new(p: &StepParams, extent_words: &[u32], starts: &'a [u32], cells: &'a [u32]) -> Self {
        Self { strides: [p.cells_x, p.cells_x * p.cells_y], starts, cells, count: extent_words[extent::COUNT] as usize }
    }

    /// The particles around a cell: nine runs.
    pub(crate) fn runs(&self, cell: u32) -> [Range<usize>; 9] {
        let [y, z] = self.strides;
        std::array::from_fn(|n| {
            let row = cell + (n as u32 % 3) * y + (n as u32 / 3) * z - y - z;
            self.starts[row as usize - 1] as usize..self.starts[row as usize + 2] as usize
        })
    }

    /// The particles `range`, cut where the cell changes.
    pub(crate) fn by_cell(self, range: Range<usize>) -> impl Iterator<Item = (u32, Range<usize>)> + 'a {
        let mut at = range.start;
        std::iter::from_fn(move || {
            let cell = *self.cells[..range.end].get(at)?;
            let first = at;
            at += self.cells[at..range.end].iter().take_while(|other| **other == cell).count();
            Some((cell, first..at))
        })
    }
}
