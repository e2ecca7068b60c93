//! Bodies that the mouse drops, holds and throws.

use thalweg::{BodyPreset, Command, Error, Picked};

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
        self.session.simulation().pick(look.camera.eye, look.camera.through(place, width / height))
    }

    /// Grabs the body at a place of the last picture; what was done, or what to do.
    pub(crate) fn grab_body(&mut self, place: [f64; 2]) -> Result<String, Error> {
        let Some(picked) = self.body_at(place) else { return Ok(POINT_AT_BODY.into()) };
        if picked.is_kinematic {
            return Ok(format!("{} follows a path and cannot be grabbed", picked.body));
        }
        let notice = format!("{} is held", picked.body);
        self.session.command(Command::Grab { body: picked.body, at: picked.point })?;
        Ok(notice)
    }

    /// Drags the body that is held to another place of the last picture, in the plane that faces the camera.
    pub(crate) fn drag_body(&mut self, place: [f64; 2]) -> Result<(), Error> {
        let (Some(look), Some(grabbed)) = (&self.drawn, self.session.grabbed()) else { return Ok(()) };
        let [width, height] = look.size.map(f64::from);
        match on_facing_plane(&look.camera, place, width / height, grabbed.place()) {
            Some(to) => self.session.command(Command::Drag { to }),
            None => Ok(()), // behind the eye: it stays
        }
    }

    /// Drops a body above a place of the last picture; what was done.
    pub(crate) fn drop_body(&mut self, touch: &Touch) -> Result<String, Error> {
        let Some(at) = self.point_at(touch.place)? else { return Ok(POINT_AT_WATER.into()) };
        let body = if touch.tool == Tool::DropBall { BodyPreset::Sphere } else { BodyPreset::Box };
        self.session.command(Command::Drop { body, at, radius: Some(touch.radius) })?;
        let name = self.session.simulation().scene().bodies.last().map(|body| body.name.clone());
        Ok(format!("{} dropped", name.unwrap_or_default()))
    }
}
