//! How levels at sides are worked out.

thalweg_wesl::constants! {
    /// What a level follows from.
    pub(crate) mod rule {
        pub(crate) const GIVEN: u32 = 0;
        pub(crate) const RATING: u32 = 1;
        pub(crate) const NORMAL: u32 = 2;
    }

    /// What the memory of a face holds before the first sub-step.
    pub(crate) const UNSET: f32 = -1e30;

    /// Halvings of a bracket: what is left of it is below the last digit of its ends.
    pub(crate) const HALVINGS: u32 = 26;
}
