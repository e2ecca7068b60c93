//! Pictures of water as one would see it, on the processor or on any GPU.
//!
//! The picture is a kernel like any other: rays are marched through the level set of the water, the height field of the
//! ground and the signed distances of obstacles. Where there is no GPU and no driver the same picture comes from the
//! processor, bit by bit the same on every machine and for any number of threads.
//!
//! [`WaterView`] is what there is to see, [`Look`] how it is seen, [`Renderer`] draws.

mod camera;
mod constants;
mod edges;
mod finish;
mod heights;
mod look;
#[cfg(any(test, feature = "testing"))]
mod parity_cases;
mod renderer;
mod sky;
mod splat;
mod tiles;
mod trace;

use thalweg_compute::{Kernel, KernelInfo};

pub use camera::Camera;
pub use look::{Look, Show, WaterLook};
#[cfg(any(test, feature = "testing"))]
pub use parity_cases::parity_cases;
pub use renderer::{HeightField, Renderer, WaterShape, WaterView, WaveView};

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    vec![
        heights::HeightColumns::INFO,
        tiles::Tiles::INFO,
        tiles::WideTiles::INFO,
        trace::Trace::INFO,
        edges::ListEdges::INFO,
        edges::PlanEdges::INFO,
        trace::Refine::INFO,
        edges::GatherRays::INFO,
        splat::Splat::INFO,
        finish::Finish::INFO,
    ]
}
