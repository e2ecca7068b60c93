//! The same reads for callers that have nothing else to do until they are there: tests, tools, small programs, and what
//! needs them on the host before the water can go on.

use std::ops::Range;

use thalweg_columns::Heights;
use thalweg_compute::Later;
use thalweg_ledger::Ledger;

use crate::error::Result;
use crate::solver::stages::bodies::BodyLoad;
use crate::solver::view::columns::WaterColumns;
use crate::solver::view::cut::{Cut, CutField};
use crate::solver::view::mesh::SurfaceMesh;
use crate::solver::view::pressures::Pressures;
use crate::solver::view::statistics::Statistics;
use crate::solver::view::volume_grid::VolumeGrid;
use crate::water::TallWater;
use crate::water::snapshot::Snapshot;

impl TallWater {
    /// [`Self::statistics_later`], waited for.
    pub fn statistics(&self) -> Result<Statistics> {
        self.statistics_later()?.wait()
    }

    /// [`Self::ledger_later`], waited for.
    pub fn ledger(&self) -> Result<Ledger> {
        self.ledger_later()?.wait()
    }

    /// [`Self::crowded_columns_later`], waited for.
    pub fn crowded_columns(&self) -> Result<u32> {
        self.crowded_columns_later()?.wait()
    }

    /// [`Self::heights_later`], waited for.
    pub fn heights(&self) -> Result<Vec<Heights>> {
        self.heights_later()?.wait()
    }

    /// [`Self::level_set_later`], waited for.
    pub fn level_set(&self) -> Result<Vec<f32>> {
        self.level_set_later()?.wait()
    }

    /// [`Self::fine_level_set_later`], waited for.
    pub fn fine_level_set(&self) -> Result<Option<Vec<f32>>> {
        self.fine_level_set_later()?.map(Later::wait).transpose()
    }

    /// [`Self::surface_later`], waited for.
    pub fn surface(&self) -> Result<Vec<Option<f32>>> {
        self.surface_later()?.wait()
    }

    /// [`Self::columns_later`], waited for.
    pub fn columns(&self) -> Result<WaterColumns> {
        self.columns_later()?.wait()
    }

    /// [`Self::surface_mesh_later`], waited for.
    pub fn surface_mesh(&self) -> Result<SurfaceMesh> {
        self.surface_mesh_later()?.wait()
    }

    /// [`Self::volume_grid_later`], waited for.
    pub fn volume_grid(&self) -> Result<VolumeGrid> {
        self.volume_grid_later()?.wait()
    }

    /// [`Self::cut_later`], waited for.
    pub fn cut(&self, field: CutField, ny: usize, rows: Range<usize>) -> Result<Cut> {
        self.cut_later(field, ny, rows)?.wait()
    }

    /// [`Self::pressures_later`], waited for.
    pub fn pressures(&self) -> Result<Pressures> {
        self.pressures_later()?.wait()
    }

    /// [`Self::body_loads_later`], waited for.
    pub fn body_loads(&self) -> Result<Vec<BodyLoad>> {
        self.body_loads_later()?.wait()
    }

    /// [`Self::snapshot_later`], waited for.
    pub fn snapshot(&self) -> Result<Snapshot> {
        self.snapshot_later()?.wait()
    }
}
