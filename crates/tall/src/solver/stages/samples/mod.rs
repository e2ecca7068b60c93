//! The paper's collocated velocities: one vector per sample, [`Discretisation::Collocated`](crate::Discretisation).
//!
//! The state is three planes (x, y, z) of one value per sample, m/s. Faces are *derived* from them in every projection:
//! the mean of two samples less the pressure gradient between them, `U_f = ½ (u_i + u_n) − ∇q` (Rhie and Chow 1983).
//! The sum of the six fluxes of a cell is then what the pressure solve has left, and checkerboard velocities, which the
//! divergence of \[000\] does not see, cannot carry the surface. Level set, extrapolation and sums read those faces and
//! do not know the difference.
//!
//! [`TakeSamples`] hands the state to the advection of centres, [`KeepSamples`] takes what comes of it. Samples that
//! were no unknowns of the last projection have no velocity of their own: they take the mean of extrapolated faces.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::{Buffer, ComputeError, Dispatch, Recording, kernel, uniform};

use crate::solver::stages::advect::{AdvectParams, Increment};

uniform! {
    /// Samples of the finest level, and where its diagonal lies.
    pub struct SampleParams {
        /// Samples.
        pub len: u32,
        /// First diagonal in `cells`.
        pub diagonal_at: u32,
        /// Whether all samples are taken, not only the unknowns.
        pub everywhere: u32,
    }
}

kernel! {
    /// Velocities of samples into the field that is advected.
    pub struct TakeSamples slices TakeSamplesSlices = "tall.take_samples" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/take_samples.wgsl")), entry: "take_samples",
        workgroup: [256, 1, 1],
        params: SampleParams,
        cpu: cpu::take_samples,
        read cells: f32,
        read samples: f32,
        write centres: [f32; 4],
    }
}

kernel! {
    /// Velocities and their changes into the state.
    pub struct KeepSamples slices KeepSamplesSlices = "tall.keep_samples" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/keep_samples.wgsl")), entry: "keep_samples",
        workgroup: [256, 1, 1],
        params: SampleParams,
        cpu: cpu::keep_samples,
        read centres: [f32; 4],
        read changes: [f32; 4],
        write samples: f32,
    }
}

/// The state, the field that is advected, and the unknowns of the last projection.
pub(crate) struct SampleBuffers<'a> {
    /// Planes of the levels of the pressure solve, and where the diagonals begin.
    pub(crate) cells: (&'a Buffer<f32>, usize),
    pub(crate) samples: &'a Buffer<f32>,
    pub(crate) centres: &'a Buffer<[f32; 4]>,
}

impl SampleBuffers<'_> {
    fn params(&self, everywhere: bool) -> SampleParams {
        SampleParams {
            len: self.centres.len() as u32,
            diagonal_at: self.cells.1 as u32,
            everywhere: u32::from(everywhere),
        }
    }

    /// Records what is advected: the state in the unknowns of the last projection; elsewhere what `centres` hold.
    pub(crate) fn take_unknowns(&self, rec: &mut Recording<'_>) -> Result<(), ComputeError> {
        self.take(rec, false)
    }

    /// Records the state after advection.
    pub(crate) fn keep(&self, rec: &mut Recording<'_>, changes: &Buffer<[f32; 4]>) -> Result<(), ComputeError> {
        let kernel = KeepSamples { centres: self.centres, changes, samples: self.samples };
        rec.run(&kernel, &self.params(true), Dispatch::Elements(self.centres.len()))
    }

    /// Records `½ (u_i + u_n)` on all faces.
    pub(crate) fn mean_faces(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<[i32; 2]>,
        [faces, inner]: [&Buffer<f32>; 2],
        columns: &AdvectParams,
    ) -> Result<(), ComputeError> {
        self.take(rec, true)?;
        rec.clear(faces)?;
        rec.clear(inner)?;
        let kernel = Increment { heights, changes: self.centres, faces, inner };
        rec.run(&kernel, columns, Dispatch::Elements(3 * self.centres.len()))
    }

    fn take(&self, rec: &mut Recording<'_>, everywhere: bool) -> Result<(), ComputeError> {
        let kernel = TakeSamples { cells: self.cells.0, samples: self.samples, centres: self.centres };
        rec.run(&kernel, &self.params(everywhere), Dispatch::Elements(self.centres.len()))
    }
}
