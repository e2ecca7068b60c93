//! The fields that move with the columns, on the host: what a snapshot holds of them.

use thalweg_columns::Heights;
use thalweg_compute::{Buffer, Executor};

use super::{ColumnFields, State};
use crate::error::Result;

/// [`ColumnFields`] on the host, each under its name in a [`Snapshot`](crate::Snapshot).
#[derive(Debug)]
pub(crate) struct SavedFields<'a> {
    pub(crate) heights: &'a [Heights],
    pub(crate) level_set: &'a [f32],
    pub(crate) faces: &'a [f32],
    pub(crate) inner: &'a [f32],
    pub(crate) pressure: &'a [f32],
    pub(crate) samples: &'a [f32],
}

impl SavedFields<'_> {
    /// Fields by their names, and how many numbers they have here and in a state.
    pub(crate) fn lengths(&self, state: &State) -> [(&'static str, usize, usize); 6] {
        let ColumnFields { heights, phi, faces, inner, q, samples } = &state.now;
        [
            ("heights", self.heights.len(), heights.len()),
            ("level set", self.level_set.len(), phi.len()),
            ("faces", self.faces.len(), faces.len()),
            ("inner", self.inner.len(), inner.len()),
            ("pressure", self.pressure.len(), q.len()),
            ("samples", self.samples.len(), samples.as_ref().map_or(0, Buffer::len)),
        ]
    }
}

impl State {
    /// Velocities of faces, m/s, and the lower ends of the lines inside tall cells; waits for the executor.
    pub(crate) fn read_velocities(&self, exec: &Executor) -> Result<[Vec<f32>; 2]> {
        Ok([exec.read(&self.now.faces)?, exec.read(&self.now.inner)?])
    }

    /// `(Δt/ρ) p` of the last step, m²/s; waits for the executor.
    pub(crate) fn read_pressure(&self, exec: &Executor) -> Result<Vec<f32>> {
        Ok(exec.read(&self.now.q)?)
    }

    /// Velocities of samples, m/s, empty if they live on faces; waits for the executor.
    pub(crate) fn read_samples(&self, exec: &Executor) -> Result<Vec<f32>> {
        Ok(self.now.samples.as_ref().map(|samples| exec.read(samples)).transpose()?.unwrap_or_default())
    }

    /// Takes up fields of the same lengths.
    pub(crate) fn write(&self, exec: &Executor, saved: &SavedFields<'_>) -> Result<()> {
        let ColumnFields { heights, phi, faces, inner, q, samples } = &self.now;
        exec.write(heights, 0, saved.heights)?;
        exec.write(phi, 0, saved.level_set)?;
        exec.write(faces, 0, saved.faces)?;
        exec.write(inner, 0, saved.inner)?;
        exec.write(q, 0, saved.pressure)?;
        if let Some(samples) = samples {
            exec.write(samples, 0, saved.samples)?;
        }
        Ok(())
    }
}
