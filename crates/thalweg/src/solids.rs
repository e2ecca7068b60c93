//! Obstacles of a scene as the solver takes them.

use std::sync::Arc;

use thalweg_scene::{self as scene, ObstacleShape};
use thalweg_tall::{DistanceGrid, Motion, Obstacle, Spin, TallError, Travel};

/// Most distances of one mesh: 16 MiB.
const MOST_DISTANCES: usize = 1 << 22;

/// The solver's obstacle, in metres from its corner. Distances of meshes are half a `cell` apart: edges between cells
/// are then as sharp as fractions of cells can tell.
pub(crate) fn obstacle(from: &scene::Obstacle, corner: [f64; 3], cell: f64) -> Result<Obstacle, TallError> {
    let shape = shape(&from.shape, corner, cell)?;
    Ok(match &from.motion {
        None => shape,
        Some(from) => Obstacle::Moving { shape: Box::new(shape), motion: motion(from, corner) },
    })
}

fn shape(from: &ObstacleShape, corner: [f64; 3], cell: f64) -> Result<Obstacle, TallError> {
    let local = |p: [f64; 3]| std::array::from_fn(|axis| (p[axis] - corner[axis]) as f32);
    Ok(match *from {
        ObstacleShape::Box { min, max } => {
            let (min, max): ([f32; 3], [f32; 3]) = (local(min), local(max));
            Obstacle::Box {
                centre: std::array::from_fn(|axis| 0.5 * (min[axis] + max[axis])),
                half: std::array::from_fn(|axis| 0.5 * (max[axis] - min[axis])),
            }
        }
        ObstacleShape::Sphere { center, radius } => Obstacle::Sphere { centre: local(center), radius: radius as f32 },
        ObstacleShape::Capsule { ends, radius } => Obstacle::Capsule { ends: ends.map(local), radius: radius as f32 },
        ObstacleShape::Cylinder { ends, radius } => Obstacle::Cylinder { ends: ends.map(local), radius: radius as f32 },
        ObstacleShape::Cone { ends, radii } => Obstacle::Cone { ends: ends.map(local), radii: radii.map(|r| r as f32) },
        ObstacleShape::Mesh { ref mesh, position } => {
            let grid = DistanceGrid::from_triangles(&mesh.vertices, &mesh.triangles, 0.5 * cell, MOST_DISTANCES)?;
            Obstacle::Mesh { distances: Arc::new(grid), position: local(position) }
        }
        _ => return Err(TallError::UnknownShape),
    })
}

fn motion(from: &scene::Motion, corner: [f64; 3]) -> Motion {
    let travel = match &from.travel {
        scene::Travel::Constant { velocity } => Travel::Constant { velocity: *velocity },
        scene::Travel::Swing { amplitude, period, phase, ramp } => {
            Travel::Swing { amplitude: *amplitude, period: *period, phase: *phase, ramp: *ramp }
        }
        scene::Travel::Path { points } => Travel::Path { points: points.as_slice().into() },
        _ => Travel::Rest,
    };
    let spin = from.spin.map(|scene::Spin { axis, rate, pivot }| Spin {
        axis,
        rate,
        pivot: pivot.map(|p| std::array::from_fn(|axis| p[axis] - corner[axis])),
    });
    Motion { travel, spin }
}
