//! Spray, mist and foam over three-dimensional water: [Chentanez & Müller 2011], \[000\] §3.9.3, as kernels on a CPU or
//! a GPU.
//!
//! Water that the level set cannot follow leaves it as drops ([`ParticleKind::Spray`], and [`ParticleKind::Mist`],
//! which the air holds back). They fall, and where they meet the water again some become foam particles, and all whiten
//! the foam map: one number per column. With [`WhitewaterSettings::mass`] drops take their volume out of the water's
//! account and bring it back.
//!
//! ```
//! use std::sync::Arc;
//! use thalweg_compute::Executor;
//! use thalweg_columns::Shape;
//! use thalweg_tall::{Options, Setup, TallWater};
//! use thalweg_whitewater::{WhitewaterSettings, Whitewater};
//!
//! let exec = Arc::new(Executor::cpu()?);
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
//! let mut water = TallWater::new(Arc::clone(&exec), &setup)?;
//! let mut spray = Whitewater::new(exec, setup.shape, setup.cell, [true; 4], WhitewaterSettings::default())?;
//! while water.time() < 1.5 {
//!     spray.before(&water, 1.0 / 30.0)?;
//!     water.advance(1.0 / 30.0)?;
//!     spray.after(&water, 1.0 / 30.0)?;
//! }
//! println!("{:?}", spray.census(&water.ledger()?)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Reading order: `whitewater.rs` (the order of the stages), then the folders as it calls them: `trial/` before a step
//! of the water; `survey/`, `fly/`, `pack/`, `spawn/`, `foam/` after it; `census/` when asked.
//!
//! [Chentanez & Müller 2011]: https://doi.org/10.1145/2010324.1964977

mod census;
mod constants;
mod error;
mod events;
mod fly;
mod foam;
mod pack;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
mod particle;
mod random;
mod snapshot;
mod spawn;
mod survey;
#[cfg(any(test, feature = "testing"))]
mod testing;
mod trial;
mod waiting;
mod whitewater;

use thalweg_compute::{Kernel, KernelInfo};

pub use error::{Result, WhitewaterError};
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use particle::Particle;
pub use snapshot::Snapshot;
pub use thalweg_model::{MOST_PARTICLES, MOST_PER_TRIAL, ParticleKind, WhitewaterSettings, WhitewaterStatistics};
pub use whitewater::{Counted, Whitewater};

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    vec![
        trial::Trial::INFO,
        survey::Survey::INFO,
        fly::Fly::INFO,
        pack::Pack::INFO,
        spawn::Spawn::INFO,
        spawn::Tally::INFO,
        foam::FoamMap::INFO,
        census::Census::INFO,
    ]
}
