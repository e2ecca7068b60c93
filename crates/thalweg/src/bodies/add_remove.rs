//! Bodies that enter and leave the water while it runs.

use thalweg_scene::{Body, Scene};

use super::FloatingBodies;
use crate::error::Error;
use crate::methods::TallScene;

impl TallScene {
    /// Puts another body into the water of a scene, which does not have it yet. After an error nothing has changed.
    pub(crate) fn add_body(&mut self, scene: &Scene, body: &Body) -> Result<(), Error> {
        let mut bodies = match self.bodies.take() {
            None => FloatingBodies::first(scene, self.bed(), self.corner(), self.water.time(), body)?,
            Some(mut bodies) => {
                if let Err(error) = bodies.add(scene, body) {
                    self.bodies = Some(bodies);
                    return Err(error);
                }
                bodies
            }
        };
        let water = self.among(scene, bodies.obstacles(), &[]).and_then(|mut water| {
            bodies.place(&mut water)?;
            Ok(water)
        });
        match water {
            Ok(water) => (self.water, self.pours) = (water, false),
            Err(error) => {
                bodies.remove(bodies.len() - 1)?;
                self.bodies = (bodies.len() > 0).then_some(bodies);
                return Err(error);
            }
        }
        self.bodies = Some(bodies);
        Ok(())
    }

    /// Takes a body out of the water and leaves air. After an error nothing has changed.
    pub(crate) fn remove_body(&mut self, scene: &Scene, index: usize) -> Result<(), Error> {
        let Some(bodies) = &self.bodies else { return Ok(()) };
        let gone = bodies.chosen_obstacles(|body| body == index);
        let mut water = self.among(scene, bodies.chosen_obstacles(|body| body != index), &gone)?;
        bodies.place_but(Some(index), &mut water)?;
        if let Some(bodies) = &mut self.bodies {
            bodies.remove(index)?;
        }
        self.bodies.take_if(|bodies| bodies.len() == 0);
        (self.water, self.pours) = (water, false);
        Ok(())
    }
}
