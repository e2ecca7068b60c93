//! Obstacles of a scene as the solver takes them.

pub use thalweg_model::Pose;
use thalweg_scene::{self as scene, Solid};
use thalweg_tall::{Obstacle, ObstacleError, TallError};

use crate::error::{Error, MeshOf};
use crate::sampler::Sampler;

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
                // Of a mesh there may be a part only, which has another middle.
                let motion = given.clone().about(middle(from)).seen_from(corner);
                Obstacle::Moving { shape: Box::new(shape), motion }
            }
        })
    });
    all.collect()
}

/// A shape in metres from a corner. Of a mesh there is what is in the window of the sampler, in coordinates of the scene.
pub(crate) fn shape(
    from: &Solid,
    corner: [f64; 3],
    (sampler, window): (&Sampler, Option<[[f64; 3]; 2]>),
) -> Result<Obstacle, TallError> {
    let local = |p: [f64; 3]| std::array::from_fn(|axis| (p[axis] - corner[axis]) as f32);
    Ok(match *from {
        Solid::Box { min, max } => {
            let (min, max): ([f32; 3], [f32; 3]) = (local(min), local(max));
            Obstacle::Box {
                centre: std::array::from_fn(|axis| 0.5 * (min[axis] + max[axis])),
                half: std::array::from_fn(|axis| 0.5 * (max[axis] - min[axis])),
            }
        }
        Solid::Sphere { center, radius } => Obstacle::Sphere { centre: local(center), radius: radius as f32 },
        Solid::Capsule { ends, radius } => Obstacle::Capsule { ends: ends.map(local), radius: radius as f32 },
        Solid::Cylinder { ends, radius } => Obstacle::Cylinder { ends: ends.map(local), radius: radius as f32 },
        Solid::Cone { ends, radii } => Obstacle::Cone { ends: ends.map(local), radii: radii.map(|r| r as f32) },
        Solid::Mesh { ref mesh, position } => {
            let way: [f64; 3] = std::array::from_fn(|axis| position[axis] - corner[axis]);
            let window = window.map(|window| window.map(|p| std::array::from_fn(|axis| p[axis] - corner[axis])));
            sampler.sample(&mesh.vertices, &mesh.triangles, way, window)?
        }
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

/// Where an obstacle is at a time, s: a point `p` of its shape in the scene is at `point(p)`.
pub(crate) fn pose(from: &scene::Obstacle, time: f64) -> Pose {
    let Some(motion) = &from.motion else { return Pose::default() };
    motion.clone().about(middle(from)).pose(&Pose::default(), time)
}

#[cfg(test)]
mod tests {
    use thalweg_scene::Scene;

    use super::{Pose, pose};

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
        // After one second: a quarter turn about z, half a metre along x.
        for (point, wanted) in [([1.0, 1.0, 1.0], [1.5, 1.0, 1.0]), ([1.2, 1.5, 0.5], [1.0, 1.2, 0.5])] {
            let found = paddle.point(point);
            assert!((0..3).all(|axis| (found[axis] - wanted[axis]).abs() < 1e-12), "{point:?} is at {found:?}");
        }
        assert_eq!(pose(&scene.obstacles[1], 1.0), Pose::default());
    }
}
