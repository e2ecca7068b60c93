//! A stream that the caller pours: a source that comes, moves and goes while the water runs.
//!
//! It is a source like those of the scene, in memory of its own. Columns reach a new place only after the step that
//! begins there (`reach` in remeshing): what they add then has to be painted and booked too, so the stream begins once
//! more in the second step. What it owes when it moves or ends it pours at its next place; only what came is booked.

use thalweg_columns::Shape;
use thalweg_compute::{Buffer, Executor};

use super::sources::state;
use super::{Exchanger, Placed};
use crate::error::{Result, TallError};
use crate::from_model::PlacedSource;
use crate::solver::state::State;

/// The stream, if there is one, with its memory.
#[derive(Debug)]
pub(super) struct Stream {
    /// As it was asked for, and on the columns.
    pub(super) given: Option<(PlacedSource, Placed)>,
    /// Whether columns have yet to reach it.
    is_fresh: bool,
    /// Words of its state.
    pub(super) state: Buffer<f32>,
}

impl Stream {
    pub(super) fn new(exec: &Executor) -> Result<Self> {
        Ok(Self { given: None, is_fresh: false, state: exec.buffer("tall.stream_state", state::WORDS)? })
    }

    pub(super) fn placed(&self) -> impl Iterator<Item = &Placed> {
        self.given.iter().map(|(_, placed)| placed)
    }
}

impl Exchanger {
    /// Begins, moves or keeps a stream; whether anything changed.
    fn set_stream(
        &mut self,
        exec: &Executor,
        source: PlacedSource,
        columns: (Shape, f64),
        longest: f64,
    ) -> Result<bool> {
        if self.stream.given.as_ref().is_some_and(|(old, _)| *old == source) {
            return Ok(false);
        }
        let placed = source.place(0, columns, longest).map_err(|what| TallError::Pour { what })?;
        if placed.params.columns() > self.found.len() {
            self.found = exec.buffer("tall.surveys", placed.params.columns())?;
        }
        // It is not painted yet. What it owes stays.
        exec.write(&self.stream.state, state::PAINTS, &[0.0; state::WORDS - state::PAINTS])?;
        self.stream.given = Some((source, placed));
        self.stream.is_fresh = true;
        Ok(true)
    }

    /// After a step: the columns have reached the stream, which begins once more.
    pub(crate) fn reached(&mut self, exec: &Executor) -> Result<()> {
        if std::mem::take(&mut self.stream.is_fresh) {
            exec.write(&self.stream.state, state::PAINTS, &[0.0])?;
        }
        Ok(())
    }
}

impl Exchanger {
    /// Lets water stream in until [`Self::stop_pouring`]; with another source the stream moves. `longest` is the
    /// longest step, s.
    pub(crate) fn pour(&mut self, exec: &Executor, s: &State, source: PlacedSource, longest: f64) -> Result<()> {
        match self.set_stream(exec, source, (s.shape, s.cell), longest)? {
            true => self.ask_columns(exec, s),
            false => Ok(()),
        }
    }

    /// Ends the stream, if there is one.
    pub(crate) fn stop_pouring(&mut self, exec: &Executor, s: &State) -> Result<()> {
        match self.stream.given.take() {
            Some(_) => self.ask_columns(exec, s),
            None => Ok(()),
        }
    }

    /// Forgets the stream and what it owed.
    pub(crate) fn forget_stream(&mut self, exec: &Executor, s: &State) -> Result<()> {
        self.stop_pouring(exec, s)?;
        Ok(exec.write(&self.stream.state, 0, &[0.0; state::WORDS])?)
    }

    /// What sources ask of columns, from now on.
    fn ask_columns(&self, exec: &Executor, s: &State) -> Result<()> {
        Ok(exec.write(&s.bounds.reach, 0, &self.reach(s.shape))?)
    }
}
