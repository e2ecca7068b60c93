//! Sizes of the window of a tile.

use crate::tree::layout::TILE;

thalweg_wesl::constants! {
    /// Cells along x of a window: a tile and two on each side.
    pub(crate) const WIDE: usize = TILE + 4;
    /// Cells of a window.
    pub(crate) const LANES: usize = WIDE * WIDE;
}
