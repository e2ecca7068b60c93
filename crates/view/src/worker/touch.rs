//! What the mouse does to water, bodies and obstacles.

use thalweg::{Command, Error};

use super::Worker;
use crate::command::{Tool, Touch};
use crate::contact::Contact;
use crate::stage::{POINT_AT_WATER, Stage};

impl Worker {
    pub(super) fn touch(&mut self, touch: Option<&Touch>) {
        let tool = touch.map(|touch| touch.tool);
        if self.contact.is_some_and(|contact| Some(contact.tool) != tool) || tool != Some(Tool::Grab) && self.holds() {
            self.release();
        }
        let (Some(touch), Some(stage)) = (touch, &mut self.stage) else { return };
        if touch.tool == Tool::Grab {
            return self.grab(touch);
        }
        if let Some(contact) = &mut self.contact {
            stage.drag(contact, touch);
        } else {
            match stage.point_at(touch.place) {
                Ok(Some(point)) => self.contact = Some(Contact::new(touch, point)),
                Ok(None) if self.report.notice.0 == POINT_AT_WATER => {} // shown already
                Ok(None) => {
                    self.notice(POINT_AT_WATER.into());
                    self.publish();
                }
                Err(error) => return self.fail(&error),
            }
        }
        let (Some(contact), Some(stage)) = (&self.contact, &mut self.stage) else { return };
        if let Err(error) = stage.contact(contact) {
            self.report.trouble = Some(error.to_string());
            self.contact = None;
            self.publish();
        }
    }

    fn holds(&self) -> bool {
        self.stage.as_ref().is_some_and(|stage| stage.session.grabbed().is_some())
    }

    /// Grabs the body under the mouse, or drags the one that it holds.
    fn grab(&mut self, touch: &Touch) {
        let Some(stage) = &mut self.stage else { return };
        let done = match stage.session.grabbed() {
            Some(_) => stage.drag_body(touch.place).map(|()| None),
            None => stage.grab_body(touch.place).map(Some),
        };
        match done {
            Ok(Some(notice)) if notice != self.report.notice.0 => self.notice(notice),
            Ok(_) => return, // shown already
            Err(error) => self.report.trouble = Some(error.to_string()),
        }
        self.publish();
    }

    /// Releases what the mouse holds, and throws a body if the mouse moves.
    fn release(&mut self) {
        self.contact = None;
        let Some(stage) = &mut self.stage else { return };
        let notice = stage.session.grabbed().map(|grabbed| format!("{} is let go", grabbed.body()));
        match stage.session.command(Command::Release) {
            Ok(()) => notice.into_iter().for_each(|notice| self.notice(notice)),
            Err(error) => self.report.trouble = Some(error.to_string()),
        }
        self.publish();
    }

    /// Does something to the obstacles or to the bodies.
    pub(super) fn build(&mut self, change: impl FnOnce(&mut Stage) -> Result<String, Error>) {
        self.release();
        let Some(stage) = &mut self.stage else { return };
        match change(stage) {
            Ok(notice) => self.notice(notice),
            Err(error) => self.report.trouble = Some(error.to_string()),
        }
        self.is_stale = true;
        self.measure();
        self.publish();
    }
}
