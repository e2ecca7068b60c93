//! The level set becomes a distance again, without moving the surface.
//!
//! The corners of cubes of samples that the surface cuts are *fixed*: their distance is `|φ|/|∇φ|` with the mean slope
//! of these cubes (`slope.rs`). Two things matter. Samples on both sides must be divided by the same slope, or the
//! surface moves: the subcell rule of Russo and Smereka 2000, `d = 1/√(Σ 1/θ²)`, takes 0.9 % from a circle of radius 15
//! in 100 times. And the slope next to the surface must be that farther out: rising water is stretched and falling
//! water is squeezed, and where samples next to the surface keep that while the others become distances, linear
//! interpolation in the kink between them lifts the surface both times; a sloshing tank gains 0.06 % of its volume per
//! second, instead of 0.002 %.
//!
//! All other samples take the Godunov update of `|∇d| = 1` from their neighbours, in Jacobi sweeps from [`BAND`]
//! downwards (eikonal-and-advection.md §1), so that values end at ±[`BAND`]. Signs never change.
//!
//! Neighbours are decoded world cells; there is none across a closed face, beyond the sides of the grid, in the terrain
//! and above a column's top. A sample without any neighbour is only clamped.
//!
//! An end of a tall cell that is deep in the water (φ ≤ −[`DEEP`]) becomes −[`BAND`]: a line has no distance to offer.
//!
//! Between reinitialisations [`Clamp`] keeps values in bounds (\[000\] §3.5).

mod around;
pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod slope;
#[cfg(test)]
mod tests;

pub(crate) use constants::{BAND, DEEP};
use thalweg_columns::Shape;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

/// Sweeps: enough for [`BAND`] in the diagonal of a plane. An odd number, so that the result is where it began.
const SWEEPS: usize = 7;

uniform! {
    /// The columns.
    pub struct ReinitialiseParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
    }
}

kernel! {
    /// `|φ| ≤ 1` next to the surface, `|φ| ≤ 5` elsewhere. In place: neighbours are asked for their signs only, which
    /// stay.
    pub struct Clamp slices ClampSlices = "tall.clamp_level_set" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/reinitialise.wgsl")), entry: "clamp_level_set",
        workgroup: [256, 1, 1],
        params: ReinitialiseParams,
        cpu: cpu::clamp_level_set,
        read heights: [i32; 2],
        read aperture: f32,
        write result: f32,
    }
}

kernel! {
    /// Distances next to the surface, [`BAND`] elsewhere, both with the sign of the level set.
    pub struct FixSurface slices FixSurfaceSlices = "tall.fix_surface" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/reinitialise.wgsl")), entry: "fix_surface",
        workgroup: [256, 1, 1],
        params: ReinitialiseParams,
        cpu: cpu::fix_surface,
        read heights: [i32; 2],
        read aperture: f32,
        write result: f32,
        read source: f32,
    }
}

kernel! {
    /// One sweep of the Godunov update.
    pub struct Distance slices DistanceSlices = "tall.distance" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/reinitialise.wgsl")), entry: "distance_sweep",
        workgroup: [256, 1, 1],
        params: ReinitialiseParams,
        cpu: cpu::distance_sweep,
        read heights: [i32; 2],
        read aperture: f32,
        write result: f32,
        read source: f32,
    }
}

/// The stage with its memory.
#[derive(Debug)]
pub(crate) struct Reinitialise {
    shape: Shape,
    scratch: Buffer<f32>,
}

impl Reinitialise {
    /// Takes the memory: one word per sample.
    pub(crate) fn new(exec: &Executor, shape: Shape) -> Result<Self, ComputeError> {
        Ok(Self { shape, scratch: exec.buffer("tall.distance", shape.len())? })
    }

    /// Records the whole stage in eight dispatches: `phi` (in cells) becomes a distance.
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<[i32; 2]>,
        aperture: &Buffer<f32>,
        phi: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let (params, samples) = (self.params(), Dispatch::Elements(self.shape.len()));
        rec.run(&FixSurface { heights, aperture, result: &self.scratch, source: phi }, &params, samples)?;
        for sweep in 0..SWEEPS {
            let [source, result] = if sweep % 2 == 0 { [&self.scratch, phi] } else { [phi, &self.scratch] };
            rec.run(&Distance { heights, aperture, result, source }, &params, samples)?;
        }
        Ok(())
    }

    /// Records the bounds of every step in one dispatch.
    pub(crate) fn record_clamp(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<[i32; 2]>,
        aperture: &Buffer<f32>,
        phi: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let kernel = Clamp { heights, aperture, result: phi };
        rec.run(&kernel, &self.params(), Dispatch::Elements(self.shape.len()))
    }

    fn params(&self) -> ReinitialiseParams {
        let Shape { nx, nz, .. } = self.shape;
        ReinitialiseParams { nx: nx as u32, nz: nz as u32, samples: self.shape.samples() as u32 }
    }
}

impl ReinitialiseParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
