//! What becomes of columns.

thalweg_wesl::constants! {
    /// Cells below what moves down to which it is told that regular cells are missing: who asks for them knows how
    /// soon it gets there.
    pub(crate) const AHEAD: i32 = 64;
    /// The place of water or air that there is not.
    pub(crate) const NOWHERE: i32 = i32::MAX;
    /// What becomes of a column.
    pub(crate) mod fate {
        /// The column gets a new `T`.
        pub(crate) const MOVES: i32 = 0;
        /// The old `T` is good.
        pub(crate) const KEEPS: i32 = 1;
        /// There is no water in the column.
        pub(crate) const DRY: i32 = 2;
    }
}
