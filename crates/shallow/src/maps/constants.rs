//! What maps hold before the first look.

thalweg_wesl::constants! {
    /// The highest s of ground that never was wet.
    pub(crate) const NEVER: f32 = -3e38;
}
