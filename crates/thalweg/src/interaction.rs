//! What users do to water and bodies while they run: one door for viewers, pages and programs.

use thalweg_scene::{Body, Scene, nearest};

use crate::bodies::Afloat;
use crate::error::Error;
use crate::pour::Pour;
use crate::simulation::Simulation;
use crate::tall_scene::TallScene;

/// Something done to a running simulation, for [`Simulation::apply`]. Places are in world coordinates, m.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Interaction {
    /// Pours water in during the next step; see [`Simulation::pour`].
    Pour(Pour),
    /// Takes the water in a ball along; see [`Simulation::push`].
    Push {
        /// Middle of the ball, m.
        centre: [f64; 3],
        /// Its radius, m.
        radius: f64,
        /// Velocity of the water in its middle, m/s.
        velocity: [f64; 3],
    },
    /// Takes hold of a body at a point of it and pulls that point to a place, by a spring that is critically damped and not stronger than twenty weights of the
    /// body. It holds until [`Interaction::Release`] or [`Interaction::Throw`].
    Grab {
        /// Name of the body.
        body: String,
        /// The point that is held, where it is now, m.
        at: [f64; 3],
        /// Where it is pulled to, m.
        to: [f64; 3],
    },
    /// Pulls a body that is held to another place, by the point at which it was taken.
    Drag {
        /// Name of the body.
        body: String,
        /// Where it is pulled to, m.
        to: [f64; 3],
    },
    /// Lets go of a body, which keeps its velocity.
    Release {
        /// Name of the body.
        body: String,
    },
    /// Lets go of a body and gives it a velocity; it turns as it did.
    Throw {
        /// Name of the body.
        body: String,
        /// Velocity of its centre of mass, m/s.
        velocity: [f64; 3],
    },
    /// Puts a new body in, with the velocity that it has. Water inside it counts as gone out ([`Statistics::removed`](crate::Statistics::removed)). Takes as long as
    /// the beginning of the scene; what was saved before cannot be loaded any more.
    AddBody(Box<Body>),
    /// Takes a body out and leaves air. Takes as long as the beginning of the scene; what was saved before cannot be loaded any more.
    RemoveBody {
        /// Name of the body.
        name: String,
    },
}

/// What a ray met, from [`Simulation::pick`].
#[derive(Debug, Clone, PartialEq)]
pub struct Picked {
    /// Name of the body.
    pub body: String,
    /// The point of it that the ray met, world coordinates, m.
    pub point: [f64; 3],
    /// Distance from the ray's origin, m.
    pub distance: f64,
    /// Whether it follows a path, so that nobody can grab it.
    pub is_kinematic: bool,
}

/// Why bodies cannot be touched like that. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InteractionError {
    /// Shallow water has no bodies.
    #[error("shallow water has no rigid bodies: use `solver = \"tall-cells\"` in [water]")]
    Shallow,
    /// No body has that name.
    #[error("there is no body `{name}`: {hint}")]
    UnknownBody {
        /// What was asked for.
        name: String,
        /// What to do.
        hint: String,
    },
    /// A number is not finite.
    #[error("the {what} for body `{body}` must be finite numbers, it is {value:?}")]
    NotFinite {
        /// Which vector.
        what: &'static str,
        /// Of which body.
        body: String,
        /// What was asked for.
        value: [f64; 3],
    },
    /// A name that no scene file could have.
    #[error("`{name}` cannot be the name of a body: take 1 to 64 letters, digits, `_` or `-`")]
    Name {
        /// What was asked for.
        name: String,
    },
    /// Another body has that name.
    #[error("there is a body `{name}` already: take another name, such as `{free}`")]
    Taken {
        /// What was asked for.
        name: String,
        /// A name that is free.
        free: String,
    },
    /// The body would be outside.
    #[error(
        "body `{name}` at {position:?} m is outside the domain, which goes from {low:?} to {high:?} m along x and z"
    )]
    Outside {
        /// Which body.
        name: String,
        /// What was asked for, m.
        position: [f64; 3],
        /// Low corner `[x, z]`, m.
        low: [f64; 2],
        /// High corner `[x, z]`, m.
        high: [f64; 2],
    },
}

