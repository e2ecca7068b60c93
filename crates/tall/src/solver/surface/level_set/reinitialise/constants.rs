//! Distances, cells, and slopes.

thalweg_wesl::constants! {
    /// Largest distance, cells.
    pub(crate) const BAND: f32 = 5.0;
    /// Ends of tall cells from this depth on are as deep as can be, cells.
    pub(crate) const DEEP: f32 = 4.0;
    /// Where ends of tall cells start that are not known to be deep. Less than [`BAND`], which tells both apart.
    pub(crate) const SHALLOW_END: f32 = 4.9990234; // its last bit is not set
    /// No corner of a cube that the surface cuts is farther from it, cells, if the level set is anything like a
    /// distance.
    pub(crate) const REACH: f32 = 2.5;
    /// Slopes from `1/TENTH` to this are right to a tenth.
    pub(crate) const TENTH: f32 = 1.1;
    /// Flatter level sets are not stretched to distances at once.
    pub(crate) const FLAT: f32 = 0.1;
    /// Smallest distance that comes from a division, cells: 0 would be no water.
    pub(crate) const LEAST: f32 = 1e-6;
    /// A distance that no neighbour has: it stands, with the cell's own sign, where there is none.
    pub(crate) const NOWHERE: f32 = 1e10;
}
