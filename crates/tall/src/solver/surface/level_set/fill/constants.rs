//! Marks of cells.

thalweg_wesl::constants! {
    /// Cells that no pass has reached.
    pub(crate) const FAR: u32 = u32::MAX;
}
