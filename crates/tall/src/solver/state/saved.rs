//! The fields that move with the columns, on the host: what a snapshot holds of them.

use thalweg_columns::Heights;
use thalweg_compute::{Buffer, Executor, Readback};

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

/// [`ColumnFields`] on their way to the host.
#[derive(Debug)]
pub(crate) struct FieldsRead {
    pub(crate) heights: Readback<Heights>,
    pub(crate) level_set: Readback<f32>,
    pub(crate) faces: Readback<f32>,
    pub(crate) inner: Readback<f32>,
    pub(crate) pressure: Readback<f32>,
    pub(crate) samples: Option<Readback<f32>>,
}

impl State {
    /// Begins to read the fields.
    pub(crate) fn read(&self, exec: &Executor) -> Result<FieldsRead> {
        let ColumnFields { heights, phi, faces, inner, q, samples } = &self.now;
        Ok(FieldsRead {
            heights: exec.read_async(heights)?,
            level_set: exec.read_async(phi)?,
            faces: exec.read_async(faces)?,
            inner: exec.read_async(inner)?,
            pressure: exec.read_async(q)?,
            samples: samples.as_ref().map(|samples| exec.read_async(samples)).transpose()?,
        })
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
