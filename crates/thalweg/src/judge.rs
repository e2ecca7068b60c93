//! What solvers find wrong with parts of a scene, told at the line that asks for them.

use thalweg_bodies::{BodyError, MassProperties, WorldError};
use thalweg_scene::{ObstacleShape, PartShape, Scene, ScenePart};
use thalweg_tall::{Exchange, TallError};

use crate::bodies::body_setup;
use crate::error::{Error, MeshOf};
use crate::sampler::Sampler;
use crate::solids::{middle, too_large};
use crate::tall_exchange::sources;
use crate::tall_scene::columns;

/// Whether the solver of a scene can take its sources and bodies, before any memory is taken for it. `lowest` is the elevation of the
/// lowest ground, m. [`Simulation`](crate::Simulation) finds the same and more.
pub fn judge(scene: &Scene, lowest: f32) -> Result<(), Error> {
    if !scene.water.solver.is_three_dimensional() {
        return Ok(());
    }
    let [floor, _] = scene.elevations(&[lowest]);
    let corner = [scene.grid.origin[0], floor, scene.grid.origin[1]];
    judge_parts(scene, corner).map_err(|error| at_its_line(error, scene))
}

fn judge_parts(scene: &Scene, corner: [f64; 3]) -> Result<(), Error> {
    let exchange = Exchange { sources: sources(scene, corner), ..Exchange::default() };
    exchange.check(columns(scene), scene.grid.cell, scene.gravity)?;
    for body in &scene.bodies {
        let setup = body_setup(body, &scene.grid)?;
        MassProperties::new(&setup.shape, setup.mass)
            .map_err(|error| WorldError::Body { name: body.name.clone(), error })?;
    }
    judge_meshes(scene, corner[1])
}

/// Whether there is room for the distances of all meshes.
fn judge_meshes(scene: &Scene, floor: f64) -> Result<(), Error> {
    let (sampler, cell) = (Sampler::new(scene, floor), scene.grid.cell);
    for (number, obstacle) in scene.obstacles.iter().enumerate() {
        if let ObstacleShape::Mesh { mesh, position } = &obstacle.shape {
            let window = sampler.window(obstacle.motion.as_ref(), middle(obstacle));
            sampler
                .fits(mesh, *position, Some(window))
                .map_err(|error| too_large(error, MeshOf::Obstacle(number), cell))?;
        }
    }
    for (body, part) in scene.bodies.iter().flat_map(|body| body.parts.iter().map(move |part| (body, part))) {
        if let PartShape::Solid(ObstacleShape::Mesh { mesh, position }) = &part.shape {
            sampler
                .fits(mesh, *position, sampler.window_of_part(body, part))
                .map_err(|error| too_large(error, MeshOf::Body(body.name.clone()), cell))?;
        }
    }
    Ok(())
}

/// The same error as one of the scene, if it is about a part that stands there.
pub(crate) fn at_its_line(error: Error, scene: &Scene) -> Error {
    let part = match &error {
        Error::Tall(TallError::Source { number, .. }) => ScenePart::Rate(*number),
        Error::Bodies(WorldError::Body { name, error: BodyError::Mass { .. } | BodyError::Density { .. } }) => {
            ScenePart::Weight(name)
        }
        Error::Bodies(WorldError::Body { name, .. }) | Error::Mesh { of: MeshOf::Body(name), .. } => {
            ScenePart::Body(name)
        }
        Error::Mesh { of: MeshOf::Obstacle(number), .. } => ScenePart::Obstacle(*number),
        _ => return error,
    };
    scene.error_at(part, error.to_string()).map_or(error, Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Simulation};

    /// What is wrong with a tank that has more in it, as found before it is simulated and by the simulation itself: message and line.
    fn fault(more: &str) -> (String, Option<usize>) {
        let text = format!(
            "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [2, 2, 2], cell = 0.25 }}\n\
             water = {{ solver = 'uniform', level = 1 }}\n{more}\n"
        );
        let scene = Scene::from_str(&text, "a.toml", ".").unwrap_or_else(|error| panic!("{error}"));
        let errors =
            [judge(&scene, 0.0).expect_err("refused"), Simulation::new(scene, Backend::Cpu).expect_err("refused")];
        let [before, later] = errors.map(|error| {
            assert!(error.is_input());
            let Error::Scene(error) = error else { panic!("no line: {error}") };
            let [found] = error.diagnostics() else { panic!("{error}") };
            (found.message.clone(), found.line())
        });
        assert_eq!(before, later);
        before
    }

    #[test]
    fn sources_that_are_too_strong_have_a_line() {
        let source = "[[source]]\nshape = { disc = { center = [1, 1], radius = 0.3 } }\ny = [0, 0.5]\nrate = ";
        let (message, line) = fault(&format!("{source}0.001\n{source}5000"));
        assert!(message.contains("source 2") && message.contains("cannot carry 5000 m³/s"), "{message}");
        assert_eq!(line, Some(11));
    }

    #[test]
    fn bodies_without_mass_have_a_line() {
        let body =
            |keys: &str| fault(&format!("[[body]]\nname = 'ball'\nshape = 'sphere'\nposition = [1, 1, 1]\n{keys}"));
        let (message, line) = body("density = 0.001\nradius = 0.01");
        assert!(message.contains("body `ball`: the mass is 4.189e-9 kg"), "{message}");
        assert_eq!(line, Some(8));
        let (message, line) = body("radius = 0.3\nmass = 1e-9");
        assert!(message.contains("the mass is 1.000e-9 kg"), "{message}");
        assert_eq!(line, Some(9));
        // One that is blamed on no weight.
        let (message, line) = body("radius = 0.0001");
        assert!(message.contains("too small"), "{message}");
        assert_eq!(line, Some(4));
    }
}
