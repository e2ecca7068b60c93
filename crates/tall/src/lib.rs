//! Three-dimensional free-surface water over terrain, on tall cells.
//!
//! The time step of Chentanez & Müller 2011 (\[000\] Algorithm 1) on a CPU or a GPU. A column of the grid has one tall cell
//! of linear profile below and cubic cells near the surface; velocities are staggered, and the pressure solve is that of
//! [`thalweg_pressure`] with Galerkin tall cells. Without tall cells ([`Options::band`] is `None`) the same code is a
//! uniform solver.
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
//! Reading order: [`Setup`] (what), `step.rs` (the order of the stages), then the folders of the stages as the step calls
//! them: `reinitialise/`, `extrapolate/`, `fill/`, `advect/`, `exchange/`, `remesh/`, `solids/`, `volume/`, `project/`.
//! With [`Options::fine_surface`] the surface lives in `fine/`, with [`Discretisation::Collocated`] velocities in `samples/`.

mod advect;
mod block;
mod bodies;
mod cut;
mod drift;
mod error;
mod exchange;
mod extrapolate;
mod far_field;
mod fill;
mod fine;
mod flow;
mod from_model;
mod gauges;
mod grow;
mod nudge;
mod outlook;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
mod picture;
mod project;
mod reading;
mod reinitialise;
mod remesh;
mod samples;
mod section;
mod setup;
mod skin;
mod snapshot;
mod solids;
mod stats;
mod step;
mod surface;
#[cfg(any(test, feature = "testing"))]
mod testing;
#[cfg(any(test, feature = "testing"))]
mod testing_heights;
mod thicken;
mod tune;
mod velocities;
mod volume;
mod water;

use thalweg_compute::{Kernel, KernelInfo};

pub use block::{Block, FineBlock, MARGIN};
pub use bodies::{BodyLoad, FreeBody};
pub use cut::CutField;
pub use error::{Result, TallError};
pub use exchange::{Books, Exchange, Region, SeaWave, Side, Source};
pub use from_model::{IncomingSea, WorldColumns};
pub use gauges::Pressures;
pub use outlook::Outlook;
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use picture::Picture;
pub use section::Section;
pub use setup::{Band, Options, Setup};
pub use skin::SurfaceMesh;
pub use snapshot::Snapshot;
pub use stats::Statistics;
pub use surface::WaterColumns;
pub use thalweg_model::{Motion, Series, Spin, Travel};
pub use thalweg_pressure::Discretisation;
pub use thalweg_solids::{DistanceGrid, Obstacle, ObstacleError, Sampling};
pub use tune::Tuning;
pub use velocities::VelocityField;

pub use water::TallWater;

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
        advect::LevelSet::INFO,
        advect::FineLevelSet::INFO,
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
        exchange::BookZone::INFO,
        drift::Drift::INFO,
        exchange::RelaxFaces::INFO,
        exchange::BookSpray::INFO,
        exchange::SeaColumns::INFO,
        nudge::Nudge::INFO,
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
        stats::Stats::INFO,
        stats::StatsTotal::INFO,
    ]
}
