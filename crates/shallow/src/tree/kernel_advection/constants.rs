//! Units and limits of the scheme of \[004\].

thalweg_wesl::constants! {
    /// A whole cell as a number of parts: what windows cover is counted in these.
    pub(crate) const ONE_BITS: u32 = 30;
    pub(crate) const ONE: u32 = 1 << ONE_BITS;
    /// Parts of a cell's side.
    pub(crate) const SIDE_BITS: u32 = 28;
    pub(crate) const SIDE: u32 = 1 << SIDE_BITS;
    /// Farthest that a window moves, cells. The clock's steps stay below one; four keep all that windows can ask of a
    /// cell below 128 times what it has.
    pub(crate) const REACH: f32 = 4.0;
    /// Most units of depth in one step; what is more waits for the next.
    pub(crate) const MOST: f32 = 8_589_934_592.0;
    /// Counts of a slot in `tallies`, 64 bits each, low word first: what rain and sources have given and taken, and
    /// what went out through sides.
    pub(crate) mod tally {
        pub(crate) const RAIN_GIVEN: usize = 0;
        pub(crate) const RAIN_TAKEN: usize = 2;
        pub(crate) const SOURCES_GIVEN: usize = 4;
        pub(crate) const SOURCES_TAKEN: usize = 6;
        pub(crate) const SIDES_TAKEN: usize = 8;
        pub(crate) const WORDS: usize = 10;
    }
    /// Largest `c² Δt² / s²` that gravity is allowed (methods note §4.1).
    pub(crate) const MOST_COURANT2: f32 = 0.5;
}
