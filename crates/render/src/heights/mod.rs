//! The columns of a height field as rays see them: ground, wetness and surface in cells from the corner of the block.
//!
//! Thin water is wet ground. On dry ground the surface goes on below it at the level of the water beside, so that the
//! waterline is level.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

use crate::renderer::HeightField;

uniform! {
    /// The grid, and its place in the block.
    pub struct HeightsParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Cells in a metre.
        pub per_metre: f32,
        /// Height of the datum, cells.
        pub datum: f32,
        /// Depth of the thinnest water that is not wet ground, m.
        pub film: f32,
    }
}

kernel! {
    /// Per column: height of the ground, wetness, 0 and height of the surface.
    pub struct HeightColumns slices HeightColumnsSlices = "render.height_columns" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/heights.wgsl")), entry: "height_columns",
        workgroup: [256, 1, 1],
        params: HeightsParams,
        cpu: cpu::height_columns,
        read level: f32,
        read bed: f32,
        write ground: [f32; 4],
    }
}

/// Records the columns of a height field; `(columns, base, cell)`: columns along x and z, elevation at which the block
/// begins and size of a cell, m. The buffer is made anew if its size differs.
pub(crate) fn record<'a>(
    rec: &mut Recording<'_>,
    exec: &Executor,
    kept: &'a mut Option<Buffer<[f32; 4]>>,
    field: &HeightField<'_>,
    ([nx, nz], base, cell): ([u32; 2], f64, f64),
) -> Result<&'a Buffer<[f32; 4]>, ComputeError> {
    let len = nx as usize * nz as usize;
    let ground = match kept.take().filter(|ground| ground.len() == len) {
        Some(ground) => kept.insert(ground),
        None => kept.insert(exec.buffer("render.height_columns", len)?),
    };
    let params = HeightsParams {
        nx,
        nz,
        per_metre: (1.0 / cell) as f32,
        datum: ((field.datum - base) / cell) as f32,
        film: (f64::from(crate::constants::heights::FILM) * cell) as f32,
    };
    rec.run(&HeightColumns { level: field.level, bed: field.bed, ground }, &params, Dispatch::Elements(len))?;
    Ok(ground)
}
