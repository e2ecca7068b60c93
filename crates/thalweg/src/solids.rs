//! Obstacles of a scene as the solver takes them.

use thalweg_scene::{self as scene, ObstacleShape};
use thalweg_tall::{Motion, Obstacle, ObstacleError, Spin, TallError, Travel};

use crate::error::{Error, MeshOf};
use crate::sampler::Sampler;

/// Where an obstacle is: a point `p` of its shape in the scene is at `turn(p) + way`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Turn about the origin of the world, a quaternion `[x, y, z, w]`.
    pub turn: [f64; 4],
    /// Translation after the turn, m.
    pub way: [f64; 3],
}

/// The solver's obstacles, in metres from its corner.
pub(crate) fn obstacles(
    of: &[scene::Obstacle],
    corner: [f64; 3],
    (sampler, cell): (&Sampler, f64),
) -> Result<Vec<Obstacle>, Error> {
    let all = of.iter().enumerate().map(|(number, from)| {
        let window = sampler.window(from.motion.as_ref(), middle(from));
        let shape = shape(&from.shape, corner, (sampler, Some(window)))
            .map_err(|error| too_large(error, MeshOf::Obstacle(number), cell))?;
        Ok(match &from.motion {
            None => shape,
            Some(given) => {
                let mut motion = motion(given, corner);
                // Of a mesh there may be a part only, which has another middle.
                let middle: [f64; 3] = std::array::from_fn(|axis| middle(from)[axis] - corner[axis]);
                motion.spin = motion.spin.map(|spin| Spin { pivot: spin.pivot.or(Some(middle)), ..spin });
                Obstacle::Moving { shape: Box::new(shape), motion }
            }
        })
    });
    all.collect()
}

/// A shape in metres from a corner. Of a mesh there is what is in the window of the sampler, in coordinates of the scene.
pub(crate) fn shape(
    from: &ObstacleShape,
    corner: [f64; 3],
    (sampler, window): (&Sampler, Option<[[f64; 3]; 2]>),
) -> Result<Obstacle, TallError> {
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
            let way: [f64; 3] = std::array::from_fn(|axis| position[axis] - corner[axis]);
            let window = window.map(|window| window.map(|p| std::array::from_fn(|axis| p[axis] - corner[axis])));
            sampler.sample(&mesh.vertices, &mesh.triangles, way, window)?
        }
        _ => return Err(TallError::UnknownShape),
    })
}

/// The error of a mesh, if it is one of its size, says whose it is and what to do.
pub(crate) fn too_large(error: TallError, of: MeshOf, cell: f64) -> Error {
    match error {
        TallError::Obstacle(ObstacleError::TooFine { most }) => Error::Mesh { of, most, cell },
        error => error.into(),
    }
}

/// The point that an obstacle turns around, unless its spin says otherwise.
pub(crate) fn middle(from: &scene::Obstacle) -> [f64; 3] {
    let [low, high] = from.bounds();
    std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]))
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

/// Where an obstacle is at a time, s.
pub(crate) fn pose(from: &scene::Obstacle, time: f64) -> Pose {
    let Some(scene_motion) = &from.motion else { return Pose { turn: [0.0, 0.0, 0.0, 1.0], way: [0.0; 3] } };
    let motion = motion(scene_motion, [0.0; 3]);
    let pivot = motion.spin.and_then(|spin| spin.pivot).unwrap_or_else(|| middle(from));
    let (turn, way) = (motion.turn(time), motion.travel.way(time));
    let turned = turned(pivot, turn);
    Pose { turn, way: std::array::from_fn(|axis| pivot[axis] - turned[axis] + way[axis]) }
}

/// A vector turned by a unit quaternion: `v + 2 q × (q × v + w v)`.
fn turned(v: [f64; 3], [x, y, z, w]: [f64; 4]) -> [f64; 3] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let q = [x, y, z];
    let inner = cross(q, v);
    let outer = cross(q, std::array::from_fn(|axis| inner[axis] + w * v[axis]));
    std::array::from_fn(|axis| v[axis] + 2.0 * outer[axis])
}

#[cfg(test)]
mod tests {
    use thalweg_scene::Scene;

    use super::{pose, turned};

    #[test]
    fn a_paddle_that_swings_and_spins_keeps_its_pivot_on_the_way() {
        let scene = Scene::from_str(
            r#"
            [scene]
            name = "Paddle"
            duration = 4.0
            [domain]
            size = [4, 2, 2]
            cell = 0.2
            [water]
            solver = "uniform"
            level = 1.0
            [[obstacle]]
            shape = "box"
            min = [1, 0.5, 0.5]
            max = [1.2, 1.5, 1.5]
            motion = { velocity = [0.5, 0, 0], spin = { axis = [0, 0, 1], rate = 1.5707963267948966, pivot = [1, 1, 1] } }
            [[obstacle]]
            shape = "sphere"
            center = [3, 1, 1]
            radius = 0.3
            "#,
            "paddle.toml",
            ".",
        )
        .unwrap_or_else(|error| panic!("{error}"));
        let paddle = pose(&scene.obstacles[0], 1.0);
        let at = |p: [f64; 3]| {
            let turned = turned(p, paddle.turn);
            std::array::from_fn::<f64, 3, _>(|axis| turned[axis] + paddle.way[axis])
        };
        // After one second: a quarter turn about z, half a metre along x.
        for (point, wanted) in [([1.0, 1.0, 1.0], [1.5, 1.0, 1.0]), ([1.2, 1.5, 0.5], [1.0, 1.2, 0.5])] {
            let found = at(point);
            assert!((0..3).all(|axis| (found[axis] - wanted[axis]).abs() < 1e-12), "{point:?} is at {found:?}");
        }
        assert_eq!(pose(&scene.obstacles[1], 1.0).way, [0.0; 3]);
    }
}
