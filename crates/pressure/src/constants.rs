//! Numbers on which the processor and kernels agree, by what they are of. `crate::device::layout` says where the
//! words lie.

thalweg_wesl::constants! {
    /// Planes of the buffer `cells`; each holds one number per sample of all levels.
    pub mod plane {
        /// Level set in cells, negative in water.
        pub const PHI: usize = 0;
        /// Solid fraction.
        pub const SOLID: usize = 1;
        /// Conductance to vanished bubbles.
        pub const SINK: usize = 2;
        /// Sum of conductances, 0 where there is no unknown.
        pub const DIAGONAL: usize = 3;
        /// Reciprocal of the diagonal, or 0.
        pub const INVERSE: usize = 4;
        /// How many planes there are.
        pub const COUNT: usize = 5;
    }

    /// Flags of a level in the buffer `marks`. They are set when a level is built.
    pub mod flag {
        /// Some face between liquid cells does not conduct exactly 1.
        pub const NOT_UNIT: usize = 0;
        /// Some face conducts to air.
        pub const TOUCHES_AIR: usize = 1;
        /// Some column has a true tall cell.
        pub const HAS_TALL: usize = 2;
        /// Words per level.
        pub const COUNT: usize = 4;
    }

    /// Partial results that a reduction leaves at most.
    pub const PARTIALS: usize = 1024;

    /// Reductions, each with [`PARTIALS`] words of the buffer `partials`.
    pub mod slot {
        /// `r·z`.
        pub const RZ: usize = 0;
        /// `q·z`.
        pub const QZ: usize = 1;
        /// `z` over cells.
        pub const ZM: usize = 2;
        /// `p·q`.
        pub const PQ: usize = 3;
        /// Largest residual.
        pub const MAX_R: usize = 4;
        /// Largest right-hand side.
        pub const MAX_B: usize = 5;
        /// Sum of the right-hand side.
        pub const SUM_B: usize = 6;
        /// Cells.
        pub const SUM_M: usize = 7;
        /// How many there are.
        pub const COUNT: usize = 8;
    }

    /// Words of the buffer `scalars`; the history of residuals follows.
    pub mod scalar {
        /// Whether no water touches air.
        pub const SINGULAR: usize = 0;
        /// Step along the search direction.
        pub const ALPHA: usize = 1;
        /// `r·z` of the last iteration.
        pub const RZ: usize = 2;
        /// Whether a number is not finite.
        pub const BROKEN: usize = 3;
        /// Entries of the history.
        pub const RECORDED: usize = 4;
        /// Whether the solve has ended.
        pub const STOPPED: usize = 5;
        /// Largest residual that is good enough.
        pub const BOUND: usize = 6;
        /// How many there are.
        pub const COUNT: usize = 8;
    }

    /// What is restricted: the right-hand side as it is, or the residual.
    pub(crate) mod restricted {
        pub(crate) const RHS: u32 = 0;
        pub(crate) const RESIDUAL: u32 = 1;
    }

    /// What a prolongation does to the values of the finer level.
    pub(crate) mod prolonged {
        pub(crate) const SET: u32 = 0;
        pub(crate) const ADD: u32 = 1;
    }

    /// Numbers of the groups of tall cells in a sweep; those of the colours of cells are 0 and 1.
    pub(crate) mod group {
        pub(crate) const TALL_EVEN: u32 = 2;
        pub(crate) const TALL_ODD: u32 = 3;
    }

    /// Stands for the number of an unknown at samples that have no unknown.
    pub const NONE: u32 = u32::MAX;

    /// Samples of a level that needs no coarser one and is solved directly. Not fewer: on a level whose cells are as
    /// large as the whole band of regular cells the surface is lost, and cycles on deep water slow down (800 cells
    /// deep: 0.30 a cycle with eight columns left, 0.68 with two).
    pub(crate) const COARSEST: usize = 128;

    /// Invocations that share a tall cell, one for each of its sides.
    pub(crate) const SIDES: usize = 4;

    /// Smallest sum of conductances of an unknown. Below it a sample is walled in and has no pressure.
    pub(crate) const WALLED_IN: f64 = 1e-6;

    /// Air that is no more than one part in so many of a coarse cell does not make that cell air: a lone bubble in
    /// eight children. As a whole coarse cell it would draw twice the flux; as a sink it draws its own (3 % random
    /// bubbles in 64³ and 256³: 15 iterations instead of 25 and 30).
    pub(crate) const LONE_AIR: f64 = 8.0;

    /// Capacity of one cell held at zero in an infinite grid of unit conductances:
    /// 1 / (Watson's integral / 2) = 3.957.
    pub(crate) const CELL_CAPACITY: f64 = 3.957;

    /// Pivots below this share of their diagonal count as zero in the inverse of the coarsest matrix, in floats: of a
    /// body of water without surface, rounding leaves that much in up to [`COARSEST`] steps.
    pub(crate) const SINGULAR_PIVOT: f32 = 3e-5;

    /// A block of a tall cell whose determinant is below this share of the product of its diagonal belongs to a
    /// cell that is sealed on all sides.
    pub(crate) const SEALED: f64 = 1e-6;
}
