//! The same reads for callers that have nothing else to do until they are there: tests, tools, small programs.

use thalweg_ledger::Ledger;

use crate::error::Result;
use crate::output::{Fields, Maps, Sample, Snapshot, Statistics};
use crate::solver::{CellList, ShallowWater};

impl ShallowWater {
    /// [`Self::statistics_later`], waited for.
    pub fn statistics(&mut self) -> Result<Statistics> {
        self.statistics_later()?.wait()
    }

    /// [`Self::ledger_later`], waited for.
    pub fn ledger(&mut self) -> Result<Ledger> {
        self.ledger_later()?.wait()
    }

    /// [`Self::fields_later`], waited for.
    pub fn fields(&mut self) -> Result<Fields> {
        self.fields_later()?.wait()
    }

    /// [`Self::maps_later`], waited for.
    pub fn maps(&mut self) -> Result<Option<Maps>> {
        self.maps_later()?.map(|maps| maps.wait()).transpose()
    }

    /// [`Self::sample_later`], waited for.
    pub fn sample(&mut self, cells: &CellList) -> Result<Vec<Sample>> {
        self.sample_later(cells)?.wait()
    }

    /// [`Self::snapshot_later`], waited for.
    pub fn snapshot(&mut self) -> Result<Snapshot> {
        self.snapshot_later()?.wait()
    }
}
