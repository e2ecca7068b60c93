//! Directions.

thalweg_wesl::constants! {
    /// From a wet cell to the air above it.
    pub(crate) const UP: [f32; 3] = [0.0, 1.0, 0.0];
}
