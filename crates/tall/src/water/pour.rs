//! Water that is poured in between steps.

use thalweg_model::Source;

use crate::error::{Result, TallError};
use crate::solver::stages::longest_wave_step;
use crate::water::TallWater;

impl TallWater {
    /// Lets water stream in until [`Self::stop_pouring`]; with another source the stream moves. Refused if its region
    /// holds no cell, or too few for its rate, and with collocated velocities. Not part of snapshots.
    pub fn pour(&mut self, source: &Source) -> Result<()> {
        if self.is_collocated() {
            return Err(TallError::Collocated { what: "water that is poured in" });
        }
        let longest = longest_wave_step(self.state.cell(), self.options.gravity);
        let source = self.origin.placed(source);
        self.stages.exchange.pour(&self.exec, &self.state, source, longest)
    }

    /// Ends the stream, if there is one.
    pub fn stop_pouring(&mut self) -> Result<()> {
        self.stages.exchange.stop_pouring(&self.exec, &self.state)
    }
}
