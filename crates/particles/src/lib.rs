//! Liquid particles: position-based fluids and divergence-free SPH, as kernels on a CPU or a GPU.
//!
//! Water is particles of equal volume, the cube of their spacing. Their number is whole, so that none is lost: the
//! ledger counts them. How density is kept is a choice, [`Constraint`]; neighbours, walls, solids, ground, sources,
//! drains and open sides are the same for both.
//!
//! ```
//! use std::sync::Arc;
//! use thalweg_compute::Executor;
//! use thalweg_particles::{LiquidParticles, Options, Seed, Setup};
//!
//! // A column of water, half a metre high, falls over in a box.
//! let (seeds, options) = ([Seed::lattice([0.0; 3], [0.3, 0.5, 0.2])], Options::default());
//! let setup = Setup::new([1.0, 0.8, 0.2], 0.05, &seeds, &options);
//! let mut water = LiquidParticles::new(Arc::new(Executor::cpu()?), &setup)?;
//! for _ in 0..10 {
//!     water.advance(1.0 / 30.0)?;
//! }
//! let now = water.census_later()?.wait()?;
//! assert!(now.count == 6 * 10 * 4 && now.speed > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Reading order: [`Setup`] (what), `state.rs` (every field), `step.rs` (the order of the stages), then the folders as
//! it calls them: `emit/`, `predict/`, `neighbours/`, `walls/`, `pbf/` or `dfsph/`, `survey/` at the end of a frame.
//! Before the first one comes `seed/`. `tile.rs` is how kernels see neighbours on the processor, `kernel.rs` has the
//! smoothing kernels.

mod constants;
mod dfsph;
mod emit;
mod error;
mod grid;
mod kernel;
mod neighbours;
mod output;
mod params;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
mod particles;
mod pbf;
mod predict;
mod seed;
mod setup;
mod snapshot;
mod state;
mod step;
mod survey;
#[cfg(any(test, feature = "testing"))]
mod testing;
mod tile;
mod walls;

use thalweg_compute::{Kernel, KernelInfo};

pub use emit::Source;
pub use error::{ParticlesError, Result};
pub use output::{Census, Remark, SolveReport, View};
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use particles::LiquidParticles;
pub use seed::{Placing, Seed, poisson_disk};
pub use setup::{Constraint, DivergenceFree, Ground, Options, PositionBased, Setup};
pub use snapshot::Snapshot;

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    vec![
        emit::Emit::INFO,
        emit::Admit::INFO,
        predict::Predict::INFO,
        neighbours::Count::INFO,
        neighbours::Settle::INFO,
        neighbours::Place::INFO,
        neighbours::Order::INFO,
        neighbours::Reorder::INFO,
        walls::Walls::INFO,
        pbf::Lambda::INFO,
        pbf::Shift::INFO,
        pbf::Velocity::INFO,
        pbf::Smooth::INFO,
        pbf::Curl::INFO,
        pbf::Confine::INFO,
        dfsph::Factors::INFO,
        dfsph::Rate::INFO,
        dfsph::Judge::INFO,
        dfsph::Push::INFO,
        dfsph::Warm::INFO,
        dfsph::Accelerate::INFO,
        dfsph::Travel::INFO,
        survey::Survey::INFO,
    ]
}
