//! A mouse that pours or pushes: where it is in the world while it is dragged.

use thalweg::render::Look;
use thalweg::{Command, Pour};
use thalweg_scene::Scene;

use crate::command::{Tool, Touch};
use crate::orbit::on_level;

/// Where a mouse touches the water. It meets the water once and stays at that height: the stream under it would else
/// lift it to the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Contact {
    pub(crate) tool: Tool,
    radius: f64,
    /// Where it is, m.
    point: [f64; 3],
}

/// Furthest that a drag reaches, in sizes of the domain.
const REACH: f64 = 3.0;

impl Contact {
    /// Meets the water at a point.
    pub(crate) fn new(touch: &Touch, point: [f64; 3]) -> Self {
        Self { tool: touch.tool, radius: touch.radius, point }
    }

    /// Goes to another place of the picture, at its height. Where that is behind the horizon it stays.
    pub(crate) fn drag(&mut self, touch: &Touch, look: &Look, domain: f64) {
        let [width, height] = look.size.map(f64::from);
        let away = (0..3).map(|axis| (look.camera.eye[axis] - self.point[axis]).powi(2)).sum::<f64>().sqrt();
        let reach = REACH * (domain + away);
        if let Some(point) = on_level(&look.camera, touch.place, width / height, self.point[1], reach) {
            self.point = point;
        }
        self.radius = touch.radius;
    }

    /// What it does to the water, in a domain with these corners, m.
    pub(crate) fn command(&self, scene: &Scene, corners: [[f64; 3]; 2]) -> Command {
        let Self { radius, point, .. } = *self;
        match self.tool {
            Tool::Push => Command::Push { to: point, radius },
            _ => Command::Pour { stream: self.stream(scene, corners), seconds: None },
        }
    }

    /// A stream above it. A mouse that was dragged out of the domain pours at its edge.
    fn stream(&self, scene: &Scene, [low, high]: [[f64; 3]; 2]) -> Pour {
        let stream = Pour::onto(scene, self.point, self.radius);
        let centre = std::array::from_fn(|axis| {
            let margin = self.radius.min(0.5 * (high[axis] - low[axis]));
            stream.centre[axis].clamp(low[axis] + margin, high[axis] - margin)
        });
        Pour { centre, ..stream }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOUCH: Touch = Touch { tool: Tool::Pour, place: [0.5, 0.5], radius: 0.2 };

    #[test]
    fn a_stream_stays_in_the_domain() {
        let scene = Scene::shipped("dam-break").expect("it ships");
        let corners = [[0.0; 3], [2.0, 1.0, 1.0]];
        let pour = Contact::new(&TOUCH, [1.0, 0.3, 0.5]).stream(&scene, corners);
        assert!((pour.centre[1] - 0.8).abs() < 1e-9, "under the top: {:?}", pour.centre);
        let outside = Contact::new(&TOUCH, [-7.0, 0.1, 0.5]).stream(&scene, corners);
        assert!((0..3).all(|axis| (outside.centre[axis] - [0.2, 0.7, 0.5][axis]).abs() < 1e-9), "{:?}", outside.centre);
        assert!(pour.velocity[1] < 0.0);
    }
}
