//! Wet ground.

thalweg_wesl::constants! {
    /// Ground with the surface no higher above it than this is wet, cells.
    pub(crate) const WETS: f32 = 0.4;
}
