//! A camera that goes around a point.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;
use thalweg::render::Camera;

/// Nearest to straight up or down, radians: at the pole itself there is no way to tell right from left.
const POLE: f64 = FRAC_PI_2 - 0.01;

/// Distances that zooming allows, as shares of the first one.
const NEAREST: f64 = 0.02;
const FURTHEST: f64 = 20.0;

/// How much nearer a step of the wheel is.
const ZOOM: f64 = 0.88;

/// A camera that goes around a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Orbit {
    target: DVec3,
    /// From the side of large z towards large x, radians.
    azimuth: f64,
    /// Above the horizon, radians.
    elevation: f64,
    /// To the target, m.
    distance: f64,
    /// Degrees.
    field_of_view: f64,
    /// Where it began.
    home: Camera,
    /// Width over height of the picture that `home` is for.
    home_aspect: f64,
}

impl Orbit {
    /// For a picture of this width over height.
    pub(crate) fn new(home: Camera, home_aspect: f64) -> Self {
        let (eye, target) = (DVec3::from(home.eye), DVec3::from(home.target));
        let back = eye - target;
        let distance = back.length().max(1e-6);
        Self {
            target,
            azimuth: back.x.atan2(back.z),
            elevation: (back.y / distance).clamp(-1.0, 1.0).asin().clamp(-POLE, POLE),
            distance,
            field_of_view: home.field_of_view,
            home,
            home_aspect,
        }
    }

    /// Makes all that the first camera saw fit into a picture of another width over height.
    pub(crate) fn fit(&mut self, aspect: f64) {
        let half = (0.5 * self.home.field_of_view.to_radians()).tan();
        let wider = (self.home_aspect / aspect.max(1e-3)).max(1.0);
        self.field_of_view = 2.0 * (half * wider).atan().to_degrees();
    }

    pub(crate) fn camera(&self) -> Camera {
        let eye = self.target + self.back() * self.distance;
        Camera { eye: eye.to_array(), target: self.target.to_array(), field_of_view: self.field_of_view }
    }

    /// Where it began.
    pub(crate) fn reset(&mut self) {
        *self = Self { field_of_view: self.field_of_view, ..Self::new(self.home, self.home_aspect) };
    }

    /// Turns by a drag, in heights of the picture: what is under the mouse goes along.
    pub(crate) fn turn(&mut self, [right, down]: [f64; 2]) {
        self.azimuth = (self.azimuth - PI * right).rem_euclid(2.0 * PI);
        self.elevation = (self.elevation + PI * down).clamp(-POLE, POLE);
    }

    /// Moves sideways by a drag, in heights of the picture: what is at the target's distance goes along with the mouse.
    pub(crate) fn pan(&mut self, [right, down]: [f64; 2]) {
        let height = 2.0 * self.distance * (0.5 * self.field_of_view.to_radians()).tan();
        let forward = -self.back();
        let across = forward.cross(DVec3::Y).normalize_or(DVec3::X);
        let up = across.cross(forward);
        self.target += (up * down - across * right) * height;
    }

    /// Goes nearer by steps of the wheel; further for negative ones.
    pub(crate) fn zoom(&mut self, steps: f64) {
        let first = DVec3::from(self.home.eye).distance(DVec3::from(self.home.target)).max(1e-6);
        self.distance = (self.distance * ZOOM.powf(steps)).clamp(NEAREST * first, FURTHEST * first);
    }

    /// Unit vector from the target to the eye.
    fn back(&self) -> DVec3 {
        let (sin, cos) = self.azimuth.sin_cos();
        let flat = self.elevation.cos();
        DVec3::new(sin * flat, self.elevation.sin(), cos * flat)
    }
}

/// Where the line through a place of a picture meets a level, m; `None` if it never does, or further than `reach` from the eye.
pub(crate) fn on_level(camera: &Camera, place: [f64; 2], aspect: f64, level: f64, reach: f64) -> Option<[f64; 3]> {
    let way = camera.through(place, aspect);
    let steps = (level - camera.eye[1]) / way[1];
    let point = std::array::from_fn(|axis| camera.eye[axis] + steps * way[axis]);
    let away = DVec3::from(point).distance(DVec3::from(camera.eye));
    (steps > 0.0 && away.is_finite() && away <= reach).then_some(point)
}

