//! The level set is continued into solids.
//!
//! Advection reads across walls, and a solid that moves away leaves cells behind that nobody has computed. Both need
//! the level set of the water beside the solid: in every pass a cell that is solid as a whole (or mostly, beside a
//! steep wall) and has not been reached takes the mean of those neighbours beside it that have been, so that the
//! surface goes on level (tall-cells.md §13, "φ in solids"). If none of them has, it takes the level set below or above
//! it, one cell nearer to the surface or farther from it. Without it a body that was dry when it plunged in carries air
//! below the surface. (With the plain mean of all neighbours the surface is bent in hulls that are narrower below or
//! above. Cells beside the wall took that over, water that should have been at rest fell into the bend step by step,
//! and a ball in still water was kicked about by it.)
//!
//! Passes work in place, as those of the extrapolation do: what others write meanwhile is marked with the number of
//! this pass or still far, and either is ignored.

pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

pub(crate) use constants::FAR;
use thalweg_columns::Shape;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

/// Solid fraction from which cells beside steep walls are filled too, if all that moves is coupling. Such cells are
/// mostly closed, move with the solid, and would carry the surface in them up and down with a body that bobs. Cells
/// under a flat bottom should move with it, and so should those beside a gate that is pulled out of the water: with
/// them filled, the crest of `dam-break-wet` is off by 0.19 of its range instead of 0.14.
pub(crate) const MOSTLY: f32 = 0.5;

uniform! {
    /// The columns, and the number of the pass.
    pub struct FillParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// 0 marks the cells, later passes fill those next to what was reached.
        pub layer: u32,
        /// Cells beside steep walls are filled from this solid fraction on.
        pub mostly: f32,
    }
}

kernel! {
    /// One pass.
    pub struct Fill slices FillSlices = "tall.fill" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fill.wgsl")), entry: "fill",
        workgroup: [256, 1, 1],
        params: FillParams,
        cpu: cpu::fill,
        read heights: [i32; 2],
        read solid: f32,
        write layers: u32,
        write phi: f32,
    }
}

/// How far the level set goes on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// Layers of cells.
    pub(crate) layers: u32,
    /// Cells beside steep walls are filled from this solid fraction on; 1 is all solid.
    pub(crate) mostly: f32,
}

/// The stage with its memory.
#[derive(Debug)]
pub(crate) struct FillSolids {
    shape: Shape,
    layers: Buffer<u32>,
}

impl FillSolids {
    /// Takes the memory: one word per sample.
    pub(crate) fn new(exec: &Executor, shape: Shape) -> Result<Self, ComputeError> {
        Ok(Self { shape, layers: exec.buffer("tall.fill_layers", shape.len())? })
    }

    /// Records as many layers as asked for.
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<[i32; 2]>,
        solid: &Buffer<f32>,
        phi: &Buffer<f32>,
        Reach { layers, mostly }: Reach,
    ) -> Result<(), ComputeError> {
        let kernel = Fill { heights, solid, layers: &self.layers, phi };
        let Shape { nx, nz, .. } = self.shape;
        (0..=layers).try_for_each(|layer| {
            let samples = self.shape.samples() as u32;
            let params = FillParams { nx: nx as u32, nz: nz as u32, samples, layer, mostly };
            rec.run(&kernel, &params, Dispatch::Elements(self.shape.len()))
        })
    }
}

impl FillParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
