//! Words of a result. Floats are stored by their bits.

thalweg_wesl::constants! {
    /// Cells that are full of water.
    pub(crate) const FULL: usize = 0;
    /// Volume in the other cells, float, cells.
    pub(crate) const PART: usize = 1;
    /// `Σ ½ u²`, float, m²/s² times cells.
    pub(crate) const ENERGY: usize = 2;
    /// Largest component of the velocity at faces of wet cells, float, m/s. As integers, magnitudes are ordered like
    /// the numbers.
    pub(crate) const SPEED: usize = 3;
    /// Highest wet cell, signed.
    pub(crate) const HIGHEST: usize = 4;
    /// Wet cells.
    pub(crate) const WET: usize = 5;
    /// Values that are not finite.
    pub(crate) const BROKEN: usize = 6;
    /// Wet cells near the surface.
    pub(crate) const NEAR_SURFACE: usize = 7;
}
