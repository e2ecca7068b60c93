//! Numbers of far fields.

thalweg_wesl::constants! {
    pub(crate) const STILL: u32 = 0;
    pub(crate) const AIRY: u32 = 1;
    pub(crate) const SURFACE: u32 = 2;
    pub(crate) const DRY: u32 = 3;
    pub(crate) const SEA: u32 = 4;
}
