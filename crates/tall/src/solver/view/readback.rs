//! The water for pictures and other programs: read now, worked out by whoever waits for it.

use thalweg_columns::Heights;
use thalweg_compute::{Buffer, Later};

use crate::error::{Result, TallError};
use crate::solver::surface::level_set::fine::{FineGrid, FineHost};
use crate::solver::view::View;
use crate::solver::view::columns::{HostWater, WaterColumns, surface_heights};
use crate::solver::view::mesh::{CellVelocities, MeshWater, SurfaceMesh, surface_mesh};
use crate::solver::view::section::Section;
use crate::solver::view::statistics::Statistics;
use crate::water::TallWater;

impl TallWater {
    /// Sums and extremes over the whole water.
    pub fn statistics_later(&self) -> Result<Later<Statistics, TallError>> {
        let View { exec, stages, time, .. } = self.view();
        self.sum_up()?;
        let words = stages.sums.read_async(exec)?;
        Ok(Later::new(move || {
            let statistics = Statistics::unpack(&words.wait()?);
            match statistics.not_finite {
                0 => Ok(statistics),
                count => Err(TallError::NotFinite { count, time }),
            }
        }))
    }

    /// Sums over the water as it is, on the executor.
    fn sum_up(&self) -> Result<()> {
        let View { exec, state, stages, .. } = self.view();
        exec.submit(|rec| {
            rec.stage("statistics");
            Ok(stages.sums.sum_up(rec, state, &*stages.surface)?)
        })
    }

    /// `[H, T]` of every column, cells.
    pub fn heights_later(&self) -> Result<Later<Vec<Heights>, TallError>> {
        let View { exec, state, .. } = self.view();
        let heights = exec.read_async(&state.now.heights)?;
        Ok(Later::new(|| Ok(heights.wait()?)))
    }

    /// The level set of every sample in cells, negative in water.
    pub fn level_set_later(&self) -> Result<Later<Vec<f32>, TallError>> {
        let View { exec, state, .. } = self.view();
        let phi = exec.read_async(&state.now.phi)?;
        Ok(Later::new(|| Ok(phi.wait()?)))
    }

    /// That of the fine lattice in fine cells; `None` without [`Options::fine_surface`](crate::Options::fine_surface).
    /// Of a column `[H, T]` with `n` samples there are four fine columns `[2H, 2T − 2]` with `2n` samples, `[2i, 2i +
    /// 1]` by `[2k, 2k + 1]`; one along an axis with one column.
    pub fn fine_level_set_later(&self) -> Result<Option<Later<Vec<f32>, TallError>>> {
        let View { exec, stages, .. } = self.view();
        let fine = stages.surface.fine().map(|fine| exec.read_async(fine.phi)).transpose()?;
        Ok(fine.map(|fine| Later::new(|| Ok(fine.wait()?))))
    }

    /// Height of the highest surface of every column in cells above the datum; `None` where it is dry.
    pub fn surface_later(&self) -> Result<Later<Vec<Option<f32>>, TallError>> {
        let (heights, level_set) = (self.heights_later()?, self.level_set_later()?);
        let (fine, shape) = (self.fine_level_set_later()?, self.view().state.shape);
        Ok(Later::new(move || {
            let heights = heights.wait()?;
            let Some(fine) = fine else { return Ok(surface_heights(shape, &heights, &level_set.wait()?)) };
            Ok(FineHost { grid: FineGrid::new(shape), heights: &heights, fine: &fine.wait()? }.surface())
        }))
    }

    /// The water over every column, for pictures and gauges.
    pub fn columns_later(&self) -> Result<Later<WaterColumns, TallError>> {
        let View { exec, state: s, stages, .. } = self.view();
        let (shape, cell) = (s.shape, s.cell);
        let read = |buffer: &Buffer<f32>| exec.read_async(buffer);
        let (heights, terrain) = (exec.read_async(&s.now.heights)?, read(&s.terrain)?);
        let (phi, solid, faces) = (read(&s.now.phi)?, read(&s.solid)?, read(&s.now.faces)?);
        let fine = stages.surface.fine().map(|fine| read(fine.phi)).transpose()?;
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

    /// A vertical cut along x through the columns `k`, `cells_up` cells high, for pictures; of a fine surface twice as
    /// fine.
    pub fn section_later(&self, k: usize, cells_up: usize) -> Result<Later<Section, TallError>> {
        let View { exec, state: s, stages, time, .. } = self.view();
        let shape = s.shape;
        let (heights, terrain) = (exec.read_async(&s.now.heights)?, exec.read_async(&s.terrain)?);
        let solid = stages.solids.distances_at(time);
        let fine = stages.surface.fine().filter(|_| shape.nx > 1);
        let is_fine = fine.is_some();
        let level_set = exec.read_async(fine.map_or(&s.now.phi, |fine| fine.phi))?;
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
    /// [`statistics`](Self::statistics_later); velocities are those of the columns.
    pub fn surface_mesh_later(&self) -> Result<Later<SurfaceMesh, TallError>> {
        let View { exec, state: s, stages, time, .. } = self.view();
        let (shape, cell) = (s.shape, s.cell);
        let statistics = self.statistics_later()?;
        let read = |buffer: &Buffer<f32>| exec.read_async(buffer);
        let (heights, terrain) = (exec.read_async(&s.now.heights)?, read(&s.terrain)?);
        let (faces, inner) = (read(&s.now.faces)?, read(&s.now.inner)?);
        let solid = stages.solids.distances_at(time);
        let fine = stages.surface.fine();
        let is_fine = fine.is_some();
        let level_set = read(fine.map_or(&s.now.phi, |fine| fine.phi))?;
        Ok(Later::new(move || {
            let volume = statistics.wait()?.volume * cell.powi(3);
            let (heights, terrain) = (heights.wait()?, terrain.wait()?);
            let (faces, inner, level_set) = (faces.wait()?, inner.wait()?, level_set.wait()?);
            let velocities = CellVelocities { shape, heights: &heights, faces: &faces, inner: &inner };
            if is_fine {
                let fine = FineHost { grid: FineGrid::new(shape), heights: &heights, fine: &level_set };
                return Ok(fine.surface_mesh(&terrain, solid, &velocities, cell, volume));
            }
            let water = MeshWater {
                shape,
                heights: &heights,
                phi: &level_set,
                terrain: &terrain,
                solid: &solid,
                velocity: &|column, y| velocities.at(column, y),
                edges: [cell; 3],
            };
            Ok(surface_mesh(&water, volume))
        }))
    }
}
