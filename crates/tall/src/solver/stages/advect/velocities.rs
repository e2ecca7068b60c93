//! Velocities with themselves, in place and still on the old columns.

use thalweg_columns::Shape;
use thalweg_compute::{Buffer, Dispatch, Executor, Recording};

use super::{Advect, AdvectParams, Centre, Correct, Increment};
use crate::error::Result;
use crate::solver::stages::Step;
use crate::solver::stages::samples::SampleBuffers;
use crate::solver::state::{ColumnFields, State};

/// Air in which velocities are advected, cells: faces that touch water lie between samples nearer than that.
pub(crate) const AIR: f32 = 3.0;

/// The stage with its memory.
#[derive(Debug)]
pub(crate) struct VelocityAdvection {
    hat: Buffer<[f32; 4]>,
    departures: Buffer<[f32; 4]>,
}

impl VelocityAdvection {
    pub(crate) fn new(exec: &Executor, shape: Shape) -> Result<Self> {
        let vectors = |name: &str| exec.buffer(name, shape.len());
        Ok(Self { hat: vectors("tall.hat")?, departures: vectors("tall.departures")? })
    }

    /// Records the stage. `diagonals` are those of the pressure solve's levels and where they begin: the unknowns of
    /// the last projection.
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        s: &State,
        diagonals: (&Buffer<f32>, usize),
        step: &Step,
    ) -> Result<()> {
        let (Self { hat, departures }, State { now, centres, .. }) = (self, s);
        let ColumnFields { heights, phi, faces, inner, .. } = now;
        let (params, len) = (AdvectParams::new(s, &step.options, step.moment.dt, AIR), s.shape.len());
        let all = || Dispatch::Elements(len);
        rec.run(&Centre { heights, faces, inner, centres }, &params, all())?;
        let samples = now.samples.as_ref().map(|samples| SampleBuffers { cells: diagonals, samples, centres });
        if let Some(samples) = &samples {
            samples.take_unknowns(rec)?;
        }
        rec.run(&Advect { heights, phi, centres, hat, departures }, &params, all())?;
        rec.run(&Correct { heights, phi, centres, hat, departures }, &params, all())?;
        if let Some(samples) = &samples {
            return Ok(samples.keep(rec, departures)?);
        }
        let changed = Increment { heights, changes: departures, faces, inner };
        rec.run(&changed, &params, Dispatch::Elements(3 * len))?;
        Ok(())
    }
}
