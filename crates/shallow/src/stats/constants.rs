//! Partial results.

thalweg_wesl::constants! {
    /// Cells of one partial result.
    pub(crate) const CHUNK: usize = 256;
    /// Words of one partial result.
    pub(crate) const WORDS: usize = 5;
}
