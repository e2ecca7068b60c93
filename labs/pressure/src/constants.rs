//! Numbers on which the processor and kernels agree, by what they are of.

thalweg_wesl::constants! {
    /// What becomes of the product of a matrix in compressed rows.
    pub(crate) mod product {
        /// `y = A x`.
        pub(crate) const SET: u32 = 0;
        /// `y += A x`; in a sweep, from a start other than zero.
        pub(crate) const ADD: u32 = 1;
        /// `y = A x` where rows sum to 1: `x_first + Σ a_j (x_j − x_first)`. Constants come out as they are.
        pub(crate) const BLEND: u32 = 2;
    }
}
