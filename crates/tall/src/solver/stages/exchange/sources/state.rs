//! Words of a source's state.

thalweg_wesl::constants! {
    /// What is still to come, cells.
    pub(crate) const OWED: usize = 0;
    /// 1 while the region is kept full.
    pub(crate) const PAINTS: usize = 1;
    /// Divergence of its wet cells, 1/s.
    pub(crate) const FLOW: usize = 2;
    /// What was missing in the region before it was painted, cells.
    pub(crate) const ROOM: usize = 3;
    /// How many there are.
    pub(crate) const WORDS: usize = 4;
}
