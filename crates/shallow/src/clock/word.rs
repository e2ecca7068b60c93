//! Words of the clock buffer.

thalweg_wesl::constants! {
    /// Since the frame began, s.
    pub(crate) const ELAPSED: usize = 0;
    /// Of this sub-step, s.
    pub(crate) const DT: usize = 1;
    /// Of the whole frame, s.
    pub(crate) const FRAME: usize = 2;
    /// Taken in this frame.
    pub(crate) const SUBSTEPS: usize = 3;
    /// Fastest signal, m/s.
    pub(crate) const SPEED: usize = 4;
    /// Rain of this frame, m.
    pub(crate) const RAIN_DEPTH: usize = 5;
    /// See `crate::clock::status`.
    pub(crate) const STATUS: usize = 6;
    /// m/s now.
    pub(crate) const RAIN_RATE: usize = 7;
    /// West, east, south, north: level or discharge now.
    pub(crate) const SIDE_VALUES: usize = 8;
    /// Of this sub-step, see `crate::physics::add_dithered`.
    pub(crate) const DITHER: usize = 12;
    /// m/s of depth now, one per source.
    pub(crate) const SOURCE_RATES: usize = 13;
}
