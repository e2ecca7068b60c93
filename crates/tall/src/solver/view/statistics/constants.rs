//! What kernels of the statistics share.

thalweg_wesl::constants! {
    /// Words of a result, see [`word`].
    pub(crate) const WORDS: usize = 8;
    /// Cells of water nearer to the surface than this count as near it, cells.
    pub(crate) const NEAR: f32 = 3.0;
}
