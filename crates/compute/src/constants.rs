//! Numbers on which the processor and kernels agree, by what they are of.

thalweg_wesl::constants! {
    /// Groups along one axis that every WebGPU device allows.
    pub(crate) const MAX_GROUPS: u32 = 65_535;

    /// Elements that one workgroup reduces or scans.
    pub(crate) const TILE: usize = 1024;

    /// How two values become one in a reduction.
    pub(crate) mod op {
        pub(crate) const SUM_F32: u32 = 0;
        pub(crate) const MAX_F32: u32 = 1;
        pub(crate) const MIN_F32: u32 = 2;
        pub(crate) const SUM_U32: u32 = 3;
    }

    /// Sort.
    pub(crate) mod sort {
        /// Keys that one workgroup moves.
        pub(crate) const TILE: usize = 2048;
        /// Bits of a digit.
        pub(crate) const DIGIT_BITS: u32 = 4;
        /// Values of a digit.
        pub(crate) const DIGITS: usize = 1 << DIGIT_BITS;
    }
}
