//! A mouse that pours or pushes: where it is in the world while it is dragged.

use thalweg::Pour;
use thalweg::render::Look;
use thalweg_scene::Scene;

use crate::command::{Tool, Touch};
use crate::orbit::on_level;

/// A mouse that holds the water. It meets the water once and stays at that height: the stream under it would else lift it to the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hand {
    pub(crate) tool: Tool,
    pub(crate) radius: f64,
    /// Where it is, m.
    point: [f64; 3],
    /// Where it was at the last step, m.
    last: [f64; 3],
}

/// Furthest that a drag reaches, in sizes of the domain.
const REACH: f64 = 3.0;

impl Hand {
    /// Meets the water at a point.
    pub(crate) fn new(touch: &Touch, point: [f64; 3]) -> Self {
        Self { tool: touch.tool, radius: touch.radius, point, last: point }
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

    /// A stream above it, for a domain with these corners, m.
    pub(crate) fn pour(&self, scene: &Scene, [low, high]: [[f64; 3]; 2]) -> Pour {
        let Self { radius, point, .. } = *self;
        // Two fifths of what a stream of this size can carry, see `Simulation::pour`.
        let speed = 0.8 * radius * (scene.gravity / scene.grid.cell).sqrt();
        let above = [0.0, 3.0 * radius, 0.0];
        // A hand that was dragged out of the domain pours at its edge.
        let centre = std::array::from_fn(|axis| {
            let margin = radius.min(0.5 * (high[axis] - low[axis]));
            (point[axis] + above[axis]).clamp(low[axis] + margin, high[axis] - margin)
        });
        Pour { centre, radius, velocity: [0.0, -speed, 0.0] }
    }

    /// Where it pushes and how fast it went in a step of `dt` seconds, at most `fastest` m/s; `None` while it rests.
    pub(crate) fn push(&mut self, dt: f64, fastest: f64) -> Option<([f64; 3], [f64; 3])> {
        let way: [f64; 3] = std::array::from_fn(|axis| self.point[axis] - self.last[axis]);
        self.last = self.point;
        let speed = way.iter().map(|x| x * x).sum::<f64>().sqrt() / dt;
        let share = if speed > fastest { fastest / speed } else { 1.0 };
        (speed > 0.0).then(|| (self.point, way.map(|x| share * x / dt)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOUCH: Touch = Touch { tool: Tool::Push, place: [0.5, 0.5], radius: 0.2 };

    #[test]
    fn a_hand_that_moves_has_its_velocity_once_and_no_more_than_allowed() {
        let mut hand = Hand::new(&TOUCH, [1.0, 2.0, 3.0]);
        assert_eq!(hand.push(0.1, 5.0), None, "at rest");
        hand.point = [1.1, 2.0, 3.0];
        let (at, velocity) = hand.push(0.1, 5.0).expect("it moved");
        assert_eq!(at, [1.1, 2.0, 3.0]);
        assert!((velocity[0] - 1.0).abs() < 1e-9 && velocity[1] == 0.0);
        assert_eq!(hand.push(0.1, 5.0), None, "it rests again");
        hand.point = [9.0, 2.0, 3.0];
        let (_, velocity) = hand.push(0.1, 5.0).expect("it moved");
        assert!((velocity[0] - 5.0).abs() < 1e-9);
    }

    #[test]
    fn a_stream_stays_in_the_domain() {
        let scene = Scene::shipped("dam-break").expect("it ships");
        let corners = [[0.0; 3], [2.0, 1.0, 1.0]];
        let pour = Hand::new(&TOUCH, [1.0, 0.3, 0.5]).pour(&scene, corners);
        assert!((pour.centre[1] - 0.8).abs() < 1e-9, "under the top: {:?}", pour.centre);
        let outside = Hand::new(&TOUCH, [-7.0, 0.1, 0.5]).pour(&scene, corners);
        assert!((0..3).all(|axis| (outside.centre[axis] - [0.2, 0.7, 0.5][axis]).abs() < 1e-9), "{:?}", outside.centre);
        assert!(pour.velocity[1] < 0.0);
    }
}
