//! How far level sets go.

thalweg_wesl::constants! {
    /// Level sets are cut off at this distance, cells.
    pub(crate) const FAR: f64 = 5.0;
}
