//! The water over every column by the fine level set, on the host.

use thalweg_columns::Heights;

use super::FineGrid;
use super::grid::fine_heights;
use super::volume::{FineTotals, FineWater};
use crate::solver::view::columns::{HostWater, WaterColumns, surface_heights};
use crate::solver::view::mesh::{CellVelocities, MeshWater, SurfaceMesh, surface_mesh};
use crate::solver::view::section::Section;
use crate::solver::view::volume_grid::{FineVolumeGrid, sampled, wet_box};

/// The fine level set, read back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FineHost<'a> {
    pub(crate) grid: FineGrid,
    /// `[H, T]` of the columns, cells.
    pub(crate) heights: &'a [Heights],
    pub(crate) fine: &'a [f32],
}

impl FineHost<'_> {
    /// Height of the highest surface in cells: the mean over the fine columns of a column that hold water.
    pub(crate) fn surface(&self) -> Vec<Option<f32>> {
        let shape = self.grid.shape();
        let fine = surface_heights(shape, &self.fine_heights(), self.fine);
        let column = |column: usize| {
            let inside = (0..self.grid.columns_inside()).map(|number| fine[self.grid.fine_column(column, number)]);
            let wet: Vec<f32> = inside.flatten().collect();
            (!wet.is_empty()).then(|| 0.5 * wet.iter().sum::<f32>() / wet.len() as f32)
        };
        (0..self.grid.coarse.columns()).map(column).collect()
    }

    fn fine_heights(&self) -> Vec<Heights> {
        let columns = 0..self.grid.shape().columns();
        columns.map(|c| fine_heights(self.heights[self.grid.coarse_column(c)])).collect()
    }

    /// A cut through the columns `k` in fine cells; `terrain` and `solid` in cells.
    pub(crate) fn section(&self, terrain: &[f32], solid: impl Fn([f32; 3]) -> f32, [k, ny]: [usize; 2]) -> Section {
        let (shape, heights) = (self.grid.shape(), self.fine_heights());
        let terrain: Vec<f32> =
            (0..shape.columns()).map(|column| 2.0 * terrain[self.grid.coarse_column(column)]).collect();
        let [x, z] = self.grid.ratio.map(|ratio| ratio as f32);
        let solid = |point: [f32; 3]| 2.0 * solid([point[0] / x, 0.5 * point[1], point[2] / z]);
        let cut = Section::new(shape, (&heights, self.fine), &terrain, solid, [k * self.grid.ratio[1], 2 * ny]);
        Section { per_cell: 2, ..cut }
    }

    /// The surface as triangles, m, around a volume, m³; `terrain` and `solid` in cells, velocities those of the
    /// columns.
    pub(crate) fn surface_mesh(
        &self,
        terrain: &[f32],
        solid: impl Fn([f32; 3]) -> f32 + Sync,
        velocities: &CellVelocities<'_>,
        cell: f64,
        volume: f64,
    ) -> SurfaceMesh {
        let (shape, heights) = (self.grid.shape(), self.fine_heights());
        let terrain: Vec<f32> =
            (0..shape.columns()).map(|column| 2.0 * terrain[self.grid.coarse_column(column)]).collect();
        let [x, z] = self.grid.ratio.map(|ratio| ratio as f32);
        let water = MeshWater {
            shape,
            heights: &heights,
            phi: self.fine,
            terrain: &terrain,
            solid: &|point| 2.0 * solid([point[0] / x, 0.5 * point[1], point[2] / z]),
            velocity: &|column, y| velocities.at(self.grid.coarse_column(column), y >> 1),
            edges: [cell / f64::from(x), 0.5 * cell, cell / f64::from(z)],
        };
        surface_mesh(&water, volume)
    }

    /// Lowest and highest cell of the columns in which there may be water.
    pub(crate) fn wet_box(&self) -> Option<[[i32; 3]; 2]> {
        let [x, z] = self.grid.ratio.map(|ratio| ratio as i32);
        let cells = |[i, y, k]: [i32; 3]| [i / x, y.div_euclid(2), k / z];
        wet_box(self.grid.shape(), &self.fine_heights(), self.fine).map(|ends| ends.map(cells))
    }

    /// The level set on a box of cells of the columns, `size` of them from `low` on; `terrain` and `solid` in those
    /// cells.
    pub(crate) fn volume_grid(
        &self,
        terrain: &[f32],
        solid: &(impl Fn([f32; 3]) -> f32 + Sync),
        (size, low): ([usize; 3], [i32; 3]),
    ) -> FineVolumeGrid {
        let (shape, heights) = (self.grid.shape(), self.fine_heights());
        let terrain: Vec<f32> =
            (0..shape.columns()).map(|column| 2.0 * terrain[self.grid.coarse_column(column)]).collect();
        let ratio = [self.grid.ratio[0], 2, self.grid.ratio[1]];
        let [x, z] = self.grid.ratio.map(|ratio| ratio as f32);
        let water = MeshWater {
            shape,
            heights: &heights,
            phi: self.fine,
            terrain: &terrain,
            solid: &|point| 2.0 * solid([point[0] / x, 0.5 * point[1], point[2] / z]),
            velocity: &|_, _| [0.0; 3],
            edges: [1.0; 3],
        };
        let size = std::array::from_fn(|axis| size[axis] * ratio[axis]);
        let low = std::array::from_fn(|axis| low[axis] * ratio[axis] as i32);
        FineVolumeGrid { ratio, level_set: sampled(&water, size, low) }
    }

    /// The water over every column of `cell` metres: velocities as the columns have them.
    pub(crate) fn columns(&self, water: &HostWater<'_>, cell: f64) -> WaterColumns {
        let own = FineWater {
            grid: self.grid,
            heights: self.heights,
            terrain: water.terrain,
            solid: water.solid,
            fine: self.fine,
        };
        let depth = |column: usize| {
            let mut totals = FineTotals::default();
            own.add_column(&mut totals, column);
            ((f64::from(totals.full) + totals.part) * cell) as f32
        };
        water.columns_with(cell, &self.surface(), (0..self.grid.coarse.columns()).map(depth).collect())
    }
}
