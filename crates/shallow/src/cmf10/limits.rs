//! Limits of the staggered scheme.

thalweg_wesl::constants! {
    /// C² of the depth limiter.
    pub(crate) const DEPTH_LIMIT: f32 = 0.45;
    /// Cells that water may cross in one step, at most.
    pub(crate) const SPEED_LIMIT: f32 = 0.5;
    /// A cell as thin as this part of its width holds no water back.
    pub(crate) const DRY: f32 = 1e-4;
    /// Height in cells from which a step of the surface counts as an overshoot.
    pub(crate) const OVERSHOOT_STEP: f32 = 2.0;
    /// Part of an overshoot that is levelled in one step.
    pub(crate) const OVERSHOOT_SHARE: f32 = 0.5;
}
