//! The same reads for callers that have nothing else to do until they are there: tests, tools, small programs.

use thalweg_ledger::Ledger;
use thalweg_model::WhitewaterStatistics;

use crate::error::Result;
use crate::particle::Particle;
use crate::snapshot::Snapshot;
use crate::whitewater::Whitewater;

impl Whitewater {
    /// [`Self::census_later`], waited for, with the volume of drops by the ledger of their water.
    pub fn census(&self, ledger: &Ledger) -> Result<WhitewaterStatistics> {
        Ok(self.census_later()?.wait()?.with(ledger))
    }

    /// [`Self::particles_later`], waited for.
    pub fn particles(&self) -> Result<Vec<Particle>> {
        self.particles_later()?.wait()
    }

    /// [`Self::snapshot_later`], waited for.
    pub fn snapshot(&self) -> Result<Snapshot> {
        self.snapshot_later()?.wait()
    }
}
