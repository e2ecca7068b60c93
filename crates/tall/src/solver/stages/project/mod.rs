//! Incompressibility: the pressure solve of [`thalweg_pressure`] over the buffers of the simulation.
//!
//! **Gravity** is part of it. The unknown is the pressure less that of still water under a level, `q = (Δt/ρ) p − g Δt
//! (y₀ − y)`: inside the water gravity and its pressure cancel and neither is computed; what is left of them is a value
//! `g Δt (y_s − y₀)` at the surface, whose height `y_s` on a face follows from the ghost fluid's `θ`. [`SurfaceRhs`]
//! brings it into the right-hand side, [`SurfaceUpdate`] into the velocities. The equations are the same as with
//! gravity on every face, but a lake at rest has `q = 0`, so that floats round nothing, however deep it is: with
//! gravity on faces a lake of 40 cells over rough ground moved at 3e-4 g Δt after 600 steps. A domain that is
//! accelerated by `a` adds `a Δt x_s` to the value in the same way.
//!
//! The solve starts from the last pressure, moved to the new columns. [`Mask`] clears it where there is no unknown any
//! more: the matrix relies on that.

pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod projection;

pub(crate) use projection::Projection;
use thalweg_columns::Shape;
use thalweg_compute::{kernel, uniform};

uniform! {
    /// Samples of the finest level, and where its diagonal lies.
    pub struct MaskParams {
        /// Samples.
        pub len: u32,
        /// First diagonal in `cells`.
        pub diagonal_at: u32,
    }
}

uniform! {
    /// The columns, and what gravity does in a step.
    pub struct SurfaceParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// First diagonal in `cells`.
        pub diagonal_at: u32,
        /// `g Δt Δx`, m²/s: what a cell of height is worth.
        pub weight: f32,
        /// Height of the level `y₀` in cells, counted like centres of cells.
        pub level: f32,
        /// `1/Δx`, 1/m.
        pub per_cell: f32,
        /// `a_x Δt Δx`, m²/s: what a cell along x is worth in a domain that is accelerated.
        pub aside_x: f32,
        /// `a_z Δt Δx`, m²/s: what a cell along z is worth.
        pub aside_z: f32,
        /// Faces are cut off at this speed, m/s.
        pub fastest: f32,
        /// Whether the rows of tall cells are collocated.
        pub collocated: u32,
    }
}

kernel! {
    /// Adds `w g Δt (y_s − y₀)` of all faces to air to the right-hand side.
    pub struct SurfaceRhs slices SurfaceRhsSlices = "tall.surface_rhs" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/surface_rhs.wgsl")), entry: "surface_rhs",
        workgroup: [256, 1, 1],
        params: SurfaceParams,
        cpu: cpu::surface_rhs,
        read heights: [i32; 2],
        read phi: f32,
        read matrix: f32,
        read aperture: f32,
        read cells: f32,
        write b: f32,
    }
}

kernel! {
    /// The same part of the gradient on faces between water and air; and no face is faster than it may be.
    pub struct SurfaceUpdate slices SurfaceUpdateSlices = "tall.surface_update" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/surface_update.wgsl")), entry: "surface_update",
        workgroup: [256, 1, 1],
        params: SurfaceParams,
        cpu: cpu::surface_update,
        read heights: [i32; 2],
        read phi: f32,
        read matrix: f32,
        read aperture: f32,
        write faces: f32,
        write inner: f32,
    }
}

kernel! {
    /// The same part of the gradient of velocities of samples, the mean of two faces; and none is faster than it may
    /// be. `b` is not touched: the file is that of [`SurfaceRhs`], whose sums these are, axis by axis.
    pub struct SurfaceSamples slices SurfaceSamplesSlices = "tall.surface_samples" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/surface_rhs.wgsl")), entry: "surface_samples",
        workgroup: [256, 1, 1],
        params: SurfaceParams,
        cpu: cpu::surface_samples,
        read heights: [i32; 2],
        read phi: f32,
        read matrix: f32,
        read aperture: f32,
        read cells: f32,
        write b: f32,
        write samples: f32,
    }
}

kernel! {
    /// `q = 0` outside the unknowns.
    pub struct Mask slices MaskSlices = "tall.mask" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/mask.wgsl")), entry: "mask",
        workgroup: [256, 1, 1],
        params: MaskParams,
        cpu: cpu::mask,
        read cells: f32,
        write q: f32,
    }
}

impl SurfaceParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
