//! Shapes of sources, and how much one may do at once.

thalweg_wesl::constants! {
    /// The region is a box.
    pub(crate) const BOX: u32 = 0;
    /// It is a cylinder that stands upright.
    pub(crate) const DISC: u32 = 1;
    /// Most of its wet cells' volume that flows out of or into a region in a step.
    pub(crate) const MOST: f32 = 0.5;
    /// Faces this near to the border of a region belong to it, cells.
    pub(crate) const RIM: f32 = 0.01;
}