impl Simulation {
    /// Does something to water or bodies between two steps. After an error nothing has changed.
    ///
    /// ```
    /// use thalweg::{Backend, Interaction, Scene, Simulation};
    /// use thalweg_scene::{Body, Solid, PartShape};
    ///
    /// let mut simulation = Simulation::new(Scene::shipped("column-2d")?, Backend::Cpu)?;
    /// let shape = PartShape::Solid(Solid::Sphere { center: [0.0; 3], radius: 0.1 });
    /// let ball = Body::new("ball", shape, [2.0, 0.8, 0.01]);
    /// simulation.apply(Interaction::AddBody(Box::new(ball)))?;
    /// simulation.step(0.025)?;
    /// assert!(simulation.bodies()[0].velocity[1] < 0.0, "it falls");
    /// simulation.apply(Interaction::Throw { body: "ball".into(), velocity: [1.0, 1.0, 0.0] })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, interaction: Interaction) -> Result<(), Error> {
        match interaction {
            Interaction::Pour(pour) => self.pour(pour),
            Interaction::Push { centre, radius, velocity } => self.push(centre, radius, velocity),
            Interaction::Grab { body, at, to } => {
                let (afloat, index) = self.body(&body, &[("point that is held", at), ("place to pull to", to)])?;
                let pose = afloat.world.states()[index].pose;
                Ok(afloat.world.grab(index, pose.local(at), to)?)
            }
            Interaction::Drag { body, to } => {
                let (afloat, index) = self.body(&body, &[("place to pull to", to)])?;
                Ok(afloat.world.drag(index, to)?)
            }
            Interaction::Release { body } => {
                let (afloat, index) = self.body(&body, &[])?;
                Ok(afloat.world.release(index)?)
            }
            Interaction::Throw { body, velocity } => {
                let (afloat, index) = self.body(&body, &[("velocity", velocity)])?;
                let rates = afloat.world.states()[index].rates;
                afloat.world.set_velocity(index, velocity, rates)?;
                Ok(afloat.world.release(index)?)
            }
            Interaction::AddBody(body) => self.add_body(*body),
            Interaction::RemoveBody { name } => self.remove_body(&name),
        }
    }

    /// The first body that a ray meets: `origin` in world coordinates, m, and `direction` of any length. Ground and obstacles hide what is behind
    /// them; water and the sides of the domain do not.
    pub fn pick(&self, origin: [f64; 3], direction: [f64; 3]) -> Option<Picked> {
        let world = &self.afloat()?.world;
        let found = world.pick(origin, direction)?;
        let state = world.states().into_iter().nth(found.body)?;
        let point = state.pose.point(found.point);
        Some(Picked { body: state.name, point, distance: found.distance, is_kinematic: state.is_kinematic })
    }

    fn add_body(&mut self, body: Body) -> Result<(), Error> {
        let (tall, scene) = self.tall_scene_mut().ok_or(InteractionError::Shallow)?;
        check_new(&body, scene)?;
        tall.add_body(scene, &body)?;
        let mut bodies = scene.bodies.clone();
        bodies.push(body);
        scene.replace_bodies(bodies);
        Ok(())
    }

    fn remove_body(&mut self, name: &str) -> Result<(), Error> {
        let (_, index) = self.body(name, &[])?;
        let (tall, scene) = self.tall_scene_mut().ok_or(InteractionError::Shallow)?;
        tall.remove_body(scene, index)?;
        let mut bodies = scene.bodies.clone();
        bodies.remove(index);
        scene.replace_bodies(bodies);
        Ok(())
    }

    /// The body of a name, once the vectors that are meant for it are known to be finite.
    fn body(&mut self, name: &str, vectors: &[(&'static str, [f64; 3])]) -> Result<(&mut Afloat, usize), Error> {
        let (TallScene { bodies, .. }, scene) = self.tall_scene_mut().ok_or(InteractionError::Shallow)?;
        let found = bodies.as_mut().and_then(|afloat| afloat.world.find(name).map(|index| (afloat, index)));
        let found =
            found.ok_or_else(|| InteractionError::UnknownBody { name: name.into(), hint: hint(name, scene) })?;
        for (what, value) in vectors {
            if !value.iter().all(|v| v.is_finite()) {
                return Err(InteractionError::NotFinite { what, body: name.into(), value: *value }.into());
            }
        }
        Ok(found)
    }
}

fn check_new(body: &Body, scene: &Scene) -> Result<(), InteractionError> {
    let (name, position) = (body.name.clone(), body.position);
    if !body.is_well_named() {
        return Err(InteractionError::Name { name });
    }
    let is_taken = |name: &str| scene.bodies.iter().any(|body| body.name == name);
    if is_taken(&name) {
        let stem: String = name.chars().take(50).collect();
        let free = (2..).map(|n| format!("{stem}-{n}")).find(|free| !is_taken(free)).unwrap_or_default();
        return Err(InteractionError::Taken { name, free });
    }
    if !position.iter().all(|v| v.is_finite()) {
        return Err(InteractionError::NotFinite { what: "position", body: name, value: position });
    }
    let (low, high) = (scene.grid.origin, scene.grid.high());
    if !scene.grid.contains([position[0], position[2]]) {
        return Err(InteractionError::Outside { name, position, low, high });
    }
    Ok(())
}

/// What somebody who asked for a body that is not there can do.
fn hint(name: &str, scene: &Scene) -> String {
    let names = || scene.bodies.iter().map(|body| body.name.as_str());
    if let Some(near) = nearest(name, names()) {
        return format!("did you mean `{near}`?");
    }
    match scene.bodies.len() {
        0 => "the scene has no bodies; add one with `Interaction::AddBody` or [[body]]".into(),
        count => {
            let most = names().take(8).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            format!("the bodies are {most}{}", if count > 8 { " and others" } else { "" })
        }
    }
}
