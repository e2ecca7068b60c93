//! How water enters and leaves three-dimensional water, from a scene.

use thalweg_scene::{Scene, Side};
use thalweg_tall::{Exchange, IncomingSea, WorldColumns};

use crate::error::Error;
use crate::sea::SceneSea;

/// Sources and sides; lengths from the corner of the domain.
pub(crate) fn exchange(scene: &Scene, corner: [f64; 3]) -> Result<Exchange, Error> {
    let grid = &scene.grid;
    let columns = WorldColumns { cells: [grid.nx, grid.nz], corner, height: grid.height, level: scene.water.level };
    let has_ocean = scene.boundary.all().iter().any(|side| matches!(side, Side::Ocean { .. }));
    let sea = if has_ocean { SceneSea::new(scene, corner[1]) } else { None };
    let sea = match sea {
        Some(sea) => {
            let (waves, period) = sea.waves([corner[0], corner[2]], grid.cell)?;
            Some(IncomingSea { waves, period, peak_period: sea.peak_period() })
        }
        None => None,
    };
    Ok(columns.exchange(&scene.boundary, &scene.sources, sea.as_ref()))
}
