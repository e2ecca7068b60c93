//! What clocks and kernels tell each other.

thalweg_wesl::constants! {
    /// What a kernel reports as its fastest signal when it wrote a number that is not finite.
    pub(crate) const NOT_FINITE: f32 = 3e38;

    /// Values of the clock's status word.
    pub(crate) mod status {
        pub(crate) const FINE: f32 = 0.0;
        pub(crate) const NOT_FINITE: f32 = 1.0;
        pub(crate) const COLLAPSED: f32 = 2.0;
    }

    /// Drivers before the sources: four sides and the rain.
    pub(crate) const FIXED_DRIVERS: usize = 5;
    /// Intervals in which a driver is sampled over one frame.
    pub(crate) const DRIVER_STEPS: usize = 32;
    /// Samples of one driver.
    pub(crate) const DRIVER_SAMPLES: usize = DRIVER_STEPS + 1;
}
