//! Numbers on which the processor and kernels agree, by what they are of. Kernels of other crates import them too.

thalweg_wesl::constants! {
    /// Number of directions to a neighbouring cell: -x, +x, -z, +z, down, up.
    pub const DIRECTIONS: usize = 6;
    /// The direction downwards.
    pub const DOWN: usize = 4;
    /// The direction upwards.
    pub const UP: usize = 5;

    /// Words that `crate::flow::WaterFlow::record_spray` reads: each count is 64 bits, low word first, and 2³² is the
    /// volume of a cell.
    pub mod spray_word {
        /// What left the water as drops.
        pub const LEFT: usize = 0;
        /// What came back.
        pub const RETURNED: usize = 2;
        /// What flew out of the domain.
        pub const GONE: usize = 4;
        /// How many there are.
        pub const COUNT: usize = 6;
    }

    /// What lies over the old top of a column that grows, see `crate::transfer::AboveTop`.
    pub(crate) mod above {
        pub(crate) const CONSTANT: u32 = 0;
        pub(crate) const DISTANCE: u32 = 1;
    }
}
