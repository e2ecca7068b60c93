//! A stream that the caller pours by hand: a source that comes, moves and goes while the water runs.
//!
//! It is a source like those of the scene, in memory of its own. Columns reach a new place only after the step that begins there (`reach` in
//! remeshing): what they add then has to be painted and booked too, so the stream begins once more in the second step. What it
//! owes when it moves or ends it pours at its next place; only what came is booked.

use thalweg_columns::Shape;
use thalweg_compute::{Buffer, Executor};

use super::sources::state;
use super::{Exchanger, Placed, Source};
use crate::error::{Result, TallError};
use crate::solver::step::longest_wave_step;
use crate::water::TallWater;

/// The stream by hand.
#[derive(Debug)]
pub(super) struct Hand {
    /// As it was asked for, and on the columns.
    pub(super) stream: Option<(Source, Placed)>,
    /// Whether columns have yet to reach it.
    is_fresh: bool,
    /// Words of its state.
    pub(super) state: Buffer<f32>,
}

impl Hand {
    pub(super) fn new(exec: &Executor) -> Result<Self> {
        Ok(Self { stream: None, is_fresh: false, state: exec.buffer("tall.hand_state", state::WORDS)? })
    }

    pub(super) fn placed(&self) -> impl Iterator<Item = &Placed> {
        self.stream.iter().map(|(_, placed)| placed)
    }
}

impl Exchanger {
    /// Begins, moves or keeps a stream; whether anything changed.
    fn pour(&mut self, exec: &Executor, source: Source, (shape, cell): (Shape, f64), longest: f64) -> Result<bool> {
        if self.hand.stream.as_ref().is_some_and(|(old, _)| *old == source) {
            return Ok(false);
        }
        let placed = source.place(0, (shape, cell), longest).map_err(|what| TallError::Pour { what })?;
        if placed.params.columns() > self.found.len() {
            self.found = exec.buffer("tall.surveys", placed.params.columns())?;
        }
        // It is not painted yet. What it owes stays.
        exec.write(&self.hand.state, state::PAINTS, &[0.0; state::WORDS - state::PAINTS])?;
        self.hand.stream = Some((source, placed));
        self.hand.is_fresh = true;
        Ok(true)
    }

    /// After a step: the columns have reached the stream, which begins once more.
    pub(crate) fn reached(&mut self, exec: &Executor) -> Result<()> {
        if std::mem::take(&mut self.hand.is_fresh) {
            exec.write(&self.hand.state, state::PAINTS, &[0.0])?;
        }
        Ok(())
    }
}

impl TallWater {
    /// Lets water stream in until [`Self::stop_pouring`]; with another source the stream moves. Refused if its region holds
    /// no cell, or too few for its rate, and with collocated velocities. Not part of snapshots.
    pub fn pour(&mut self, source: Source) -> Result<()> {
        if self.now.samples.is_some() {
            return Err(TallError::Collocated { what: "water that is poured in" });
        }
        let longest = longest_wave_step(self.cell, self.options.gravity);
        let exec = self.exec.clone();
        if self.exchange.pour(&exec, source, (self.shape, self.cell), longest)? {
            exec.write(&self.reach, 0, &self.exchange.reach(self.shape))?;
        }
        Ok(())
    }

    /// Ends the stream, if there is one.
    pub fn stop_pouring(&mut self) -> Result<()> {
        if self.exchange.hand.stream.take().is_some() {
            self.exec.write(&self.reach, 0, &self.exchange.reach(self.shape))?;
        }
        Ok(())
    }

    /// Forgets the stream and what it owed.
    pub(crate) fn forget_stream(&mut self) -> Result<()> {
        self.stop_pouring()?;
        Ok(self.exec.write(&self.exchange.hand.state, 0, &[0.0; state::WORDS])?)
    }
}
