//! Numbers of the tree on equal cells that kernels share.

thalweg_wesl::constants! {
    use crate::tree::layout::TILE;
    /// Corners of cells along the side of a tile, and in it.
    pub(crate) const ACROSS: usize = TILE + 1;
    pub(crate) const CORNERS: usize = ACROSS * ACROSS;
    /// The depth of a corner without water around it.
    pub(crate) const NO_WATER: f32 = -1.0;
    /// Water thinner than this part of its cell is wet ground: it takes no part in the surface.
    pub(crate) const FILM: f32 = 4e-3;
    /// Share of a cell of the grid that must be wet for the water in it to have a level of its own.
    pub(crate) const FULL: f32 = 0.999;
}
