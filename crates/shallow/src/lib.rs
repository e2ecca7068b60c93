//! Shallow water on a uniform grid: well-balanced, positive, on CPU and GPU.
//!
//! The default scheme is a finite-volume method with hydrostatic reconstruction and HLLC fluxes, second
//! order by MUSCL-Hancock, with a draining limiter: lakes stay at rest over any bed, depths stay
//! positive, bores and dry fronts run right. One time step is one pass over memory.
//!
//! ```
//! use std::sync::Arc;
//! use thalweg_compute::Executor;
//! use thalweg_shallow::{InitialCell, Setup, ShallowWater};
//!
//! // A dam of 2 m breaks in a channel of 100 m with 0.1 m of water.
//! let dam = |i: u32, _k: u32| InitialCell { surface: if i < 50 { 2.0 } else { 0.1 }, ..Default::default() };
//! let mut water = ShallowWater::new(Arc::new(Executor::cpu()?), Setup::new(100, 1, 1.0, &dam))?;
//! water.advance(5.0)?;
//! let now = water.statistics()?;
//! assert!((now.volume - (50.0 * 2.0 + 50.0 * 0.1)).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Reading order: [`Setup`] (what), `step.rs` (the order of the stages), `hllc/` (the scheme; `cmf10/` the
//! staggered one), `physics.rs` (the rules of a cell and a face), `clock/` (time steps and drivers), `sides/` (levels
//! at sides), `absorb/`, `sources/` (edges and sources), `maps/` (what the water did so far).

mod absorb;
mod boundary;
mod clock;
mod cmf10;
mod drift;
mod error;
mod from_model;
mod hllc;
mod initial;
mod maps;
mod output;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
mod physics;
mod plan;
mod sample;
mod setup;
mod sides;
mod snapshot;
mod solver;
mod sources;
mod stats;
mod step;
#[cfg(any(test, feature = "testing"))]
mod testing;
pub mod tree;
mod waiting;

pub use drift::HeightView;
pub use error::{Result, ShallowError};
pub use output::{Fields, Maps, Sample, Snapshot, Statistics};
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use setup::{
    Datum, Driver, FarField, InitialCell, Limiter, Options, Order, SIDES, Scheme, Series, Setup, Side, Sides, Source,
    SourceShape,
};
pub use solver::{CellList, ShallowWater};

use thalweg_compute::{Kernel, KernelInfo};

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    let mut kernels = vec![
        clock::Clock::INFO,
        sides::Sides::INFO,
        hllc::HllcFirst::INFO,
        hllc::HllcSecond::INFO,
        cmf10::Predict::INFO,
        cmf10::Advect::INFO,
        cmf10::Height::INFO,
        cmf10::Velocity::INFO,
        cmf10::Adopt::INFO,
        absorb::Absorb::INFO,
        sources::AddSources::INFO,
        stats::Stats::INFO,
        sample::SampleCells::INFO,
        maps::Look::INFO,
        drift::Drift::INFO,
    ];
    kernels.extend(tree::kernels());
    kernels
}
