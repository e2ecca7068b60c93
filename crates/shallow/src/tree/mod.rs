//! Shallow water on a quadtree of dense tiles: fine where the water moves, where it ends and where somebody looks, coarse or asleep elsewhere.
//!
//! Leaves of the tree are **tiles** of 16 × 16 cells; neighbours differ by one level at most, also across corners. Inside a tile the scheme is that of the uniform grid
//! (`crate::hllc`); between tiles one flux passes each contact segment, so that water and momentum are kept. Coarse tiles take longer steps.
//!
//! One **round** of steps, in order, all of it on the executor:
//!
//! | stage | folder | does |
//! | --- | --- | --- |
//! | tree | `judge`, `replan`, `transfer` | now and then: what tiles want, what they get, water and ground moved |
//! | clock | `muster`, `tree_clock` | who steps, how long the round is and how many steps each level takes in it |
//! | sides | `tree_sides` | levels at sides that hold one |
//! | flux | `march`, `settle` | the steps, fine levels first |
//! | flux | `kernel_advection` | or the scheme of \[004\], where [`TreeScheme`] asks for it |
//!
//! Reading order: [`TreeSetup`], `layout.rs` (where things lie), `step.rs` (the order), `march/`.

mod fields;
mod ground;
mod judge;
mod kernel_advection;
mod layout;
mod lookup;
mod map;
mod march;
mod muster;
mod params;
mod plant;
mod replan;
mod reshape;
mod sampled_ground;
mod settle;
mod setup;
mod sight;
mod snapshot;
mod step;
mod sums;
mod tally;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod testing;
#[cfg(any(test, feature = "testing"))]
mod testing_trees;
#[cfg(test)]
mod tests;
mod transfer;
mod tree_clock;
mod tree_sides;
mod water;

pub use fields::{PlaceList, SampledCell, TileFields};
pub use ground::GroundPyramid;
pub use layout::{CELLS, MAX_LEVELS, TILE};
pub use map::TilePlace;
pub use reshape::Wish;
pub use sampled_ground::SampledGround;
pub use setup::{
    Ground, InitialField, InitialWater, Measure, Observer, Refinement, Region, TreeOptions, TreeScheme, TreeSetup,
};
pub use snapshot::TreeSnapshot;
pub use water::TreeWater;

use thalweg_compute::{Kernel, KernelInfo};

/// Every kernel of the tree.
pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![
        march::March::INFO,
        settle::Settle::INFO,
        muster::Muster::INFO,
        muster::Enlist::INFO,
        tree_clock::Begin::INFO,
        tree_clock::Tick::INFO,
        tree_sides::TreeSides::INFO,
        judge::Judge::INFO,
        replan::Survey::INFO,
        replan::Balance::INFO,
        replan::Propose::INFO,
        replan::Count::INFO,
        replan::Number::INFO,
        replan::Grant::INFO,
        replan::Close::INFO,
        transfer::Transfer::INFO,
        sums::Sums::INFO,
        lookup::Lookup::INFO,
        kernel_advection::Drift::INFO,
        kernel_advection::Demand::INFO,
        kernel_advection::Take::INFO,
        kernel_advection::Leave::INFO,
        kernel_advection::Push::INFO,
        kernel_advection::Portion::INFO,
        kernel_advection::Supply::INFO,
        kernel_advection::Arrive::INFO,
        kernel_advection::Carry::INFO,
    ]
}

/// The parity cases of the tree.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn parity_cases() -> Vec<thalweg_compute::parity::ParityCase> {
    [
        march::parity::cases(),
        settle::parity::cases(),
        muster::parity::cases(),
        tree_clock::parity::cases(),
        tree_sides::parity::cases(),
        judge::parity::cases(),
        replan::parity::cases(),
        transfer::parity::cases(),
        sums::parity::cases(),
        lookup::parity::cases(),
        kernel_advection::parity::cases(),
    ]
    .concat()
}
