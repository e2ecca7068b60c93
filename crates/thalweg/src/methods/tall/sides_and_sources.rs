//! How water enters and leaves three-dimensional water, from a scene.

use crate::error::Error;
use crate::sea::SceneSea;
use thalweg_scene::{self as scene, Inflow, Scene};
use thalweg_tall::{Exchange, Region, Side, Source};

/// Thickness of the zone of a side where water runs out, cells, in a domain that is wide enough.
const OUTFLOW_LAYER: u32 = 16;

/// Sources and sides; lengths from the corner of the domain.
pub(crate) fn exchange(scene: &Scene, corner: [f64; 3]) -> Result<Exchange, Error> {
    let sides = &scene.boundary;
    let sides = [&sides.west, &sides.east, &sides.south, &sides.north];
    let mut exchange = Exchange {
        sources: sources(scene, corner),
        sides: std::array::from_fn(|n| side(scene, n, sides[n], corner[1])),
    };
    for (side, from) in exchange.sides.iter_mut().zip(sides) {
        if let scene::Boundary::Ocean { level, ramp, layer } = from {
            *side = ocean(scene, corner, level.or(scene.water.level), *ramp, *layer)?;
        }
    }
    Ok(exchange)
}

/// A side that the sea of the scene comes in through; a wall where scenes without a sea or a level are not refused before.
fn ocean(scene: &Scene, corner: [f64; 3], level: Option<f64>, ramp: Option<f64>, layer: u32) -> Result<Side, Error> {
    let (Some(sea), Some(level)) = (SceneSea::new(scene, corner[1]), level) else { return Ok(Side::Wall) };
    let (waves, period) = sea.waves([corner[0], corner[2]], scene.grid.cell)?;
    let ramp = ramp.unwrap_or_else(|| sea.peak_period());
    Ok(Side::Sea { level: level - corner[1], waves, period, ramp, layer })
}

/// Sources; lengths from the corner of the domain.
pub(crate) fn sources(scene: &Scene, corner: [f64; 3]) -> Vec<Source> {
    scene.sources.iter().map(|from| source(scene, from, corner)).collect()
}

fn source(scene: &Scene, from: &scene::Source, corner: [f64; 3]) -> Source {
    let [x, z] = [corner[0], corner[2]];
    // Scenes of this solver have it; without, the source would be as high as the domain.
    let y = from.y.map_or([0.0, scene.grid.height], |y| y.map(|y| y - corner[1]));
    let region = match from.shape {
        scene::SourceShape::Disc { center, radius } => {
            Region::Disc { centre: [center[0] - x, center[1] - z], radius, y }
        }
        scene::SourceShape::Box { min, max } => {
            Region::Box { min: [min[0] - x, y[0], min[1] - z], max: [max[0] - x, y[1], max[1] - z] }
        }
    };
    Source { region, rate: from.rate.clone(), direction: from.direction }
}

fn side(scene: &Scene, number: usize, from: &scene::Boundary, floor: f64) -> Side {
    let across = if number < 2 { scene.grid.nx } else { scene.grid.nz };
    let outflow = Side::Outflow { layer: OUTFLOW_LAYER.min(across / 4).max(1) };
    let level = |given: Option<f64>| given.or(scene.water.level).map(|level| level - floor);
    match from {
        // The sea is put in by `exchange`.
        scene::Boundary::Wall | scene::Boundary::Ocean { .. } => Side::Wall,
        scene::Boundary::Outflow => outflow,
        // No level given and no water at the start: what ever gets there runs out.
        scene::Boundary::Open { level: given, layer } => {
            level(*given).map_or(outflow, |level| Side::Open { level, layer: *layer })
        }
        scene::Boundary::Wave { amplitude, period, ramp, level: given, layer } => {
            level(*given).map_or(Side::Wall, |level| Side::Wave {
                level,
                amplitude: *amplitude,
                period: *period,
                ramp: *ramp,
                layer: *layer,
            })
        }
        scene::Boundary::Inflow { kind: Inflow::Surface(series), layer, .. } => {
            let surface = series.clone().raised(-floor);
            let level = level(None).unwrap_or_else(|| surface.at(0.0));
            Side::Surface { level, surface, layer: *layer }
        }
        // Scenes of this solver with them are refused.
        scene::Boundary::Inflow { kind: Inflow::Discharge(_), .. }
        | scene::Boundary::Level { .. }
        | scene::Boundary::Rating { .. }
        | scene::Boundary::Normal { .. } => Side::Wall,
    }
}
