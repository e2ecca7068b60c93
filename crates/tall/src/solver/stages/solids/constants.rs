//! What solids leave open, and what they ask of columns.

thalweg_wesl::constants! {
    /// Open fractions below this are 0.
    pub(crate) const SLIVER: f32 = 0.2;
    /// Cells between the top of a tall cell and an obstacle.
    pub(crate) const CLEARANCE: i32 = 2;
    /// Columns around one that moves whose tall cells end below it, too: those that it meets, and those that lie
    /// beside them.
    pub(crate) const AROUND: f32 = 2.5;
    /// How far below something that moves cubic cells follow the flow around it, over half its width: that of a ball
    /// dies away with the third power of the distance, and a tall cell has one line for all of it. `crates/scene`
    /// counts with the same for the columns that scenes begin with.
    pub(crate) const FLOW: f32 = 1.0;
}
