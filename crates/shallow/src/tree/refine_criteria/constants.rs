//! Limits of what counts as restless.

thalweg_wesl::constants! {
    /// Cells from a side within which a restless cell concerns the neighbour.
    pub(crate) const BAND: usize = 4;
    /// Share of the tolerable difference of surfaces below which a depth does not count.
    pub(crate) const FILM: f32 = 0.1;
    /// Difference of surfaces in water at rest, m.
    pub(crate) const AT_REST: f32 = 1e-5;
}
