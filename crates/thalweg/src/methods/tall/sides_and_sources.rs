//! How water enters and leaves three-dimensional water, from a scene.

use thalweg_scene::{Scene, Side};
use thalweg_tall::Exchange;

use crate::error::Error;
use crate::sea::SceneSea;

/// Sources and sides of a scene, whose domain has a corner.
pub(crate) fn exchange(scene: &Scene, corner: [f64; 3]) -> Result<Exchange, Error> {
    let has_ocean = scene.boundary.all().iter().any(|side| matches!(side, Side::Ocean { .. }));
    let sea = if has_ocean { SceneSea::new(scene, corner[1]) } else { None };
    Ok(Exchange {
        sources: scene.sources.clone(),
        sides: scene.boundary.clone(),
        sea: sea.map(|sea| sea.incoming(scene.grid.cell)).transpose()?,
        corner,
        level: scene.water.level,
    })
}
