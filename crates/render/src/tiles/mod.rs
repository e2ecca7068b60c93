//! Between which heights the ground and the surface of the water lie, for tiles of columns, for wide tiles of those,
//! and for the whole block: rays above or below go on to the next tile.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{Buffer, ComputeError, Dispatch, Recording, kernel, uniform};

pub(crate) use crate::constants::tiles::{FIRST, TILE, WHOLE, WIDE};

uniform! {
    /// Sizes; see [`TraceParams`](crate::trace::TraceParams).
    pub struct TilesParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Values of the level set along x.
        pub lattice_x: u32,
        /// Values of the level set up.
        pub lattice_y: u32,
        /// Values of the level set along z.
        pub lattice_z: u32,
        /// Values of the level set along the edge of a cell.
        pub per_cell: f32,
        /// 1 if the water is a height field, whose surface stands in `ground`.
        pub height_field: u32,
    }
}

kernel! {
    /// Per tile: the highest ground, the height below which there is no air, and the height above which there is no
    /// water.
    pub struct Tiles slices TilesSlices = "render.tiles" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/tiles.wgsl")), entry: "tiles",
        workgroup: [256, 1, 1],
        params: TilesParams,
        cpu: cpu::tiles,
        read water: f32,
        read ground: [f32; 4],
        write table: [f32; 4],
    }
}

kernel! {
    /// The same per wide tile, and for the whole block, of tiles that are there.
    pub struct WideTiles slices WideTilesSlices = "render.wide_tiles" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/wide.wgsl")), entry: "wide_tiles",
        workgroup: [64, 1, 1],
        params: TilesParams,
        cpu: cpu::wide_tiles,
        write table: [f32; 4],
    }
}

/// Tiles of columns.
pub(crate) fn count([nx, nz]: [u32; 2]) -> usize {
    (nx.div_ceil(TILE) * nz.div_ceil(TILE)) as usize
}

/// Wide tiles.
pub(crate) fn wide_count([nx, nz]: [u32; 2]) -> usize {
    (nx.div_ceil(TILE * WIDE) * nz.div_ceil(TILE * WIDE)) as usize
}

/// Words of a table of the sky with tiles behind it.
pub(crate) fn room(columns: [u32; 2]) -> usize {
    FIRST + count(columns) + wide_count(columns)
}

/// Records all tiles.
pub(crate) fn record(
    rec: &mut Recording<'_>,
    params: &TilesParams,
    (water, ground): (&Buffer<f32>, &Buffer<[f32; 4]>),
    table: &Buffer<[f32; 4]>,
) -> Result<(), ComputeError> {
    let columns = [params.nx, params.nz];
    rec.run(&Tiles { water, ground, table }, params, Dispatch::Elements(256 * count(columns)))?;
    // One workgroup more, for the whole block.
    rec.run(&WideTiles { table }, params, Dispatch::Elements(64 * (wide_count(columns) + 1)))
}

#[cfg(test)]
pub(crate) fn fill(p: &TilesParams, water: &[f32], ground: &[[f32; 4]], table: &mut [[f32; 4]]) {
    cpu::tiles(p, TilesSlices { water, ground, table });
    cpu::wide_tiles(p, WideTilesSlices { table });
}
