//! What is thin, and how particles write.

thalweg_wesl::constants! {
    /// Water is thin where it is no deeper than this, cells.
    pub(crate) const THIN: f32 = 1.5;
    /// Particles write into cells this far outside of them, cells.
    pub(crate) const SKIN: f32 = 1.0;
    /// In the middle of a sheet the level set has no slope; below this square of a difference over two cells it tells
    /// no normal.
    pub(crate) const FLAT: f32 = 0.1;
    /// Units of the keys in a cell, and the distance that stands for 0.
    pub(crate) const UNITS: f32 = 1_048_576.0;
    pub(crate) const FARTHEST: f32 = 8.0;
}
