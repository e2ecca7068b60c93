//! Where one looks from.

use glam::{DVec3, Vec3};

/// A camera in world coordinates, m; y is up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it is.
    pub eye: [f64; 3],
    /// The point in the middle of the picture.
    pub target: [f64; 3],
    /// Angle between the upper and the lower edge of the picture, degrees.
    pub field_of_view: f64,
}

/// Directions of a camera: a pixel looks along `forward + x * right + y * up` with x and y from −1 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    pub(crate) forward: Vec3,
}

impl Camera {
    /// Looks at a box from a direction, from as near as shows all of it in a picture of this width over height.
    ///
    /// `azimuth` is counted from the side of large z towards large x, `elevation` from the horizon, both in degrees.
    #[must_use]
    pub fn around(
        low: [f64; 3],
        high: [f64; 3],
        [azimuth, elevation]: [f64; 2],
        field_of_view: f64,
        aspect: f64,
    ) -> Self {
        let (low, high) = (DVec3::from(low), DVec3::from(high));
        let target = 0.5 * (low + high);
        let (azimuth, elevation) = (azimuth.to_radians(), elevation.to_radians());
        let back = DVec3::new(
            libm::sin(azimuth) * libm::cos(elevation),
            libm::sin(elevation),
            libm::cos(azimuth) * libm::cos(elevation),
        )
        .normalize();
        let (right, up) = across(-back);
        let half = libm::tan(0.5 * field_of_view.to_radians());
        // Every corner has a distance of the eye at which it lies at the edge of the picture; the largest shows them
        // all.
        let corners = (0..8).map(|c| {
            let pick = |axis: usize| if c >> axis & 1 == 0 { low[axis] } else { high[axis] };
            DVec3::new(pick(0), pick(1), pick(2)) - target
        });
        let needed = |q: DVec3| q.dot(back) + (q.dot(up).abs() / half).max(q.dot(right).abs() / (half * aspect));
        let distance = MARGIN * corners.map(needed).fold(0.0, f64::max);
        Self { eye: (target + back * distance).to_array(), target: target.to_array(), field_of_view }
    }

    /// From the eye through a place of a picture of this width over height: `[0, 0]` is its upper left corner, `[1, 1]`
    /// its lower right one. The vector has length 1 along the axis of the camera, as distances in pictures are counted.
    #[must_use]
    pub fn through(&self, [x, y]: [f64; 2], aspect: f64) -> [f64; 3] {
        let Frame { right, up, forward } = self.frame(aspect);
        let way = forward.as_dvec3() + right.as_dvec3() * (2.0 * x - 1.0) + up.as_dvec3() * (1.0 - 2.0 * y);
        way.to_array()
    }

    /// Directions for a picture of this width over height.
    pub(crate) fn frame(&self, aspect: f64) -> Frame {
        let forward = (DVec3::from(self.target) - DVec3::from(self.eye)).normalize_or(DVec3::NEG_Z);
        let (right, up) = across(forward);
        let half = libm::tan(0.5 * self.field_of_view.to_radians());
        Frame { right: (right * half * aspect).as_vec3(), up: (up * half).as_vec3(), forward: forward.as_vec3() }
    }
}

/// Room around what is shown.
const MARGIN: f64 = 1.04;

/// Unit vectors to the right and up in the picture; a camera that looks straight down has x to its right.
fn across(forward: DVec3) -> (DVec3, DVec3) {
    let right = forward.cross(DVec3::Y).try_normalize().unwrap_or(DVec3::X);
    (right, right.cross(forward))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_camera_shows_every_corner_and_no_more_than_it_must() {
        let (low, high) = ([1.0, -2.0, 3.0], [9.0, 1.0, 7.0]);
        for angles in [[30.0, 25.0], [0.0, 0.0], [-70.0, 80.0], [200.0, 45.0]] {
            let camera = Camera::around(low, high, angles, 30.0, 1.5);
            let frame = camera.frame(1.5);
            let mut most = 0.0_f32;
            for c in 0..8 {
                let pick = |axis: usize| if c >> axis & 1 == 0 { low[axis] } else { high[axis] };
                let q = (DVec3::new(pick(0), pick(1), pick(2)) - DVec3::from(camera.eye)).as_vec3();
                let away = q.dot(frame.forward);
                let x = q.dot(frame.right) / frame.right.length_squared() / away;
                let y = q.dot(frame.up) / frame.up.length_squared() / away;
                most = most.max(x.abs()).max(y.abs());
            }
            assert!((0.9..=1.0).contains(&most), "{angles:?}: {most}");
        }
    }

    #[test]
    fn the_middle_of_the_picture_is_the_target_and_its_corners_are_the_edges_of_the_view() {
        let camera = Camera { eye: [1.0, 2.0, 9.0], target: [1.0, 2.0, 4.0], field_of_view: 90.0 };
        let close = |found: [f64; 3], wanted: [f64; 3]| (0..3).all(|axis| (found[axis] - wanted[axis]).abs() < 1e-6);
        assert!(close(camera.through([0.5, 0.5], 2.0), [0.0, 0.0, -1.0]));
        assert!(close(camera.through([0.0, 0.0], 2.0), [-2.0, 1.0, -1.0]), "{:?}", camera.through([0.0, 0.0], 2.0));
        assert!(close(camera.through([1.0, 1.0], 2.0), [2.0, -1.0, -1.0]));
    }

    #[test]
    fn x_is_to_the_right_for_a_camera_in_front() {
        let camera = Camera::around([0.0; 3], [1.0; 3], [0.0, 10.0], 30.0, 1.0);
        assert!(camera.eye[2] > 1.0 && camera.frame(1.0).right.x > 0.0, "{camera:?}");
    }
}
