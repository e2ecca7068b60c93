//! The water as drops and foam see it.

use thalweg_columns::Shape;
use thalweg_columns::flow::{Flow, WaterFlow};
use thalweg_compute::{Buffer, Dispatch, Recording};

use crate::error::{Result, TallError};
use crate::solver::stages::advect::Centre;
use crate::water::TallWater;

impl TallWater {
    /// See [`WaterFlow::record_flow`].
    pub(crate) fn record_flow(&self, rec: &mut Recording<'_>) -> Result<Flow<'_>> {
        let (now, params) = (&self.now, self.advect_params(0.0, f32::INFINITY));
        let kernel = Centre { heights: &now.heights, faces: &now.faces, inner: &now.inner, centres: &self.centres };
        rec.run(&kernel, &params, Dispatch::Elements(self.shape.len()))?;
        Ok(Flow { heights: &now.heights, phi: &now.phi, velocity: &self.centres, solid: &self.solid })
    }
}

impl WaterFlow for TallWater {
    type Error = TallError;

    fn shape(&self) -> Shape {
        self.shape
    }

    fn gravity(&self) -> f64 {
        self.tuning().gravity
    }

    fn record_flow(&self, rec: &mut Recording<'_>) -> Result<Flow<'_>> {
        Self::record_flow(self, rec)
    }

    fn record_spray(&self, rec: &mut Recording<'_>, events: &Buffer<u32>) -> Result<()> {
        Self::record_spray(self, rec, events)
    }
}
