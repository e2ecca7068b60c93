//! Layers and marks of cells and faces.

thalweg_wesl::constants! {
    /// Cells and faces that no pass has reached.
    pub(crate) const FAR: u32 = u32::MAX;
    /// Faces that nothing flows through, and cells and faces out of reach.
    pub(crate) const CLOSED: u32 = u32::MAX - 1;
    /// Air layers that are made free of divergence. More than two make air in closed pockets fast.
    pub(crate) const BALANCED: u32 = 2;
    /// Cells with less open area than this towards higher layers keep their divergence: out of a sliver it would
    /// shoot.
    pub(crate) const LEAST_OPENING: f32 = 0.2;
    /// Weight of a neighbour that is not nearer to the water.
    pub(crate) const LEAST_WEIGHT: f32 = 1e-3;
}
