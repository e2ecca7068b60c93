//! Numbers of the clock of a tree.

use crate::tree::layout::MAX_LEVELS;

thalweg_wesl::constants! {
    /// Which arguments of `args` (three words each) are whose, beside those of the levels.
    pub(crate) mod arg {
        use super::MAX_LEVELS;
        pub(crate) const ACTIVE_TILES: usize = MAX_LEVELS;
        pub(crate) const REFINE_CRITERIA: usize = MAX_LEVELS + 1;
        pub(crate) const ADAPT_PLAN: usize = MAX_LEVELS + 2;
        pub(crate) const CLOSE: usize = MAX_LEVELS + 3;
        pub(crate) const ADAPT_APPLY: usize = MAX_LEVELS + 4;
        pub(crate) const COUNT: usize = MAX_LEVELS + 5;
    }

    /// Share of the frame below which its end is reached.
    pub(crate) const END: f32 = 1e-6;
    /// Tiles that are counted in one unit of `WORK`.
    pub(crate) const WORK_UNIT: f32 = 1_048_576.0;
    /// Most workgroups along one axis.
    pub(crate) const MOST_GROUPS: u32 = 65_535;
}
