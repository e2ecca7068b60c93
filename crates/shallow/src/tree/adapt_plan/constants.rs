//! The budget of slots.

thalweg_wesl::constants! {
    /// Share of free slots below which tolerances grow, and above which they shrink again.
    pub(crate) const SCARCE: f32 = 0.05;
    pub(crate) const PLENTY: f32 = 0.15;
}
