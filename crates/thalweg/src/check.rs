//! What solvers find wrong with parts of a scene, reported at the line that asks for them.

use thalweg_bodies::{BodyError, MassProperties, WorldError};
use thalweg_model::Ability;
use thalweg_scene::{PartShape, Scene, ScenePart, Solid};
use thalweg_tall::TallError;

use crate::error::{Error, MeshOf};
use crate::methods::tall::columns;
use crate::methods::tall::sides_and_sources::exchange;
use crate::sampler::Sampler;
use crate::solids::{middle, too_large};

/// The lowest ground of a scene, m, which may be looked at strip by strip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LowestGround {
    /// Of the whole domain.
    pub anywhere: f32,
    /// Along the west, east, south and north side.
    pub sides: [f32; 4],
}

impl Default for LowestGround {
    fn default() -> Self {
        Self { anywhere: f32::INFINITY, sides: [f32::INFINITY; 4] }
    }
}

impl LowestGround {
    /// Looks at rows of `nx` cells, the first of which is number `first` of `nz` in the domain.
    pub fn look(&mut self, bed: &[f32], nx: usize, first: usize, nz: usize) {
        for (k, row) in (first..).zip(bed.chunks_exact(nx)) {
            let lowest = row.iter().copied().fold(f32::INFINITY, f32::min);
            let [west, east, south, north] = &mut self.sides;
            (*west, *east) = (west.min(row[0]), east.min(row[nx - 1]));
            if k == 0 {
                *south = south.min(lowest);
            }
            if k + 1 == nz {
                *north = north.min(lowest);
            }
            self.anywhere = self.anywhere.min(lowest);
        }
    }
}

/// Whether the solver of a scene can take its sources, sides and bodies, before any memory is taken for it.
/// [`Simulation`](crate::Simulation) finds the same and more.
pub fn check(scene: &Scene, ground: &LowestGround) -> Result<(), Error> {
    if !scene.water.solver.has(Ability::ThreeDimensional) {
        return Ok(());
    }
    let [floor, _] = scene.elevations(&[ground.anywhere]);
    let corner = [scene.grid.origin[0], floor, scene.grid.origin[1]];
    check_parts(scene, corner, ground.sides).map_err(|error| at_its_line(error, scene))
}

fn check_parts(scene: &Scene, corner: [f64; 3], sides: [f32; 4]) -> Result<(), Error> {
    let lowest = sides.map(|side| f64::from(side) - corner[1]);
    let grid = &scene.grid;
    exchange(scene, corner)?.check((columns(scene), grid.cell), grid.height, scene.gravity, lowest)?;
    for body in &scene.bodies {
        MassProperties::of(body).map_err(|error| WorldError::Body { name: body.name.clone(), error })?;
    }
    check_meshes(scene, corner[1])
}

/// Whether there is room for the distances of all meshes.
fn check_meshes(scene: &Scene, floor: f64) -> Result<(), Error> {
    let (sampler, cell) = (Sampler::new(scene, floor), scene.grid.cell);
    for (number, obstacle) in scene.obstacles.iter().enumerate() {
        if let Solid::Mesh { mesh, position } = &obstacle.shape {
            let window = sampler.window(obstacle.motion.as_ref(), middle(obstacle));
            sampler
                .fits(mesh, *position, Some(window))
                .map_err(|error| too_large(error, MeshOf::Obstacle(number), cell))?;
        }
    }
    for (body, part) in scene.bodies.iter().flat_map(|body| body.parts.iter().map(move |part| (body, part))) {
        if let PartShape::Solid(Solid::Mesh { mesh, position }) = &part.shape {
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
        Error::Tall(TallError::Side { side, .. }) => ScenePart::Side(*side),
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

    /// What is wrong with a tank that has more in it, as found before it is simulated and by the simulation itself:
    /// message and line.
    fn fault(more: &str) -> (String, Option<usize>) {
        let text = format!(
            "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [2, 2, 2], cell = 0.25 }}\n\
             water = {{ solver = 'uniform', level = 1 }}\n{more}\n"
        );
        let scene = Scene::from_str(&text, "a.toml", ".").unwrap_or_else(|error| panic!("{error}"));
        let errors =
            [check(&scene, &flat()).expect_err("refused"), Simulation::new(scene, Backend::Cpu).expect_err("refused")];
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

    fn flat() -> LowestGround {
        let mut ground = LowestGround::default();
        ground.look(&[0.0; 64], 8, 0, 8);
        ground
    }

    /// An amplitude as large as the depth crossed the bounds of the water that a wave moves in, after some seconds.
    #[test]
    fn waves_higher_than_the_water_have_a_line() {
        let wave = |amplitude: f64| format!("[boundary.east]\nkind = 'wave'\nperiod = 2\namplitude = {amplitude}");
        let (message, line) = fault(&wave(1.2));
        assert!(message.contains("an amplitude of 1.200 m in 1.000 m of water"), "{message}");
        assert_eq!(line, Some(4));
        let (message, line) = fault("waves = { wind = 20, height = 2.6 }\nboundary.north = 'ocean'");
        assert!(message.contains("half a significant height") && message.contains("1.000 m of water"), "{message}");
        assert_eq!(line, Some(5));
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
