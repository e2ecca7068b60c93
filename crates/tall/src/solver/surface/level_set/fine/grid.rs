//! Where the fine lattice lies in the columns of the simulation.
//!
//! A fine cell has half the edge of a cell. A column `[H, T]` of `n` samples holds fine columns `[2H, 2T − 2]` of `2n`
//! samples, so that both end at the same height and the fine samples `2s` and `2s + 1` lie in the cell of sample `s`;
//! only below the cell `T − 1` a tall cell has fine lines. On a uniform grid, `T = H + 2`, all fine cells are cubic.
//! Along an axis with one column there is one fine column too: a slice stays a slice.

use thalweg_columns::interpolate::cell_at;
use thalweg_columns::{Heights, Shape};

/// Heights of the fine columns in a column, fine cells.
#[inline(always)]
pub(crate) fn fine_heights([bottom, top]: Heights) -> Heights {
    [2 * bottom, 2 * top - 2]
}

/// The columns and the fine ones in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FineGrid {
    pub(crate) coarse: Shape,
    /// Fine columns per column along x and z.
    pub(crate) ratio: [usize; 2],
}

impl FineGrid {
    pub(crate) fn new(coarse: Shape) -> Self {
        Self { coarse, ratio: [coarse.nx, coarse.nz].map(|count| if count > 1 { 2 } else { 1 }) }
    }

    /// The fine lattice.
    #[inline(always)]
    pub(crate) fn shape(&self) -> Shape {
        let Shape { nx, nz, regular } = self.coarse;
        Shape { nx: nx * self.ratio[0], nz: nz * self.ratio[1], regular: 2 * regular + 2 }
    }

    /// Fine columns in a column.
    #[inline(always)]
    pub(crate) fn columns_inside(&self) -> usize {
        self.ratio[0] * self.ratio[1]
    }

    /// The column that holds a fine one.
    #[inline(always)]
    pub(crate) fn coarse_column(&self, fine: usize) -> usize {
        let nx = self.coarse.nx * self.ratio[0];
        fine % nx / self.ratio[0] + self.coarse.nx * (fine / nx / self.ratio[1])
    }

    /// A fine column of a column, by its number among them.
    #[inline(always)]
    pub(crate) fn fine_column(&self, column: usize, number: usize) -> usize {
        let (i, k) = (column % self.coarse.nx, column / self.coarse.nx);
        let (x, z) = (number % self.ratio[0], number / self.ratio[0]);
        i * self.ratio[0] + x + self.coarse.nx * self.ratio[0] * (k * self.ratio[1] + z)
    }

    /// The fine level sets in a world cell: the cells of a sum, lower before upper, fine column by fine column.
    #[inline(always)]
    pub(crate) fn inside<'a>(
        &'a self,
        fine: &'a [f32],
        heights: Heights,
        column: usize,
        y: i32,
    ) -> impl Iterator<Item = f32> + 'a {
        let n = 2 * self.coarse.samples();
        let heights = fine_heights(heights);
        (0..self.columns_inside()).flat_map(move |number| {
            let line = &fine[self.fine_column(column, number) * n..][..n];
            [cell_at(line, heights, 2 * y), cell_at(line, heights, 2 * y + 1)]
        })
    }
}
