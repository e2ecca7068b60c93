//! Numbers of the shapes of sources in kernels.

thalweg_wesl::constants! {
    pub(crate) const BOX: u32 = 0;
    pub(crate) const DISC: u32 = 1;
}
