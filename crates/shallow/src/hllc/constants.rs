//! Numbers of the march over columns.

thalweg_wesl::constants! {
    /// Cells beyond its own that a row or column of updates reads.
    pub(crate) const HALO: usize = 3;
    /// Threads of a GPU workgroup, one per column; the outer [`HALO`] on each side only feed the others.
    pub(crate) const COLUMNS: u32 = 128;
    /// Columns that a workgroup updates.
    pub(crate) const OWN_COLUMNS: u32 = COLUMNS - 2 * HALO as u32;
    /// Share of its water that a cell can give: the millionth that stays keeps rounding from making it negative,
    /// and a clamp at zero from making water.
    pub(crate) const GIVEN_AWAY: f32 = 1.0 - 1.0 / 1_048_576.0;
}
