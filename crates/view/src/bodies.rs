//! Bodies that the mouse drops, holds and throws.

use thalweg::{Error, Hold, Interaction, Picked, Toy};

use crate::command::{Tool, Touch};
use crate::orbit::on_facing_plane;
use crate::stage::{POINT_AT_WATER, Stage};

/// What to do when one grabs nothing.
pub(crate) const POINT_AT_BODY: &str = "point at a body, or drop one (8, 9)";

impl Stage {
    /// The body at a place of the last picture; water does not hide it.
    pub(crate) fn body_at(&self, place: [f64; 2]) -> Option<Picked> {
        let look = self.drawn.as_ref()?;
        let [width, height] = look.size.map(f64::from);
        self.simulation.pick(look.camera.eye, look.camera.through(place, width / height))
    }

    /// Takes hold of the body at a place of the last picture; else what to do.
    pub(crate) fn take_body(&mut self, place: [f64; 2]) -> Result<Result<Hold, String>, Error> {
        match self.body_at(place) {
            None => Ok(Err(POINT_AT_BODY.into())),
            Some(picked) if picked.is_kinematic => {
                Ok(Err(format!("{} follows a path and cannot be grabbed", picked.body)))
            }
            Some(picked) => Hold::take(&mut self.simulation, &picked.body, picked.point).map(Ok),
        }
    }

    /// Drags a body to another place of the last picture, in the plane that faces the camera.
    pub(crate) fn drag_body(&mut self, hold: &mut Hold, place: [f64; 2]) -> Result<(), Error> {
        let Some(look) = &self.drawn else { return Ok(()) };
        let [width, height] = look.size.map(f64::from);
        match on_facing_plane(&look.camera, place, width / height, hold.place()) {
            Some(to) => hold.drag(&mut self.simulation, to),
            None => Ok(()), // behind the eye: it stays
        }
    }

    /// Drops a body above a place of the last picture; what was done.
    pub(crate) fn drop_body(&mut self, touch: &Touch) -> Result<String, Error> {
        let Some(point) = self.point_at(touch.place)? else { return Ok(POINT_AT_WATER.into()) };
        let toy = if touch.tool == Tool::DropBall { Toy::Ball } else { Toy::Box };
        let body = toy.above(self.simulation.scene(), point, touch.radius);
        let name = body.name.clone();
        self.simulation.apply(Interaction::AddBody(Box::new(body)))?;
        Ok(format!("{name} dropped"))
    }
}
