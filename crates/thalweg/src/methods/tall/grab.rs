//! What users do to rigid bodies.

use thalweg_scene::{Body, Scene, nearest};

use super::TallScene;
use crate::bodies::FloatingBodies;
use crate::error::Error;
use crate::interaction::{Interaction, InteractionError};

impl TallScene {
    /// Takes hold of a body, lets it go, adds or removes one. After an error nothing has changed.
    pub(super) fn touch_bodies(&mut self, scene: &mut Scene, what: Interaction) -> Result<(), Error> {
        match what {
            Interaction::Grab { body, at, to } => {
                let (afloat, index) =
                    self.body(scene, &body, &[("point that is held", at), ("place to pull to", to)])?;
                let pose = afloat.world.states()[index].pose;
                Ok(afloat.world.grab(index, pose.local(at), to)?)
            }
            Interaction::Drag { body, to } => {
                let (afloat, index) = self.body(scene, &body, &[("place to pull to", to)])?;
                Ok(afloat.world.drag(index, to)?)
            }
            Interaction::Release { body } => {
                let (afloat, index) = self.body(scene, &body, &[])?;
                Ok(afloat.world.release(index)?)
            }
            Interaction::Throw { body, velocity } => {
                let (afloat, index) = self.body(scene, &body, &[("velocity", velocity)])?;
                let rates = afloat.world.states()[index].rates;
                afloat.world.set_velocity(index, velocity, rates)?;
                Ok(afloat.world.release(index)?)
            }
            Interaction::AddBody(body) => {
                check_new(&body, scene)?;
                self.add_body(scene, &body)?;
                let mut bodies = scene.bodies.clone();
                bodies.push(*body);
                scene.replace_bodies(bodies);
                Ok(())
            }
            Interaction::RemoveBody { name } => {
                let (_, index) = self.body(scene, &name, &[])?;
                self.remove_body(scene, index)?;
                let mut bodies = scene.bodies.clone();
                bodies.remove(index);
                scene.replace_bodies(bodies);
                Ok(())
            }
            other => Err(crate::method::Method::refusal(self, &other)),
        }
    }

    /// The body of a name, once the vectors that are meant for it are known to be finite.
    fn body(
        &mut self,
        scene: &Scene,
        name: &str,
        vectors: &[(&'static str, [f64; 3])],
    ) -> Result<(&mut FloatingBodies, usize), Error> {
        let found = self.bodies.as_mut().and_then(|afloat| afloat.world.find(name).map(|index| (afloat, index)));
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
    let (name, position) = (body.name.clone(), body.pose.position);
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

/// A hint for a body that is not there.
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
