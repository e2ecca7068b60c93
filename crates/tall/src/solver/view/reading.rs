//! The water for pictures and other programs. Reading it and making something of it are two things: a [`Later`] has what it needs on the way to the
//! host, so that the water may go on while another thread makes the rest.

use thalweg_columns::Heights;
use thalweg_compute::{Buffer, Later};

use crate::error::{Result, TallError};
use crate::solver::surface::level_set::fine::{FineGrid, FineHost};
use crate::solver::view::section::Section;
use crate::solver::view::skin::{CellVelocities, SkinWater, SurfaceMesh, skin};
use crate::solver::view::statistics::Statistics;
use crate::solver::view::surface::{HostWater, WaterColumns, surface_heights};
use crate::water::TallWater;

impl TallWater {
    /// Sums and extremes over the whole water; waits for the executor.
    pub fn statistics(&self) -> Result<Statistics> {
        self.statistics_later()?.wait()
    }

    fn statistics_later(&self) -> Result<Later<Statistics, TallError>> {
        let mut rec = self.exec.record();
        rec.stage("statistics");
        self.sum_up(&mut rec)?;
        rec.submit()?;
        let (words, time) = (self.stats.read_async(&self.exec)?, self.time);
        Ok(Later::new(move || {
            let statistics = Statistics::unpack(&words.wait()?);
            match statistics.not_finite {
                0 => Ok(statistics),
                count => Err(TallError::NotFinite { count, time }),
            }
        }))
    }

    /// `[H, T]` of every column, cells.
    pub fn heights(&self) -> Result<Vec<Heights>> {
        Ok(self.exec.read(&self.now.heights)?)
    }

    /// The level set of every sample in cells, negative in water.
    pub fn level_set(&self) -> Result<Vec<f32>> {
        Ok(self.exec.read(&self.now.phi)?)
    }

    /// That of the fine lattice in fine cells; `None` without [`Options::fine_surface`](crate::Options::fine_surface). Of a column `[H, T]` with `n`
    /// samples there are four fine columns `[2H, 2T − 2]` with `2n` samples, `[2i, 2i + 1]` by `[2k, 2k + 1]`; one along
    /// an axis with one column.
    pub fn fine_level_set(&self) -> Result<Option<Vec<f32>>> {
        Ok(self.fine.as_ref().map(|fine| self.exec.read(fine.phi())).transpose()?)
    }

    /// Height of the highest surface of every column in cells above the datum; `None` where it is dry.
    pub fn surface(&self) -> Result<Vec<Option<f32>>> {
        let heights = self.heights()?;
        match self.fine_level_set()? {
            Some(fine) => Ok(FineHost { grid: FineGrid::new(self.shape), heights: &heights, fine: &fine }.surface()),
            None => Ok(surface_heights(self.shape, &heights, &self.level_set()?)),
        }
    }

    /// The water over every column, for pictures and gauges.
    pub fn columns(&self) -> Result<WaterColumns> {
        self.columns_later()?.wait()
    }

    /// The same, without waiting for the executor.
    pub fn columns_later(&self) -> Result<Later<WaterColumns, TallError>> {
        let (shape, cell) = (self.shape, self.cell);
        let read = |buffer: &Buffer<f32>| self.exec.read_async(buffer);
        let (heights, terrain) = (self.exec.read_async(&self.now.heights)?, read(&self.terrain)?);
        let (phi, solid, faces) = (read(&self.now.phi)?, read(&self.solid)?, read(&self.now.faces)?);
        let fine = self.fine.as_ref().map(|fine| read(fine.phi())).transpose()?;
        Ok(Later::new(move || {
            let (heights, terrain) = (heights.wait()?, terrain.wait()?);
            let (phi, solid, faces) = (phi.wait()?, solid.wait()?, faces.wait()?);
            let water =
                HostWater { shape, heights: &heights, terrain: &terrain, phi: &phi, solid: &solid, faces: &faces };
            let Some(fine) = fine else { return Ok(water.columns(cell)) };
            let fine = FineHost { grid: FineGrid::new(shape), heights: &heights, fine: &fine.wait()? };
            Ok(fine.columns(&water, cell))
        }))
    }

    /// A vertical cut along x through the columns `k`, `cells_up` cells high, for pictures; of a fine surface twice as fine. Does not wait for the
    /// executor.
    pub fn section_later(&self, k: usize, cells_up: usize) -> Result<Later<Section, TallError>> {
        let shape = self.shape;
        let (heights, terrain) = (self.exec.read_async(&self.now.heights)?, self.exec.read_async(&self.terrain)?);
        let solid = self.solids.distances_at(self.time);
        let fine = self.fine.as_ref().filter(|_| shape.nx > 1);
        let is_fine = fine.is_some();
        let level_set = self.exec.read_async(fine.map_or(&self.now.phi, |fine| fine.phi()))?;
        Ok(Later::new(move || {
            let (heights, terrain, level_set) = (heights.wait()?, terrain.wait()?, level_set.wait()?);
            if is_fine {
                let fine = FineHost { grid: FineGrid::new(shape), heights: &heights, fine: &level_set };
                return Ok(fine.section(&terrain, solid, [k, cells_up]));
            }
            Ok(Section::new(shape, (&heights, &level_set), &terrain, solid, [k, cells_up]))
        }))
    }

    /// The closed surface of the water as triangles, of a fine surface twice as fine, around the volume of the
    /// [`statistics`](Self::statistics); velocities are those of the columns.
    pub fn surface_mesh(&self) -> Result<SurfaceMesh> {
        self.surface_mesh_later()?.wait()
    }

    /// The same, without waiting for the executor.
    pub fn surface_mesh_later(&self) -> Result<Later<SurfaceMesh, TallError>> {
        let (shape, cell) = (self.shape, self.cell);
        let statistics = self.statistics_later()?;
        let read = |buffer: &Buffer<f32>| self.exec.read_async(buffer);
        let (heights, terrain) = (self.exec.read_async(&self.now.heights)?, read(&self.terrain)?);
        let (faces, inner) = (read(&self.now.faces)?, read(&self.now.inner)?);
        let solid = self.solids.distances_at(self.time);
        let is_fine = self.fine.is_some();
        let level_set = read(self.fine.as_ref().map_or(&self.now.phi, |fine| fine.phi()))?;
        Ok(Later::new(move || {
            let volume = statistics.wait()?.volume * cell.powi(3);
            let (heights, terrain) = (heights.wait()?, terrain.wait()?);
            let (faces, inner, level_set) = (faces.wait()?, inner.wait()?, level_set.wait()?);
            let velocities = CellVelocities { shape, heights: &heights, faces: &faces, inner: &inner };
            if is_fine {
                let fine = FineHost { grid: FineGrid::new(shape), heights: &heights, fine: &level_set };
                return Ok(fine.skin(&terrain, solid, &velocities, cell, volume));
            }
            let water = SkinWater {
                shape,
                heights: &heights,
                phi: &level_set,
                terrain: &terrain,
                solid: &solid,
                velocity: &|column, y| velocities.at(column, y),
                edges: [cell; 3],
            };
            Ok(skin(&water, volume))
        }))
    }
}
