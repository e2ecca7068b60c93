//! The stage: passes over the air near the water, and a rough velocity beyond them if a step may carry water there.

use thalweg_columns::Shape;
use thalweg_compute::{Executor, Recording};

use super::{Extrapolate, ExtrapolateBuffers};
use crate::error::Result;
use crate::solver::stages::Step;
use crate::solver::stages::far_field::FarField;
use crate::solver::state::{ColumnFields, State};

/// The stage with its memory.
#[derive(Debug)]
pub(crate) struct Extrapolation {
    near: Extrapolate,
    /// Velocities beyond its reach.
    far: Option<FarField>,
}

impl Extrapolation {
    /// `far`: whether a step may carry water beyond the reach of the passes.
    pub(crate) fn new(exec: &Executor, shape: Shape, far: bool) -> Result<Self> {
        let far = if far { Some(FarField::new(exec, shape)?) } else { None };
        Ok(Self { near: Extrapolate::new(exec, shape)?, far })
    }

    /// Records the stage. Air whose distance is at least `beyond` cells is not asked for.
    pub(crate) fn record(&self, rec: &mut Recording<'_>, s: &State, beyond: f32, step: &Step) -> Result<()> {
        let ColumnFields { heights, phi, faces, inner, .. } = &s.now;
        let buffers = ExtrapolateBuffers { heights, phi, aperture: s.aperture(), faces, inner };
        let reach = if self.far.is_none() { beyond } else { f32::INFINITY };
        self.near.record(rec, buffers, step.options.extrapolate, reach)?;
        match &self.far {
            Some(far) => Ok(far.record(rec, self.near.known(), faces)?),
            None => Ok(()),
        }
    }
}
