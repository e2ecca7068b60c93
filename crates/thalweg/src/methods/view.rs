//! Height fields as a renderer reads them.

use thalweg_render::{HeightField, WaterShape, WaterView};
use thalweg_scene::Grid;
use thalweg_shallow::HeightView;

/// A height field on the cells of a grid, over a block that begins at the elevation `floor`, m.
pub(crate) fn of_height_field<'a>(grid: &Grid, floor: f64, water: HeightView<'a>) -> WaterView<'a> {
    let HeightView { state: level, bed, datum } = water;
    WaterView {
        corner: [grid.origin[0], floor, grid.origin[1]],
        cell: grid.cell,
        columns: [grid.nx, grid.nz],
        water: WaterShape::HeightField(HeightField { level, bed, datum }),
        obstacles: None,
        distances: None,
        field: None,
        drops: None,
        waves: None,
    }
}
