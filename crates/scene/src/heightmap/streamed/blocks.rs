//! How a raster is cut into blocks. Pixels count from the south-west, whatever the file does.

use std::ops::Range;

/// A raster of `width × height` pixels in blocks of equal size; those of the last column and the last row may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Blocks {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Pixels of a block along x and z, at most those of the raster.
    pub(super) block: [u32; 2],
    /// Whether the first row of blocks is the northern one, as in TIFF files.
    pub(super) from_north: bool,
}

impl Blocks {
    /// Blocks along x and z.
    pub(super) fn counts(&self) -> [u32; 2] {
        [self.width.div_ceil(self.block[0]), self.height.div_ceil(self.block[1])]
    }

    /// A number for each block, row by row.
    pub(super) fn number(&self, [x, z]: [u32; 2]) -> u64 {
        u64::from(x) + u64::from(self.counts()[0]) * u64::from(z)
    }

    /// The column of blocks that holds a column of pixels.
    pub(super) fn column_of(&self, column: u32) -> u32 {
        column / self.block[0]
    }

    /// The row of blocks that holds a row of pixels.
    pub(super) fn row_of(&self, row: u32) -> u32 {
        if self.from_north { (self.height - 1 - row) / self.block[1] } else { row / self.block[1] }
    }

    /// Columns of pixels of a column of blocks.
    pub(super) fn columns(&self, x: u32) -> Range<u32> {
        let first = x * self.block[0];
        first..first.saturating_add(self.block[0]).min(self.width)
    }

    /// Rows of pixels of a row of blocks, from the south.
    pub(super) fn rows(&self, z: u32) -> Range<u32> {
        let first = z * self.block[1];
        let last = first.saturating_add(self.block[1]).min(self.height);
        if self.from_north { self.height - last..self.height - first } else { first..last }
    }

    /// Pixels of a block along x and z.
    pub(super) fn size(&self, [x, z]: [u32; 2]) -> [u32; 2] {
        [self.columns(x).len() as u32, self.rows(z).len() as u32]
    }

    /// Memory that a whole block takes, bytes.
    pub(super) fn bytes(&self) -> u64 {
        4 * u64::from(self.block[0]) * u64::from(self.block[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_is_in_one_block() {
        for from_north in [false, true] {
            let blocks = Blocks { width: 70, height: 50, block: [16, 32], from_north };
            assert_eq!(blocks.counts(), [5, 2]);
            for row in 0..50 {
                assert!(blocks.rows(blocks.row_of(row)).contains(&row));
            }
            for column in 0..70 {
                assert!(blocks.columns(blocks.column_of(column)).contains(&column));
            }
            assert_eq!((0..2).map(|z| blocks.rows(z).len()).sum::<usize>(), 50);
            assert_eq!(blocks.size([4, 1]), [6, 18], "the last block is cut");
        }
        let north = Blocks { width: 1, height: 50, block: [1, 32], from_north: true };
        assert_eq!((north.rows(0), north.rows(1)), (18..50, 0..18));
    }
}
