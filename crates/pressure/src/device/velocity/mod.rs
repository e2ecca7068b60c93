//! Face velocities around a solve on the executor: apertures, right-hand side, update.
//!
//! The kernels do what [`velocity::Staggered`](crate::velocity::Staggered) does on the host, in the same layout: face
//! velocities are one buffer of three entries per sample ([`FaceVelocity::faces`](thalweg_columns::FaceVelocity)) and
//! one of one entry per column (`inner`). They belong to [`Discretisation::Galerkin`](crate::Discretisation::Galerkin).
//! One invocation writes one entry; the one that owns the upper end of the line inside a tall cell writes its lower end
//! too. Velocities of samples, the published method, are in `collocated/`.

pub(super) mod collocated;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_columns::Shape;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

pub use collocated::DeviceCollocated;
pub(super) use collocated::{SampleRhs, SampleUpdate};

use super::hierarchy::DeviceHierarchy;

uniform! {
    /// The finest level, and the cell size.
    pub struct VelocityParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Samples of all levels.
        pub total: u32,
        /// Whether solids move. If not, their velocities are not read.
        pub moving_solids: u32,
        /// `Δx`, m.
        pub cell: f32,
        /// `1/Δx`, 1/m.
        pub per_cell: f32,
    }
}

kernel! {
    /// Open fractions of all faces, 0 where a solid closes them.
    pub struct Apertures slices AperturesSlices = "pressure.apertures" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/apertures.wgsl")), entry: "apertures",
        workgroup: [256, 1, 1],
        params: VelocityParams,
        cpu: cpu::apertures,
        read heights: [i32; 2],
        read open: f32,
        read cells: f32,
        write aperture: f32,
    }
}

kernel! {
    /// `b = −Δx² ∇·u` in the unknowns, 0 elsewhere; m²/s.
    pub struct VelocityRhs slices VelocityRhsSlices = "pressure.velocity_rhs" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/velocity_rhs.wgsl")), entry: "velocity_rhs",
        workgroup: [256, 1, 1],
        params: VelocityParams,
        cpu: cpu::velocity_rhs,
        read heights: [i32; 2],
        read cells: f32,
        read aperture: f32,
        read solid_velocity: f32,
        read faces: f32,
        read inner: f32,
        write b: f32,
    }
}

kernel! {
    /// `u −= ∇q`, and `u = u_solid` on closed faces.
    pub struct VelocityUpdate slices VelocityUpdateSlices = "pressure.velocity_update" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/velocity_update.wgsl")), entry: "velocity_update",
        workgroup: [256, 1, 1],
        params: VelocityParams,
        cpu: cpu::velocity_update,
        read heights: [i32; 2],
        read matrix: f32,
        read aperture: f32,
        read solid_velocity: f32,
        read q: f32,
        write faces: f32,
        write inner: f32,
    }
}

/// The staggered operators over the finest level of a [`DeviceHierarchy`]: those of
/// [`Staggered`](crate::velocity::Staggered) in floats.
///
/// Every call takes the hierarchy, for a solver owns it. Velocities have three entries per sample (`u`) and one per
/// column (`inner`), in m/s; right-hand side and `q` have one entry per sample of the finest level, in m²/s.
#[derive(Debug)]
pub struct DeviceStaggered {
    shape: Shape,
    cell: f64,
    moving_solids: bool,
    aperture: Buffer<f32>,
    solids: Buffer<f32>,
}

impl DeviceStaggered {
    /// Takes the memory and computes the apertures of a hierarchy with cells of `cell` metres. Velocities of solids
    /// have memory only if `moving_solids`; they are zero until [`Self::solids`] is written.
    pub fn new(
        exec: &Executor,
        levels: &DeviceHierarchy,
        cell: f64,
        moving_solids: bool,
    ) -> Result<Self, ComputeError> {
        let shape = levels.shape();
        let staggered = Self {
            shape,
            cell,
            moving_solids,
            aperture: exec.buffer("pressure.aperture", 3 * shape.len())?,
            solids: exec.buffer("pressure.solid_velocity", if moving_solids { 3 * shape.len() } else { 1 })?,
        };
        let mut rec = exec.record();
        staggered.refresh(&mut rec, levels)?;
        rec.submit()?;
        Ok(staggered)
    }

    /// Open fractions of all faces, 0 where a solid closes them.
    pub fn aperture(&self) -> &Buffer<f32> {
        &self.aperture
    }

    /// Normal velocity of solids per face, m/s, in the layout of `u`; a single entry that is not read if they are at
    /// rest. Inside a tall cell entry 1 counts.
    pub fn solids(&self) -> &Buffer<f32> {
        &self.solids
    }

    /// Records the apertures anew, after heights, solids or openings of the hierarchy have changed.
    pub fn refresh(&self, rec: &mut Recording<'_>, levels: &DeviceHierarchy) -> Result<(), ComputeError> {
        let kernel = Apertures {
            heights: levels.heights(),
            open: levels.open(),
            cells: levels.cells(),
            aperture: &self.aperture,
        };
        rec.run(&kernel, &self.params(levels), Dispatch::Elements(3 * self.shape.len()))
    }

    /// Records `b = −Δx² ∇·u` in the unknowns, 0 elsewhere.
    pub fn rhs(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        u: &Buffer<f32>,
        inner: &Buffer<f32>,
        b: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let kernel = VelocityRhs {
            heights: levels.heights(),
            cells: levels.cells(),
            aperture: &self.aperture,
            solid_velocity: &self.solids,
            faces: u,
            inner,
            b,
        };
        rec.run(&kernel, &self.params(levels), Dispatch::Elements(self.shape.len()))
    }

    /// Records `u −= ∇q`, and `u = u_solid` on closed faces.
    pub fn update(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        q: &Buffer<f32>,
        u: &Buffer<f32>,
        inner: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let kernel = VelocityUpdate {
            heights: levels.heights(),
            matrix: levels.matrix(),
            aperture: &self.aperture,
            solid_velocity: &self.solids,
            q,
            faces: u,
            inner,
        };
        rec.run(&kernel, &self.params(levels), Dispatch::Elements(3 * self.shape.len()))
    }

    fn params(&self, levels: &DeviceHierarchy) -> VelocityParams {
        VelocityParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            total: levels.samples() as u32,
            moving_solids: u32::from(self.moving_solids),
            cell: self.cell as f32,
            per_cell: (1.0 / self.cell) as f32,
        }
    }
}

impl VelocityParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
