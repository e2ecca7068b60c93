//! Shallow water on a quadtree of dense tiles: fine where the water moves, where it ends and where somebody looks,
//! coarse or asleep elsewhere.
//!
//! Leaves of the tree are **tiles** of 16 × 16 cells; neighbours differ by one level at most, also across corners.
//! Inside a tile the scheme is that of the uniform grid (`crate::hllc`); between tiles one flux passes each contact
//! segment, so that water and momentum are kept. Coarse tiles take longer steps.
//!
//! One **round** of steps, in order, all of it on the executor:
//!
//! | stage | folder | does |
//! | --- | --- | --- |
//! | tree | `refine_criteria`, `adapt_plan`, `adapt_apply` | now and then: what tiles want, what they get, water and ground moved |
//! | clock | `active_tiles`, `tree_clock` | who steps, how long the round is and how many steps each level takes in it |
//! | sides | `tree_sides` | levels at sides that hold one |
//! | flux | `flux_update`, `reflux` | the steps, fine levels first |
//! | flux | `kernel_advection` | or the scheme of \[004\], where [`TreeScheme`] asks for it |
//!
//! Reading order: [`TreeSetup`], `layout.rs` (where things lie), `step.rs` (the order), `flux_update/`.

mod active_tiles;
mod adapt_apply;
mod adapt_plan;
mod fields;
mod flux_update;
mod ground;
mod grow;
mod initial_tiles;
mod kernel_advection;
mod layout;
mod ledger;
mod lookup;
mod map;
mod neighbour_cells;
mod on_grid;
mod params;
mod refine_criteria;
mod reflux;
mod sampled_ground;
mod set_topology;
mod setup;
mod slot_counts;
mod snapshot;
mod step;
mod sums;
mod take_counts;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod testing;
#[cfg(any(test, feature = "testing"))]
mod testing_trees;
#[cfg(test)]
mod tests;
mod tree_clock;
mod tree_sides;
mod waiting;
mod water;

pub use fields::{PlaceList, SampledCell, TileFields};
pub use ground::GroundPyramid;
pub use layout::{CELLS, MAX_LEVELS, TILE};
pub use map::TilePlace;
pub use on_grid::TreeGrid;
pub use sampled_ground::SampledGround;
pub use set_topology::Wish;
pub use setup::{
    FineRegion, Ground, InitialField, InitialWater, Measure, Observer, Refinement, TreeOptions, TreeScheme, TreeSetup,
};
pub use snapshot::TreeSnapshot;
pub use water::TreeWater;

use thalweg_compute::{Kernel, KernelInfo};

/// Every kernel of the tree.
pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![
        flux_update::FluxUpdate::INFO,
        reflux::Reflux::INFO,
        active_tiles::FindActive::INFO,
        active_tiles::ListActive::INFO,
        tree_clock::Begin::INFO,
        tree_clock::Tick::INFO,
        tree_sides::TreeSides::INFO,
        refine_criteria::RefineCriteria::INFO,
        adapt_plan::Survey::INFO,
        adapt_plan::Balance::INFO,
        adapt_plan::Propose::INFO,
        adapt_plan::Count::INFO,
        adapt_plan::Number::INFO,
        adapt_plan::Grant::INFO,
        adapt_plan::Close::INFO,
        adapt_apply::AdaptApply::INFO,
        sums::Sums::INFO,
        take_counts::TakeCounts::INFO,
        lookup::Lookup::INFO,
        on_grid::Corners::INFO,
        on_grid::OnGrid::INFO,
        kernel_advection::Drift::INFO,
        kernel_advection::OutflowLimit::INFO,
        kernel_advection::Gather::INFO,
        kernel_advection::SideOutflow::INFO,
        kernel_advection::ScatterRest::INFO,
        kernel_advection::SourceShare::INFO,
        kernel_advection::Inflow::INFO,
        kernel_advection::Collect::INFO,
        kernel_advection::AdaptVolumes::INFO,
    ]
}

/// The parity cases of the tree.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn parity_cases() -> Vec<thalweg_compute::parity::ParityCase> {
    [
        flux_update::parity::cases(),
        reflux::parity::cases(),
        active_tiles::parity::cases(),
        tree_clock::parity::cases(),
        tree_sides::parity::cases(),
        refine_criteria::parity::cases(),
        adapt_plan::parity::cases(),
        adapt_apply::parity::cases(),
        sums::parity::cases(),
        take_counts::parity::cases(),
        lookup::parity::cases(),
        on_grid::parity::cases(),
        kernel_advection::parity::cases(),
    ]
    .concat()
}
