//! Solids in water: their shapes, how they move, and what kernels read of them.
//!
//! An [`Obstacle`] is a shape with a signed distance; it may have a [`Motion`](thalweg_model::Motion) or be a part of a
//! body. [`packed`] writes it as words into a buffer, with its distance as a function of those words; `packed.wesl`
//! beside it is the same for kernels, which import it as `solids::packed::…`. A mesh is a [`DistanceGrid`], distances
//! on bricks along its surface.

mod constants;
mod distance_grid;
mod obstacle;
pub mod packed;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod vector;

pub use distance_grid::{DistanceGrid, Sampling};
pub use obstacle::{Carrier, MOST_DISTANCES, Obstacle, ObstacleError};
