//! Ocean waves: a sea of random waves of a measured spectrum, as tiles by Fourier transforms and at single points as
//! sums.
//!
//! A [`Sea`] says how much energy waves of every length and direction have. [`Tiles`] draws waves from it with random
//! phases and splits them between square tiles of different sizes. An [`Ocean`] keeps the tiles on an executor:
//! heights, slopes and foam at a time, in one list of kernels, for pictures. [`Waves`] sums the same waves at points on
//! the host, for sides that are driven and for bodies. [`Texture`] lets the waves of a tile drift with water that is
//! simulated.
//!
//! ```
//! use thalweg_waves::{Sea, Tiles, TilesSettings};
//!
//! let sea = Sea { wind: 10.0, fetch: 100e3, ..Sea::default() };
//! let tiles = Tiles::new(&sea, &TilesSettings { size: 400.0, ..Default::default() })?;
//! let waves = tiles.waves(20.0, usize::MAX);
//! let [x, z, t] = [12.0, 3.0, 60.0];
//! assert!(waves.elevation([x, z], t).abs() < sea.significant_height());
//! # Ok::<(), thalweg_waves::WavesError>(())
//! ```
//!
//! Reading order: `spectrum.rs` (how much energy), `tiles.rs` (which waves), `ocean.rs` (the list of kernels) and its
//! stages `evolve/`, `fft/`, `surface/`, `flatten/`; `points.rs` (sums on the host); `carry/` (drifting coordinates).

mod carry;
mod constants;
mod error;
mod evolve;
mod fft;
mod flatten;
mod gaussian;
mod ocean;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
mod points;
mod spectrum;
mod spreading;
mod surface;
mod texture;
mod tiles;

use thalweg_compute::{Kernel, KernelInfo};

pub use constants::layout;
pub use error::{Result, WavesError};
pub use ocean::{Ocean, Place};
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use points::Waves;
pub use spectrum::{Sea, Spectrum};
pub use surface::Foam;
pub use texture::Texture;
pub use thalweg_model::Wave;
pub use tiles::{Mode, Tile, Tiles, TilesSettings};

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    vec![
        evolve::Evolve::INFO,
        fft::Fft::INFO,
        surface::Surface::INFO,
        flatten::Flatten::INFO,
        carry::Carry::INFO,
        carry::Publish::INFO,
    ]
}
