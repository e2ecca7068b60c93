//! Elevations of a raster that is larger than memory: read block by block, sampled like any other height map.
//!
//! [`TiledRaster`] reads windows of a TIFF or of a folder of tiles and keeps the blocks that were used last, up to a limit in bytes.
//! [`RasterPyramid`] tells the elevation of the cells of a quadtree over it, on all of its levels. The finest cells take the raster bilinearly, by the
//! rule of [`Terrain::rasterise`](crate::Terrain::rasterise); every larger cell is the mean of the finest ones in it.
//!
//! Reading order: `blocks.rs` (how a raster is cut), `tiff_blocks.rs` and `folder.rs` (where blocks come from), `cache.rs`, `raster.rs`;
//! then `sampling.rs` (which samples a cell takes), `survey.rs` (the one pass over the raster), `pyramid.rs`, `pyramid_file.rs`.

mod blocks;
mod cache;
mod error;
mod folder;
mod pyramid;
mod pyramid_file;
mod raster;
mod sampling;
mod stamp;
mod survey;
mod tiff_blocks;

pub use cache::CacheUse;
pub use error::RasterError;
pub use pyramid::{PyramidReport, RasterPyramid};
pub use raster::{DEFAULT_CACHE_BYTES, TiledRaster};
pub(crate) use sampling::Placed;
pub use sampling::Sampling;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
