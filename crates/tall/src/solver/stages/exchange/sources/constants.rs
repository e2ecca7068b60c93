//! How much a source may do at once.

thalweg_wesl::constants! {
    /// Most of its wet cells' volume that flows out of or into a region in a step.
    pub(crate) const MOST: f32 = 0.5;
    /// Faces this near to the border of a region belong to it, cells.
    pub(crate) const RIM: f32 = 0.01;
}
