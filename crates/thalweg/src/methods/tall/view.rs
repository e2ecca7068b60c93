//! Three-dimensional water as a renderer reads it.

use thalweg_compute::Buffer;
use thalweg_render::{WaterShape, WaterView};
use thalweg_scene::Scene;
use thalweg_whitewater::Whitewater;

use super::TallScene;
use crate::error::Error;

impl TallScene {
    /// Records the water as it is; the velocity of its surface goes into `drift`.
    pub(super) fn draw(&mut self, scene: &Scene, drift: Option<&Buffer<[f32; 2]>>) -> Result<WaterView<'_>, Error> {
        let cells_up = self.cells_up();
        if self.drawn.is_none() {
            let mut picture = self.water.picture(cells_up)?;
            picture.dries_in = scene.render.dries_in;
            self.drawn = Some(picture);
        }
        let Self { water, drawn: Some(picture), whitewater, corner, .. } = self else { unreachable!("taken above") };
        let mut rec = water.executor().record();
        rec.stage("picture");
        water.record_picture(&mut rec, picture, whitewater.as_ref().map(Whitewater::foam))?;
        if let Some(velocity) = drift {
            water.record_drift(&mut rec, velocity)?;
        }
        rec.submit()?;
        let (shape, obstacles) = (water.shape(), water.obstacle_words());
        Ok(WaterView {
            corner: *corner,
            cell: water.cell(),
            columns: [shape.nx as u32, shape.nz as u32],
            water: WaterShape::LevelSet {
                values: &picture.lattice,
                size: picture.size,
                per_cell: picture.per_cell,
                ground: &picture.ground,
                height: cells_up as f32,
            },
            obstacles: obstacles.map(|(words, _, count)| (words, count)),
            distances: obstacles.map(|(_, distances, _)| distances),
            field: None,
            drops: whitewater.as_ref().map(Whitewater::places),
            waves: None,
        })
    }
}
