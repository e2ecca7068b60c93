//! Rigid bodies of a scene, as contacts and as the water take them.

mod add_remove;
mod floating;
mod symmetry;
#[cfg(test)]
mod tests;

use thalweg_bodies::{BodyState, GroundHeights, Shape, Walls, WorldError, WorldSetup};
use thalweg_model::{Body, BodyPart, PartShape, Pose, Side};
use thalweg_scene::{BodyQuantity, Grid, Scene};
use thalweg_tall::Obstacle;

pub(crate) use floating::FloatingBodies;

use crate::error::{Error, MeshOf};
use crate::sampler::Sampler;
use crate::solids::{self, too_large};

/// Density of water, kg/m³.
const WATER: f64 = 1000.0;

/// A part of a body as the water's solver takes it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WetPart {
    /// Its shape around its own middle, m.
    pub obstacle: Obstacle,
    /// Where its middle is in the body's frame, m, and how it is turned there.
    pub pose: Pose,
}

/// The world of a scene's bodies: ground, sides, obstacles, bodies. `bed` is the elevation of every column, m.
///
/// Sides that let water through let bodies through. In a domain one cell thick bodies keep their z and turn around z
/// alone.
pub fn world_setup(scene: &Scene, bed: &[f32]) -> WorldSetup {
    let grid = &scene.grid;
    let [low, _] = scene.elevations(bed);
    let is_flat = bed.windows(2).all(|pair| pair[0] == pair[1]);
    let ground = (!is_flat).then(|| GroundHeights {
        nx: grid.nx as usize,
        nz: grid.nz as usize,
        cell: grid.cell,
        origin: grid.origin,
        heights: bed.to_vec(),
    });
    let floor = match bed.first() {
        Some(height) if is_flat => f64::from(*height),
        _ => low,
    };
    let wall = |side: &Side, at: f64| matches!(side, Side::Wall).then_some(at);
    let (sides, high) = (&scene.boundary, grid.high());
    let is_slice = grid.nz == 1;
    let walls = Walls {
        west: wall(&sides.west, grid.origin[0]),
        east: wall(&sides.east, high[0]),
        south: wall(&sides.south, grid.origin[1]).filter(|_| !is_slice),
        north: wall(&sides.north, high[1]).filter(|_| !is_slice),
        floor: Some(floor),
    };
    let (obstacles, bodies) = (scene.obstacles.clone(), scene.bodies.iter().map(|body| locked(body, grid)).collect());
    let coupling = scene.body_coupling;
    let origin = [grid.origin[0], low, grid.origin[1]];
    WorldSetup { gravity: scene.gravity, water_density: WATER, coupling, origin, ground, walls, obstacles, bodies }
}

/// What a body is to the water.
pub(crate) fn wet_parts(body: &Body, sampler: &Sampler, cell: f64) -> Result<Vec<WetPart>, Error> {
    let named = |error| Error::from(WorldError::Body { name: body.name.clone(), error });
    let part = |part: &BodyPart| {
        let window = sampler.window_of_part(body, part);
        let obstacle = match &part.shape {
            PartShape::Solid(shape) => solids::shape(shape, [0.0; 3], (sampler, window)),
            PartShape::Hull { points } => {
                let (vertices, triangles) = Shape::convex_hull(points).map_err(named)?;
                sampler.sample(&vertices, &triangles, [0.0; 3], window)
            }
        };
        let obstacle = obstacle.map_err(|error| too_large(error, MeshOf::Body(body.name.clone()), cell))?;
        Ok(WetPart { obstacle, pose: part.pose })
    };
    body.parts.iter().map(part).collect()
}

/// What a gauge reads of a body.
pub fn quantity(what: BodyQuantity, state: &BodyState) -> [f64; 3] {
    match what {
        BodyQuantity::Position => state.pose.position,
        BodyQuantity::Velocity => state.velocity,
        BodyQuantity::Rotation => state.pose.rotation_vector(),
        BodyQuantity::Force => state.force,
        _ => [f64::NAN; 3],
    }
}

/// A body as contacts take it: in a domain one cell thick it keeps its z and turns around z alone.
fn locked(body: &Body, grid: &Grid) -> Body {
    let mut body = body.clone();
    if grid.nz == 1 {
        body.locks.translation[2] = true;
        body.locks.rotation[..2].fill(true);
    }
    body
}
