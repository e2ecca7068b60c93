//! The same reads for callers that have nothing else to do until they are there: tests, tools, small programs.

use thalweg_ledger::Ledger;

use super::fields::{PlaceList, SampledCell, TileFields};
use super::snapshot::TreeSnapshot;
use super::water::TreeWater;
use crate::error::Result;
use crate::output::{Sample, Statistics};

impl TreeWater {
    /// [`Self::statistics_later`], waited for.
    pub fn statistics(&mut self) -> Result<Statistics> {
        self.statistics_later()?.wait()
    }

    /// [`Self::ledger_later`], waited for.
    pub fn ledger(&mut self) -> Result<Ledger> {
        self.ledger_later()?.wait()
    }

    /// [`Self::counted_volume_later`], waited for.
    pub fn counted_volume(&mut self) -> Result<Option<(u128, f64)>> {
        self.counted_volume_later()?.map(|volume| volume.wait()).transpose()
    }

    /// [`Self::census_later`], waited for.
    pub fn census(&mut self) -> Result<Vec<[usize; 2]>> {
        self.census_later()?.wait()
    }

    /// [`Self::fields_later`], waited for.
    pub fn fields(&mut self) -> Result<Vec<TileFields>> {
        self.fields_later()?.wait()
    }

    /// [`Self::sample_cells_later`], waited for.
    pub fn sample_cells(&mut self, list: &PlaceList) -> Result<Vec<SampledCell>> {
        self.sample_cells_later(list)?.wait()
    }

    /// The water of [`Self::sample_cells`] alone.
    pub fn sample_list(&mut self, list: &PlaceList) -> Result<Vec<Sample>> {
        Ok(self.sample_cells(list)?.into_iter().map(|cell| cell.sample).collect())
    }

    /// The same at places (x, z), m from the low corner. Who asks often makes a [`place_list`](Self::place_list) once.
    pub fn sample(&mut self, points: &[[f64; 2]]) -> Result<Vec<Sample>> {
        let list = self.place_list(points)?;
        self.sample_list(&list)
    }

    /// [`Self::snapshot_later`], waited for.
    pub fn snapshot(&mut self) -> Result<TreeSnapshot> {
        self.snapshot_later()?.wait()
    }
}
