//! How far fine values go.

thalweg_wesl::constants! {
    /// Ends of a line that is all water or all air are at least this far from the surface, cells and fine cells
    /// alike.
    pub(crate) const CERTAIN: f32 = 1.0;
    /// Nearer to the surface than this, in fine cells, fine values are distances wherever the water has gone in a
    /// step.
    pub(crate) const TRUSTED: f32 = 3.0;
}
