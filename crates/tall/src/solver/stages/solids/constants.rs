//! What solids leave open, and what they ask of columns.

thalweg_wesl::constants! {
    /// Open fractions below this are 0.
    pub(crate) const SLIVER: f32 = 0.2;
    /// Cells between the top of a tall cell and an obstacle.
    pub(crate) const CLEARANCE: i32 = 2;
    /// Columns around one that moves whose tall cells end below it, too: those that it meets, and those that lie
    /// beside them.
    pub(crate) const AROUND: f32 = 2.5;
    /// How far below something that moves, and beside it, cubic cells follow the flow around it where columns have
    /// them, over half its width. The pressure around a ball falls with the square of the distance, and in a tall cell
    /// it is one line over all of its height: a deep one holds the pressure near 0, as a surface would.
    pub(crate) const FLOW: f32 = 4.0;
}
