//! Rigid bodies of a scene, as contacts and as the water take them.

mod add_remove;
mod afloat;
mod round;
#[cfg(test)]
mod tests;

use thalweg_bodies::{
    BodySetup, BodyState, Coupling, Ground, Locks, Mass, Mooring, ObstacleSetup, Pose, Shape, Walls, WorldError,
    WorldSetup,
};
use thalweg_scene::{
    self as scene, BodyCoupling, BodyMass, BodyPart, BodyQuantity, Boundary, Grid, PartShape, Scene, Solid,
};
use thalweg_tall::{Obstacle, TallError};

pub(crate) use afloat::Afloat;

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
/// Sides that let water through let bodies through. In a domain one cell thick bodies keep their z and turn around z alone.
pub fn world_setup(scene: &Scene, bed: &[f32]) -> Result<WorldSetup, Error> {
    let grid = &scene.grid;
    let [low, _] = scene.elevations(bed);
    let is_flat = bed.windows(2).all(|pair| pair[0] == pair[1]);
    let ground = (!is_flat).then(|| Ground {
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
    let wall = |side: &Boundary, at: f64| matches!(side, Boundary::Wall).then_some(at);
    let (sides, high) = (&scene.boundary, grid.high());
    let is_slice = grid.nz == 1;
    let walls = Walls {
        west: wall(&sides.west, grid.origin[0]),
        east: wall(&sides.east, high[0]),
        south: wall(&sides.south, grid.origin[1]).filter(|_| !is_slice),
        north: wall(&sides.north, high[1]).filter(|_| !is_slice),
        floor: Some(floor),
    };
    let obstacles = scene.obstacles.iter().map(obstacle_setup).collect::<Result<_, _>>()?;
    let bodies = scene.bodies.iter().map(|body| body_setup(body, grid)).collect::<Result<_, _>>()?;
    let coupling = match scene.body_coupling {
        BodyCoupling::Pressure => Coupling::Pressure,
        BodyCoupling::Buoyancy => Coupling::Buoyancy,
    };
    let origin = [grid.origin[0], low, grid.origin[1]];
    Ok(WorldSetup { gravity: scene.gravity, water_density: WATER, coupling, origin, ground, walls, obstacles, bodies })
}

/// What a body is to the water.
pub(crate) fn wet_parts(body: &scene::Body, sampler: &Sampler, cell: f64) -> Result<Vec<WetPart>, Error> {
    let named = |error| Error::from(WorldError::Body { name: body.name.clone(), error });
    let part = |part: &BodyPart| {
        let window = sampler.window_of_part(body, part);
        let obstacle = match &part.shape {
            PartShape::Solid(shape) => solids::shape(shape, [0.0; 3], (sampler, window)),
            PartShape::Hull { points } => {
                let (vertices, triangles) = Shape::convex_hull(points).map_err(named)?;
                sampler.sample(&vertices, &triangles, [0.0; 3], window)
            }
            _ => return Err(TallError::UnknownShape.into()),
        };
        let obstacle = obstacle.map_err(|error| too_large(error, MeshOf::Body(body.name.clone()), cell))?;
        Ok(WetPart { obstacle, pose: Pose { position: part.place, rotation: part.turn } })
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

pub(crate) fn body_setup(body: &scene::Body, grid: &Grid) -> Result<BodySetup, Error> {
    let is_slice = grid.nz == 1;
    let [[x, y, z], [around_x, around_y, around_z]] = body.locks;
    let locks =
        Locks { translation: [x, y, z || is_slice], rotation: [around_x || is_slice, around_y || is_slice, around_z] };
    let parts = body.parts.iter().map(|part| {
        let (shape, inner) = match &part.shape {
            PartShape::Solid(shape) => solid(shape)?,
            PartShape::Hull { points } => (Shape::Hull { points: points.clone() }, Pose::default()),
            _ => return Err(Error::from(TallError::UnknownShape)),
        };
        Ok((shape, Pose { position: part.place, rotation: part.turn }.of(&inner)))
    });
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
    let is_simple = matches!(parts.as_slice(), [(_, pose)] if *pose == Pose::default());
    let shape = match parts.pop() {
        Some((shape, _)) if is_simple => shape,
        last => Shape::Compound { parts: parts.into_iter().chain(last).collect() },
    };
    let mooring = |line: &scene::BodyMooring| Mooring {
        at: line.at,
        anchor: line.anchor,
        length: line.length,
        stiffness: line.stiffness,
        damping: line.damping,
    };
    Ok(BodySetup {
        mass: match body.mass {
            BodyMass::Density(density) => Mass::Density(density),
            BodyMass::Mass(mass) => Mass::Mass(mass),
        },
        centre_of_mass: body.center_of_mass,
        inertia: body.inertia,
        pose: Pose { position: body.position, rotation: body.rotation },
        velocity: body.velocity,
        rates: body.spin,
        friction: body.friction,
        restitution: body.restitution,
        drag: body.drag,
        path: body.motion.clone().map(|motion| motion.about(body.position)),
        moorings: body.moorings.iter().map(mooring).collect(),
        locks,
        ..BodySetup::new(&body.name, shape)
    })
}

fn obstacle_setup(from: &scene::Obstacle) -> Result<ObstacleSetup, Error> {
    let (shape, pose) = solid(&from.shape)?;
    let [low, high] = from.bounds();
    let middle = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
    Ok(ObstacleSetup { shape, pose, path: from.motion.clone().map(|motion| motion.about(middle)) })
}

/// A shape in a frame of its own, and where that is.
fn solid(from: &Solid) -> Result<(Shape, Pose), Error> {
    Ok(match from {
        Solid::Box { min, max } => {
            let half = std::array::from_fn(|axis| 0.5 * (max[axis] - min[axis]));
            (Shape::Box { half }, Pose::at(std::array::from_fn(|axis| 0.5 * (max[axis] + min[axis]))))
        }
        Solid::Sphere { center, radius } => (Shape::Sphere { radius: *radius }, Pose::at(*center)),
        Solid::Capsule { ends, radius } => {
            let (half_length, pose) = along(*ends);
            (Shape::Capsule { half_length, radius: *radius }, pose)
        }
        Solid::Cylinder { ends, radius } => {
            let (half_length, pose) = along(*ends);
            (Shape::Cylinder { half_length, radius: *radius }, pose)
        }
        Solid::Cone { ends, radii } => {
            let (half_length, pose) = along(*ends);
            (Shape::Cone { half_length, radii: *radii }, pose)
        }
        Solid::Mesh { mesh, position } => {
            let shape = Shape::Mesh { vertices: mesh.vertices.clone(), triangles: mesh.triangles.clone() };
            (shape, Pose::at(*position))
        }
    })
}

/// Half the length of an axis, and the frame whose y is along it.
fn along([a, b]: [[f64; 3]; 2]) -> (f64, Pose) {
    let axis: [f64; 3] = std::array::from_fn(|n| b[n] - a[n]);
    let length = axis.iter().map(|v| v * v).sum::<f64>().sqrt();
    let [x, y, z] = axis.map(|v| v / length);
    let middle = std::array::from_fn(|n| 0.5 * (a[n] + b[n]));
    // The shortest turn from y: (y × axis, 1 + y · axis). There is none to −y: half a turn around x does it.
    let pose = if y > -1.0 + 1e-12 {
        let norm = (2.0 * (1.0 + y)).sqrt();
        Pose { position: middle, rotation: [z / norm, 0.0, -x / norm, 0.5 * norm] }
    } else {
        Pose { position: middle, rotation: [1.0, 0.0, 0.0, 0.0] }
    };
    (0.5 * length, pose)
}
