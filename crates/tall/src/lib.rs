//! Three-dimensional free-surface water over terrain, on tall cells.
//!
//! The time step of Chentanez & Müller 2011 (\[000\] Algorithm 1) on a CPU or a GPU. A column of the grid has one tall
//! cell of linear profile below and cubic cells near the surface; velocities are staggered, and the pressure solve is
//! that of [`thalweg_pressure`] with Galerkin tall cells. Without tall cells ([`Options::band`] is `None`) the same
//! code is a uniform solver.
//!
//! ```
//! use std::sync::Arc;
//! use thalweg_compute::Executor;
//! use thalweg_columns::Shape;
//! use thalweg_tall::{Options, Setup, TallWater};
//!
//! // A column of water, 1 m wide and 2 m high, collapses in a slice of a tank.
//! let setup = Setup {
//!     shape: Shape { nx: 40, nz: 1, regular: 30 },
//!     cell: 0.1,
//!     height: 3.0,
//!     terrain: &[0.0; 40],
//!     level_set: &|[x, y, _]| (x - 1.0).max(y - 2.0),
//!     obstacles: &[],
//!     velocity: [0.0; 2],
//!     options: Options::default(),
//! };
//! let mut water = TallWater::new(Arc::new(Executor::cpu()?), &setup)?;
//! while water.time() < 0.5 {
//!     water.advance(1.0 / 30.0)?;
//! }
//! let heights = water.surface()?;
//! assert!(heights[20].is_some(), "the front has passed 2 m");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Reading order: [`Setup`] (what), `solver/step.rs` (the order of the stages), then their folders in `solver/stages`
//! and, for those that move the surface, `solver/surface`. The fields are in `solver/state`; `solver/view` reads them.
//! `water/` is [`TallWater`]: steps and plans, and what is done with the water between steps.

mod constants;
mod error;
mod from_model;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
mod setup;
mod solver;
#[cfg(any(test, feature = "testing"))]
mod testing;
#[cfg(any(test, feature = "testing"))]
mod testing_heights;
mod water;

pub use error::{Result, TallError};
pub use from_model::{IncomingSea, WorldColumns};
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use setup::{Band, Options, Setup};
pub use solver::stages::bodies::{BodyLoad, FreeBody};
pub use solver::stages::exchange::{Exchange, Region, SeaWave, Side, Source};
pub use solver::stages::given_velocities::VelocityField;
pub use solver::view::columns::WaterColumns;
pub use solver::view::cut::CutField;
pub use solver::view::mesh::SurfaceMesh;
pub use solver::view::picture::Picture;
pub use solver::view::pressures::Pressures;
pub use solver::view::section::Section;
pub use solver::view::statistics::Statistics;
pub use solver::view::volume_grid::{FineVolumeGrid, MARGIN, VolumeGrid};
pub use thalweg_model::{Motion, Series, Spin, Travel};
pub use thalweg_pressure::Discretisation;
pub use thalweg_solids::{DistanceGrid, Obstacle, ObstacleError, Sampling};
pub use water::TallWater;
pub use water::observation::Observation;
pub use water::snapshot::Snapshot;
pub use water::tuning::Tuning;

use solver::stages::{
    advect, bodies, exchange, extrapolate, far_field, project, push_ball, remesh, samples, solids, volume,
};
use solver::surface::level_set::{self, fill, fine, reinitialise, thicken};
use solver::view::{drift, picture, statistics};
use thalweg_compute::{Kernel, KernelInfo};

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    vec![
        extrapolate::Spread::INFO,
        extrapolate::Balance::INFO,
        far_field::FarGather::INFO,
        far_field::FarCoarsen::INFO,
        far_field::FarFill::INFO,
        reinitialise::Clamp::INFO,
        reinitialise::FixSurface::INFO,
        reinitialise::Distance::INFO,
        level_set::advect::LevelSet::INFO,
        level_set::advect::FineLevelSet::INFO,
        advect::Centre::INFO,
        advect::Advect::INFO,
        advect::Correct::INFO,
        advect::Increment::INFO,
        exchange::Survey::INFO,
        exchange::Settle::INFO,
        exchange::Paint::INFO,
        exchange::Push::INFO,
        exchange::Pump::INFO,
        exchange::RelaxCells::INFO,
        exchange::TransferZone::INFO,
        drift::Drift::INFO,
        exchange::RelaxFaces::INFO,
        exchange::SeaColumns::INFO,
        push_ball::PushBall::INFO,
        bodies::Wet::INFO,
        bodies::Assemble::INFO,
        bodies::Sides::INFO,
        bodies::Total::INFO,
        bodies::Press::INFO,
        bodies::Carry::INFO,
        bodies::Couple::INFO,
        fine::FineHeights::INFO,
        fine::FineEnds::INFO,
        fine::FineOpen::INFO,
        fine::FineSolid::INFO,
        fine::Restrict::INFO,
        fine::FineVolume::INFO,
        remesh::Bounds::INFO,
        remesh::SmoothHeights::INFO,
        remesh::LimitHeights::INFO,
        remesh::Resign::INFO,
        samples::TakeSamples::INFO,
        samples::KeepSamples::INFO,
        solids::Fractions::INFO,
        solids::Ceiling::INFO,
        fill::Fill::INFO,
        picture::Unfold::INFO,
        picture::Ground::INFO,
        project::Mask::INFO,
        project::SurfaceRhs::INFO,
        project::SurfaceUpdate::INFO,
        project::SurfaceSamples::INFO,
        thicken::Thicken::INFO,
        thicken::Merge::INFO,
        volume::Hold::INFO,
        volume::Expand::INFO,
        statistics::Stats::INFO,
        statistics::StatsTotal::INFO,
    ]
}
