//! Words of a body in its buffer.

thalweg_wesl::constants! {
    /// Centre of mass, cells.
    pub(crate) const CENTRE: usize = 0;
    /// Velocity without the water, m/s.
    pub(crate) const FREE_VELOCITY: usize = 3;
    /// Angular velocity without the water times the edge of a cell, m/s per cell.
    pub(crate) const FREE_RATES: usize = 6;
    /// Density of water over the mass along every axis, times Δx².
    pub(crate) const PER_MASS: usize = 9;
    /// Density of water times the inverse of the inertia times Δx⁴, by rows.
    pub(crate) const PER_INERTIA: usize = 12;
    /// First chunk, and how many: integers as floats, exact up to 2²⁴.
    pub(crate) const FIRST: usize = 21;
    pub(crate) const CHUNKS: usize = 22;
    /// Volume over that of the cells of its items.
    pub(crate) const FILL: usize = 23;
    /// What the kernels write: velocity m/s, angular velocity as above, impulse over ρ Δx² and its moment over ρ Δx³
    /// (m²/s).
    pub(crate) const VELOCITY: usize = 24;
    pub(crate) const RATES: usize = 27;
    pub(crate) const IMPULSE: usize = 30;
    pub(crate) const MOMENT: usize = 33;
    /// `p·C p` of this body's part.
    pub(crate) const ENERGY: usize = 36;
    /// Cells displaced, their first moments about the centre; of them in tall cells.
    pub(crate) const DISPLACED: usize = 37;
    pub(crate) const DISPLACED_MOMENT: usize = 38;
    pub(crate) const DEEP: usize = 41;
    /// Cells of water around it, and the sum of their velocities.
    pub(crate) const AROUND: usize = 42;
    pub(crate) const FLOW: usize = 43;
    /// Cells that it fills by their solid fractions, displaced or not.
    pub(crate) const FILLED: usize = 46;
    /// Its volume, cells.
    pub(crate) const VOLUME: usize = 47;
    /// Impulse and moment of still water, in the units of [`IMPULSE`] and [`MOMENT`].
    pub(crate) const STILL_IMPULSE: usize = 48;
    pub(crate) const STILL_MOMENT: usize = 51;
    /// How many there are.
    pub(crate) const COUNT: usize = 54;
}
