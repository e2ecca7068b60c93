//! The water as drops and foam see it.

use thalweg_columns::Shape;
use thalweg_columns::flow::{Flow, WaterFlow};
use thalweg_compute::{Buffer, Dispatch, Recording};

use crate::error::{Result, TallError};
use crate::setup::Options;
use crate::solver::stages::advect::{AdvectParams, Centre};
use crate::solver::state::{ColumnFields, State};
use crate::solver::view::View;
use crate::water::TallWater;

impl State {
    /// See [`WaterFlow::record_flow`].
    pub(in crate::solver) fn record_flow(&self, rec: &mut Recording<'_>, options: &Options) -> Result<Flow<'_>> {
        let (ColumnFields { heights, phi, faces, inner, .. }, centres) = (&self.now, &self.centres);
        let params = AdvectParams::new(self, options, 0.0, f32::INFINITY);
        rec.run(&Centre { heights, faces, inner, centres }, &params, Dispatch::Elements(self.shape.len()))?;
        Ok(Flow { heights, phi, velocity: centres, solid: &self.solid })
    }
}

impl WaterFlow for TallWater {
    type Error = TallError;

    fn shape(&self) -> Shape {
        self.view().state.shape
    }

    fn gravity(&self) -> f64 {
        self.view().options.gravity
    }

    fn record_flow(&self, rec: &mut Recording<'_>) -> Result<Flow<'_>> {
        let View { state, options, .. } = self.view();
        state.record_flow(rec, options)
    }

    fn record_spray(&self, rec: &mut Recording<'_>, events: &Buffer<u32>) -> Result<()> {
        self.view().stages.exchange.record_spray(rec, events)
    }
}
