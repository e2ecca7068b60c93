//! The controller of the volume.

thalweg_wesl::constants! {
    /// Nine tenths of an error are gone after 8 paces: `ln 10 / 8`.
    pub(crate) const GAIN: f32 = 2.3 / 8.0;
    /// Smaller errors are rounding in the sums: answered, they would move a lake at rest.
    pub(crate) const ROUNDING: f32 = 1e-7;
    /// Most of a cell that is added or taken in a pace.
    pub(crate) const MOST: f32 = 0.05;
}