/// Where the line through a place of a picture meets the plane through a point that faces the camera, m; `None` if that is behind the eye.
pub(crate) fn on_facing_plane(camera: &Camera, place: [f64; 2], aspect: f64, through: [f64; 3]) -> Option<[f64; 3]> {
    let eye = DVec3::from(camera.eye);
    let (way, ahead) = (DVec3::from(camera.through(place, aspect)), DVec3::from(camera.target) - eye);
    let away = (DVec3::from(through) - eye).dot(ahead) / way.dot(ahead);
    let point = eye + way * away;
    (away > 0.0 && point.is_finite()).then(|| point.to_array())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: Camera = Camera { eye: [3.0, 4.0, 10.0], target: [1.0, 0.5, 2.0], field_of_view: 30.0 };

    fn close(a: [f64; 3], b: [f64; 3]) -> bool {
        DVec3::from(a).distance(DVec3::from(b)) < 1e-9
    }

    #[test]
    fn an_orbit_begins_at_the_camera_it_was_made_of_and_comes_back_to_it() {
        let mut orbit = Orbit::new(HOME, 1.6);
        assert!(close(orbit.camera().eye, HOME.eye) && close(orbit.camera().target, HOME.target));
        orbit.turn([0.3, -0.1]);
        orbit.pan([0.2, 0.1]);
        orbit.zoom(3.0);
        assert!(!close(orbit.camera().eye, HOME.eye));
        orbit.reset();
        assert!(close(orbit.camera().eye, HOME.eye) && close(orbit.camera().target, HOME.target));
    }

    #[test]
    fn turning_keeps_the_distance_and_stops_below_the_pole() {
        let mut orbit = Orbit::new(HOME, 1.6);
        let away = |orbit: &Orbit| DVec3::from(orbit.camera().eye).distance(DVec3::from(orbit.camera().target));
        let before = away(&orbit);
        orbit.turn([0.7, 5.0]);
        assert!((away(&orbit) - before).abs() < 1e-9);
        let eye = orbit.camera().eye;
        assert!(eye[1] > HOME.target[1] + 0.99 * before, "nearly above: {eye:?}");
        // A drag to the right brings what was on the left into view: the eye goes to the left.
        let mut orbit = Orbit::new(Camera { eye: [0.0, 0.0, 5.0], target: [0.0; 3], field_of_view: 30.0 }, 1.6);
        orbit.turn([0.1, 0.0]);
        assert!(orbit.camera().eye[0] < -0.1, "{:?}", orbit.camera().eye);
    }

    #[test]
    fn panning_moves_what_is_at_the_target_with_the_mouse() {
        let mut orbit = Orbit::new(HOME, 1.6);
        let (before, drag) = (orbit.camera().target, [0.2, -0.1]);
        orbit.pan(drag);
        // Where is the old target now? A fifth of the height right of the middle, a tenth above it.
        let camera = orbit.camera();
        let way = camera.through([0.5 + 0.2, 0.5 - 0.1], 1.0);
        let away = DVec3::from(before) - DVec3::from(camera.eye);
        let forward = (DVec3::from(camera.target) - DVec3::from(camera.eye)).normalize();
        let found = DVec3::from(camera.eye) + DVec3::from(way) * away.dot(forward);
        assert!(found.distance(DVec3::from(before)) < 1e-5, "{found} {before:?}");
    }

    #[test]
    fn a_narrow_window_shows_as_much_across_as_the_first_camera_did() {
        let mut orbit = Orbit::new(HOME, 1.6);
        let across = |orbit: &Orbit, aspect: f64| (0.5 * orbit.camera().field_of_view.to_radians()).tan() * aspect;
        let wanted = across(&orbit, 1.6);
        orbit.fit(0.8);
        assert!((across(&orbit, 0.8) - wanted).abs() < 1e-9);
        orbit.reset();
        assert!((across(&orbit, 0.8) - wanted).abs() < 1e-9, "the window is as narrow as before");
        orbit.fit(3.0);
        assert!((orbit.camera().field_of_view - HOME.field_of_view).abs() < 1e-9, "a wide one shows as much up");
    }

    #[test]
    fn zooming_has_ends() {
        let mut orbit = Orbit::new(HOME, 1.6);
        let first = DVec3::from(HOME.eye).distance(DVec3::from(HOME.target));
        orbit.zoom(1e4);
        let near = DVec3::from(orbit.camera().eye).distance(DVec3::from(HOME.target));
        assert!((near - NEAREST * first).abs() < 1e-9);
        orbit.zoom(-1e4);
        let far = DVec3::from(orbit.camera().eye).distance(DVec3::from(HOME.target));
        assert!((far - FURTHEST * first).abs() < 1e-6);
    }

    #[test]
    fn a_drag_stays_in_the_plane_that_faces_the_camera() {
        let camera = Camera { eye: [0.0, 0.0, 5.0], target: [0.0; 3], field_of_view: 40.0 };
        let through = [0.3, 0.2, 1.0];
        let middle = on_facing_plane(&camera, [0.5, 0.5], 1.5, through).expect("in front");
        assert!(close(middle, [0.0, 0.0, 1.0]), "{middle:?}");
        let right = on_facing_plane(&camera, [0.8, 0.5], 1.5, through).expect("in front");
        assert!(right[0] > 0.5 && (right[2] - 1.0).abs() < 1e-9, "{right:?}");
        assert_eq!(on_facing_plane(&camera, [0.5, 0.5], 1.5, [0.0, 0.0, 9.0]), None, "behind the eye");
    }

    #[test]
    fn a_line_meets_a_level_in_front_of_the_eye_only() {
        let camera = Camera { eye: [0.0, 2.0, 4.0], target: [0.0, 0.0, 0.0], field_of_view: 40.0 };
        let point = on_level(&camera, [0.5, 0.5], 1.5, 1.0, 100.0).expect("it looks down");
        assert!((point[1] - 1.0).abs() < 1e-9 && (point[2] - 2.0).abs() < 1e-6, "{point:?}");
        assert_eq!(on_level(&camera, [0.5, 0.5], 1.5, 3.0, 100.0), None, "above the eye, which looks down");
        assert_eq!(on_level(&camera, [0.5, 0.5], 1.5, 1.0, 1.0), None, "too far");
    }
}
