//! Where parts of a scene stand in its text, for faults that show when the scene is about to be simulated.

use crate::context::Context;
use crate::diagnostics::SceneError;
use crate::format::SceneFile;
use crate::report::{At, Pointing, Spot};
use crate::scene::Scene;

/// A part of a scene that a solver may find fault with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScenePart<'a> {
    /// The rate of a source, by its number in [`Scene::sources`].
    Rate(usize),
    /// An obstacle, by its number in [`Scene::obstacles`].
    Obstacle(usize),
    /// A body, by its name.
    Body(&'a str),
    /// How heavy a body is, by its name.
    Weight(&'a str),
    /// A side: 0 west, 1 east, 2 south, 3 north.
    Side(usize),
}

/// The places of those parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    /// What messages call the scene's file.
    file: String,
    pointing: Pointing,
    rates: Vec<Spot>,
    sides: Vec<Spot>,
    obstacles: Vec<Spot>,
    /// Name of a body, and the places of the body and of its weight.
    bodies: Vec<(String, [Spot; 2])>,
}

impl Places {
    pub(crate) fn of(file: &SceneFile, context: &Context<'_>) -> Self {
        let (root, report) = (At::root(), &context.report);
        let rates = (0..file.source.len()).map(|n| report.spot(&root.key("source").index(n).key("rate")));
        let bodies = file.body.iter().enumerate().map(|(n, body)| {
            let at = root.key("body").index(n);
            // A weight that is not given is the fault of the body.
            let weight = at.key(if body.mass.is_some() { "mass" } else { "density" });
            (body.name.clone(), [report.spot(&at), report.spot(&weight)])
        });
        let sides = ["west", "east", "south", "north"];
        let sides = sides.map(|side| report.spot(&root.key("boundary").key(side))).to_vec();
        let obstacles = (0..file.obstacle.len()).map(|n| report.spot(&root.key("obstacle").index(n)));
        Self {
            file: report.file().to_owned(),
            pointing: report.pointing(),
            rates: rates.collect(),
            sides,
            obstacles: obstacles.collect(),
            bodies: bodies.collect(),
        }
    }

    fn find(&self, part: ScenePart<'_>) -> Option<&Spot> {
        let body = |name: &str| self.bodies.iter().find(|(known, _)| known == name).map(|(_, places)| places);
        match part {
            ScenePart::Rate(number) => self.rates.get(number),
            ScenePart::Side(number) => self.sides.get(number),
            ScenePart::Obstacle(number) => self.obstacles.get(number),
            ScenePart::Body(name) => body(name).map(|[body, _]| body),
            ScenePart::Weight(name) => body(name).map(|[_, weight]| weight),
        }
    }
}

impl Scene {
    /// An error that points at a part of the scene; `None` where the scene's text does not have that part, as that of a
    /// body that came later.
    pub fn error_at(&self, part: ScenePart<'_>, message: impl Into<String>) -> Option<SceneError> {
        let spot = self.places.find(part)?;
        let text = (self.places.file.as_str(), self.text.text.as_str());
        Some(spot.diagnostic(self.places.pointing, text, message, None).into())
    }
}
