//! Codes of boundary kinds in kernels.

thalweg_wesl::constants! {
    pub(crate) const WALL: u32 = 0;
    pub(crate) const OUTFLOW: u32 = 1;
    pub(crate) const FAR_FIELD: u32 = 2;
    pub(crate) const DISCHARGE: u32 = 3;
    pub(crate) const LEVEL: u32 = 4;
}
