//! Sizes and marks of what bodies and cells are to each other, and when a body is under water.

thalweg_wesl::constants! {
    /// Words that `Wet` adds up in a chunk.
    pub(crate) const SUMS: usize = 11;
    /// Words that `Assemble` adds up in a chunk: still impulse along x and z, its moment; upwards, and the moments
    /// of that around x and z.
    pub(crate) const STILLS: usize = 8;
    /// Rows of a chunk of links: the cell or [`NONE`], bits of its impulse per pressure and of the moment of that.
    pub(crate) const LINK_ROWS: usize = 7;
    /// Rows of a workgroup of sides: the cell or [`NONE`], its height, pairs of bodies at its lower and upper faces
    /// along x, y and z, bits of what they close of the lower faces times −1, and of the upper ones.
    pub(crate) const SIDE_ROWS: usize = 11;
    /// No cell.
    pub(crate) const NONE: u32 = u32::MAX;
    /// What cells are filled by in all, and the volume of the body, differ by less than this share, unless something
    /// else fills some of its cells.
    pub(crate) const FRACTIONS: f32 = 0.05;
    /// A body is under water if it displaces this share of what it fills.
    pub(crate) const UNDER_WATER: f32 = 0.9999;
}
