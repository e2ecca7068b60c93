//! Distances, and what is no solid.

use thalweg_compute::parity::Rng;

use crate::{Obstacle, ObstacleError};

fn point(rng: &mut Rng, low: [f32; 3], high: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| rng.range(low[axis], high[axis]))
}

/// The nearest of many points of a surface, by brute force.
fn nearest(surface: &[[f32; 3]], p: [f32; 3]) -> f32 {
    let squared = |q: &[f32; 3]| (0..3).map(|axis| (p[axis] - q[axis]).powi(2)).sum::<f32>();
    surface.iter().map(squared).fold(f32::INFINITY, f32::min).sqrt()
}

/// Points on a cone with flat ends around a vertical axis from the origin.
fn cone_surface(height: f32, radii: [f32; 2], steps: usize) -> Vec<[f32; 3]> {
    let mut points = Vec::new();
    for turn in 0..2 * steps {
        let angle = turn as f32 / (2 * steps) as f32 * std::f32::consts::TAU;
        for step in 0..=steps {
            let share = step as f32 / steps as f32;
            let radius = radii[0] + (radii[1] - radii[0]) * share;
            for (r, y) in [(radius, share * height), (radii[0] * share, 0.0), (radii[1] * share, height)] {
                points.push([r * angle.cos(), y, r * angle.sin()]);
            }
        }
    }
    points
}

#[test]
fn distances_are_those_of_closed_forms() {
    let mut rng = Rng::new(1);
    for _ in 0..2000 {
        let p = point(&mut rng, [-9.0; 3], [9.0; 3]);
        let length = |v: [f32; 3]| v.iter().map(|v| v * v).sum::<f32>().sqrt();
        let close = |shape: &str, found: f32, expected: f32| {
            assert!((found - expected).abs() < 2e-5, "{shape} at {p:?}: {found} and {expected}");
        };
        let sphere = Obstacle::Sphere { centre: [1.0, -2.0, 0.5], radius: 3.0 };
        close("sphere", sphere.distance(p), length([p[0] - 1.0, p[1] + 2.0, p[2] - 0.5]) - 3.0);
        let half = [2.0, 3.0, 4.0];
        let depth = (0..3).map(|axis| p[axis].abs() - half[axis]).fold(f32::NEG_INFINITY, f32::max);
        let outside = length([0, 1, 2].map(|axis| p[axis] - p[axis].clamp(-half[axis], half[axis])));
        let expected = if depth < 0.0 { depth } else { outside };
        close("box", Obstacle::Box { centre: [0.0; 3], half }.distance(p), expected);
        // Around the y axis.
        let away = p[0].hypot(p[2]);
        let ends = [[0.0, -2.0, 0.0], [0.0, 4.0, 0.0]];
        let expected = away.hypot(p[1] - p[1].clamp(-2.0, 4.0)) - 1.5;
        close("capsule", Obstacle::Capsule { ends, radius: 1.5 }.distance(p), expected);
        let (side, end) = (away - 2.5, (p[1] - 1.0).abs() - 3.0);
        let expected = side.max(end).min(0.0) + side.max(0.0).hypot(end.max(0.0));
        close("cylinder", Obstacle::Cylinder { ends, radius: 2.5 }.distance(p), expected);
    }
}

#[test]
fn distances_to_cones_are_those_to_their_points() {
    let mut rng = Rng::new(2);
    for radii in [[5.0, 2.0], [1.0, 6.0], [4.0, 0.0]] {
        let height = 4.0;
        let surface = cone_surface(height, radii, 300);
        let cone = Obstacle::Cone { ends: [[0.0; 3], [0.0, height, 0.0]], radii };
        for _ in 0..100 {
            let p = point(&mut rng, [-8.0, -4.0, -8.0], [8.0, 8.0, 8.0]);
            let inside =
                p[1] > 0.0 && p[1] < height && { p[0].hypot(p[2]) < radii[0] + (radii[1] - radii[0]) * p[1] / height };
            let expected = nearest(&surface, p) * if inside { -1.0 } else { 1.0 };
            let found = cone.distance(p);
            // The points are up to 0.06 apart.
            assert!((found - expected).abs() < 0.02, "{radii:?} at {p:?}: {found} and {expected}");
        }
    }
}

#[test]
fn obstacles_without_size_are_refused() {
    let (a, b) = ([0.0; 3], [0.0, 1.0, 0.0]);
    let check = |obstacle: Obstacle| obstacle.checked().err();
    assert_eq!(check(Obstacle::Sphere { centre: a, radius: 0.0 }), Some(ObstacleError::Size));
    assert_eq!(check(Obstacle::Sphere { centre: a, radius: f32::NAN }), Some(ObstacleError::NotFinite));
    assert_eq!(check(Obstacle::Box { centre: a, half: [1.0, -1.0, 1.0] }), Some(ObstacleError::Size));
    assert_eq!(check(Obstacle::Cylinder { ends: [a, a], radius: 1.0 }), Some(ObstacleError::Axis));
    assert_eq!(check(Obstacle::Cone { ends: [a, b], radii: [0.0; 2] }), Some(ObstacleError::Size));
    assert_eq!(check(Obstacle::Cone { ends: [a, b], radii: [1.0, 0.0] }), None);
    let metres = Obstacle::Capsule { ends: [a, [1.0, 2.0, 3.0]], radius: 0.5 };
    assert_eq!(metres.in_cells(0.25), Obstacle::Capsule { ends: [a, [4.0, 8.0, 12.0]], radius: 2.0 });
}
