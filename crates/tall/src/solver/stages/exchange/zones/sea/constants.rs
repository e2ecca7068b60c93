//! Bands of waves, and their phases.

thalweg_wesl::constants! {
    /// Bands.
    pub(crate) const BANDS: usize = 4;
    /// Radians of 2⁻³² turns.
    pub(crate) const TURN: f32 = 1.462_918e-9;
}
