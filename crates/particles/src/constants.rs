//! Numbers on which the processor and kernels agree, by what they are of.

thalweg_wesl::constants! {
    /// Over how many particles kernels go: indirect arguments with their count.
    pub(crate) mod extent {
        /// Particles alive; workgroups along x, y and z are in the three words before it, as
        /// `thalweg_compute::primitives::IndirectArgs` has them.
        pub(crate) const COUNT: usize = 3;
        /// The same arguments for an iteration of a solver: no workgroups once it has converged.
        pub(crate) const SOLVE: usize = 4;
        /// How many words there are.
        pub(crate) const WORDS: usize = 8;
    }

    /// Groups along one axis that every WebGPU device allows.
    pub(crate) const MAX_GROUPS: u32 = 65_535;

    /// Words that count what happened since the start, in particles.
    pub(crate) mod tally {
        /// Left through the sides of low x, high x, low z, high z: in the order of the ledger's accounts.
        pub(crate) const WEST: u32 = 0;
        pub(crate) const EAST: u32 = 1;
        pub(crate) const SOUTH: u32 = 2;
        pub(crate) const NORTH: u32 = 3;
        /// Left through the bottom or the top.
        pub(crate) const VERTICAL: u32 = 4;
        /// Swallowed by drains.
        pub(crate) const DRAINED: u32 = 5;
        /// Came from sources.
        pub(crate) const EMITTED: u32 = 6;
        /// Found no free slot.
        pub(crate) const REFUSED: u32 = 7;
        /// How many there are.
        pub(crate) const WORDS: usize = 8;
    }

    /// Words of what a frame ends with; floats that are not negative by their bits, which are ordered as they are.
    pub(crate) mod survey {
        /// Largest square of a speed, m²/s²; all bits are set if a number is not finite.
        pub(crate) const SPEED2: usize = 0;
        /// Largest density, in units of the density of rest.
        pub(crate) const DENSITY: usize = 1;
        /// How many there are.
        pub(crate) const WORDS: usize = 2;
    }

    /// What a solver of divergence-free SPH works on.
    pub(crate) mod solve {
        pub(crate) const DIVERGENCE: u32 = 0;
        pub(crate) const DENSITY: u32 = 1;
        /// Words of the report of a solve: the mean error, in units of the tolerance's, and iterations made.
        pub(crate) const REPORT: usize = 2;
    }

    /// Words that a particle keeps for the solvers of a step.
    pub(crate) mod factor {
        /// Gradient of what walls add to the density, 1/m: three words.
        pub(crate) const GRADIENT: usize = 0;
        /// The rate at which moving walls add to it, 1/s.
        pub(crate) const DRIFT: usize = 3;
        /// Density.
        pub(crate) const DENSITY: usize = 4;
        /// α, m².
        pub(crate) const ALPHA: usize = 5;
        /// 1 if it has enough neighbours to resist divergence, or 0.
        pub(crate) const INNER: usize = 6;
    }

    /// Which sides of the domain are walls: a bit each.
    pub(crate) mod side {
        pub(crate) const LOW_X: u32 = 1;
        pub(crate) const HIGH_X: u32 = 2;
        pub(crate) const LOW_Y: u32 = 4;
        pub(crate) const HIGH_Y: u32 = 8;
        pub(crate) const LOW_Z: u32 = 16;
        pub(crate) const HIGH_Z: u32 = 32;
    }

    /// Edge of a cell of the neighbour grid in kernel radii: more than 1, so that rounding of a coordinate never hides
    /// a neighbour, and particles may move a little between two sorts.
    pub(crate) const CELL: f32 = 1.02;
    /// Square of a distance in kernel radii below which two particles are at the same place: they have no direction.
    pub(crate) const SAME_PLACE: f32 = 1e-10;
    /// Gradient of the vorticity, 1/(m·s), below which an eddy has no direction.
    pub(crate) const CALM: f32 = 1e-6;
    /// Distance in kernel radii at which the tensile correction has its full strength.
    pub(crate) const APART: f32 = 0.2;
    /// Steps along a path before a particle is held to have met a solid.
    pub(crate) const PATH_STEPS: u32 = 8;
    /// Neighbours are counted up to this share of the radius: on no lattice of particles is one exactly as far, so that
    /// rounding does not decide whom to count.
    pub(crate) const NEAR: f32 = 0.95;
    /// Neighbours below which a particle belongs to the spray: it resists compression, not divergence.
    pub(crate) const FEW_NEIGHBOURS: u32 = 20;
    /// Times h², the least 1/α: a particle that has hardly any neighbours is not pushed away by one.
    pub(crate) const LEAST_SQUARES: f32 = 1e-3;
    /// The distance of what is far from all solids, m.
    pub(crate) const FAR: f32 = 1e9;
}
