//! Numbers on which the processor and kernels agree, by what they are of.

thalweg_wesl::constants! {
    /// Words of `events`, behind those of `thalweg_columns::flow::spray_word`.
    pub(crate) mod event {
        /// Particles that live on.
        pub(crate) const LIVED: usize = 6;
        /// Drops that trial particles make, those that find no slot included. The last kernel of a step sets it back
        /// to 0.
        pub(crate) const MADE: usize = LIVED + 1;
        /// First word of the foam that columns get.
        pub(crate) const DEPOSITS: usize = MADE + 1;
    }

    /// Foam that covers a whole column, in units of the deposits.
    pub(crate) const COVERED: f32 = 65_536.0;
    /// Workgroups whose survivors have a count in common: no workgroup adds up more than 64 + 123 numbers for 2 million
    /// particles.
    pub(crate) const BLOCK: usize = 64;

    /// Numbers of the kinds of particles.
    pub(crate) mod kind {
        pub(crate) const SPRAY: f32 = 0.0;
        pub(crate) const MIST: f32 = 1.0;
        pub(crate) const FOAM: f32 = 2.0;
    }

    /// Radius of a particle, cells: it must stay a fraction.
    pub(crate) mod radius {
        pub(crate) const LARGEST: f32 = 0.49;
        pub(crate) const SMALLEST: f32 = 1e-3;
    }

    /// Trial particles.
    pub(crate) mod trial {
        /// Trial particles of a column.
        pub(crate) const SLOTS: usize = 4;
        /// Times the threshold at which water surely breaks.
        pub(crate) const WILD: f32 = 3.0;
        /// How far above the surface breaking water throws drops from, cells.
        pub(crate) const ABOVE: f32 = 0.25;
        /// The velocity in cells that are more solid than this is not that of water.
        pub(crate) const SOLID: f32 = 0.25;
        /// Drops where a trial particle has left the water, at most: `thalweg_model::MOST_PER_TRIAL`.
        pub(crate) const MOST_DROPS: u32 = 64;
    }

    /// The ceiling where water or solids reach the highest sample, which counts for all above it.
    pub(crate) const NO_CEILING: i32 = 1 << 24;

    /// Particles that fly or drift.
    pub(crate) mod fly {
        /// What a drop keeps of its speed across a wall.
        pub(crate) const BOUNCE: f32 = 0.3;
        /// Foam farther from the surface than this has lost it, cells.
        pub(crate) const LOST: f32 = 1.5;
        /// Half the distance over which the surface's normal is found, cells.
        pub(crate) const HALF: f32 = 0.5;
    }

    /// Words of the state.
    pub(crate) mod state {
        /// Drops that found no free slot since the start.
        pub(crate) const REFUSED: usize = 0;
        /// How many there are.
        pub(crate) const COUNT: usize = 1;
    }

    /// Words that say over how many slots kernels go: two sets of indirect arguments with their counts.
    pub(crate) mod extent {
        /// Of all particles.
        pub(crate) const ALIVE: usize = 0;
        /// Of all slots that hold particles in either of the two sets of buffers.
        pub(crate) const EITHER: usize = 4;
        /// Where the count is in a set, as `thalweg_compute::primitives::IndirectArgs` has it.
        pub(crate) const COUNT: usize = 3;
    }
}
