//! Distances against closed forms, a surface that stays where it is, and both executors against each other.

use thalweg_columns::Shape;
use thalweg_columns::grid::is_tall;
use thalweg_compute::parity::{Rng, test_executors};

use super::BAND;
use super::parity::{clamped, reinitialised};
use crate::testing::{Scene, random_scene};

/// Mean and largest error of distances where the true one is below `reach` cells.
fn errors(got: &[f32], exact: &[f32], reach: f32) -> (f32, f32) {
    let near = got.iter().zip(exact).filter(|(_, exact)| exact.abs() < reach).map(|(got, exact)| (got - exact).abs());
    let all: Vec<f32> = near.collect();
    (all.iter().sum::<f32>() / all.len() as f32, all.iter().fold(0.0, |a, b| a.max(*b)))
}

fn same_signs(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (*a < 0.0) == (*b < 0.0))
}

/// Flat water is at its distance to rounding, in single cells and above tall ones, whatever the slope was.
#[test]
fn flat_water_is_exact() {
    let shape = Shape { nx: 9, nz: 5, regular: 14 };
    let heights = (0..shape.columns()).map(|c| [0, [2, 4, 3][c % 3]]).collect();
    let exact = |y: f32| (y - 9.35).clamp(-BAND, BAND);
    let scene = Scene::new(shape, heights, |[_, y, _]| 1.7 * (y - 9.35));
    let expected: Vec<f32> = scene.phi.iter().map(|phi| exact(phi / 1.7 + 9.35)).collect();
    for exec in test_executors() {
        let got = reinitialised(exec, &scene, 1);
        let (_, worst) = errors(&got, &expected, 10.0);
        assert!(worst < 1e-5, "{}: {worst}", exec.describe());
    }
}

/// First order: errors in cells stay where they are as cells shrink.
#[test]
fn spheres_are_at_their_distance() {
    for exec in test_executors() {
        for radius in [6.0_f32, 12.0] {
            let size = 2 * radius as usize + 13;
            let middle = size as f32 / 2.0 - 0.37;
            let distance = |[x, y, z]: [f32; 3]| {
                ((x - middle).powi(2) + (y - middle).powi(2) + (z - middle).powi(2)).sqrt() - radius
            };
            let scene = Scene::uniform([size; 3], distance);
            let got = reinitialised(exec, &scene, 1);
            let (near, worst_near) = errors(&got, &scene.phi, 1.0);
            let (mean, worst) = errors(&got, &scene.phi, 3.0);
            println!(
                "{}: sphere of {radius}: errors {near:.3} (at most {worst_near:.3}) next to the surface, \
                 {mean:.3} (at most {worst:.3}) in 3 cells",
                exec.describe()
            );
            assert!(worst_near < 0.15 && near < 0.02 && mean < 0.1 && worst < 0.4);
            assert!(same_signs(&got, &scene.phi));
        }
    }
}

/// A plane at any angle.
#[test]
fn slopes_are_at_their_distance() {
    let normal = [0.48_f32, 0.8, 0.36];
    let along = |p: [f32; 3]| p.iter().zip(normal).map(|(a, b)| (a - 9.7) * b).sum::<f32>();
    let scene = Scene::uniform([20; 3], |p| 1.4 * along(p));
    let exact: Vec<f32> = scene.phi.iter().map(|phi| phi / 1.4).collect();
    for exec in test_executors() {
        let (mean, worst) = errors(&reinitialised(exec, &scene, 1), &exact, 3.0);
        println!("{}: plane: errors {mean:.3}, at most {worst:.3}", exec.describe());
        assert!(mean < 0.03 && worst < 0.6); // the worst is at the sides, where neighbours are missing
    }
}

/// A circle of water, radius 15 cells.
const RADIUS: f32 = 15.0;

fn circle(factor: impl Fn(f32, f32) -> f32) -> Scene {
    Scene::uniform([43, 43, 1], |[x, y, _]| {
        let (x, y) = (x - 21.3, y - 20.8);
        ((x * x + y * y).sqrt() - RADIUS) * factor(x, y)
    })
}

/// Cells that are water, parts counted.
fn area(phi: &[f32]) -> f64 {
    phi.iter().map(|phi| f64::from((0.5 - phi).clamp(0.0, 1.0))).sum()
}

/// Slopes between a half and two, along the circle and across it.
fn distorted_circle() -> Scene {
    circle(|x, y| 2.0_f32.powf((0.21 * x + 0.4).sin() * (0.17 * y).cos()))
}

/// A tilted sheet of water, so many cells thick.
fn sheet(thickness: f32, angle: f32) -> Scene {
    let (sin, cos) = angle.to_radians().sin_cos();
    Scene::uniform([43, 43, 1], |[x, y, _]| {
        let (x, y) = (x - 21.3, y - 20.8);
        let across = (sin * x + cos * y).abs() - 0.5 * thickness;
        across.max((cos * x - sin * y).abs() - 12.0)
    })
}

#[test]
fn thin_sheets_stay_as_thick_as_they_are() {
    for exec in test_executors() {
        for thickness in [0.8, 1.2, 1.6, 2.0, 3.0] {
            for angle in [0.0, 15.0, 30.0, 45.0] {
                let scene = sheet(thickness, angle);
                let after = reinitialised(exec, &scene, 30);
                let drift = area(&after) / area(&scene.phi) - 1.0;
                println!("{}: {thickness} cells at {angle}°: {:+.2} %", exec.describe(), 100.0 * drift);
                // Volumes of sheets that are thinner than a cell are rough themselves.
                assert!(drift.abs() < if thickness < 2.0 { 0.2 } else { 0.08 });
            }
        }
    }
}

#[test]
fn a_hundred_reinitialisations_keep_the_area() {
    let exact = area(&circle(|_, _| 1.0).phi);
    for exec in test_executors() {
        for (name, scene) in [("circle", circle(|_, _| 1.0)), ("distorted circle", distorted_circle())] {
            let after = reinitialised(exec, &scene, 100);
            let drift = area(&after) / exact - 1.0;
            println!("{}: area of the {name} changes by {:.3} %", exec.describe(), 100.0 * drift);
            assert!(drift.abs() < 0.001, "{} {name}: {drift}", exec.describe());
            assert!(same_signs(&after, &scene.phi));
        }
    }
}

/// Where the level set changes sign between neighbours in a slice, as the distance of those points from the circle.
fn displacements(phi: &[f32], shape: Shape) -> Vec<f32> {
    let n = shape.samples();
    let point = |at: usize| [(at / n) as f32 - 21.3, (at % n) as f32 - 20.8];
    let mut found = Vec::new();
    for at in 0..phi.len() {
        let up = (at % n + 1 < n).then_some(at + 1);
        let right = (at + n < phi.len()).then_some(at + n);
        for next in [up, right].into_iter().flatten().filter(|next| (phi[at] < 0.0) != (phi[*next] < 0.0)) {
            let theta = phi[at] / (phi[at] - phi[next]);
            let [a, b] = [point(at), point(next)];
            let [x, y] = [0, 1].map(|axis| a[axis] + theta * (b[axis] - a[axis]));
            found.push(((x * x + y * y).sqrt() - RADIUS).abs());
        }
    }
    found
}

#[test]
fn distorted_level_sets_keep_their_surface() {
    let scene = distorted_circle();
    for exec in test_executors() {
        let after = reinitialised(exec, &scene, 1);
        let moved = displacements(&after, scene.shape);
        let mean = moved.iter().sum::<f32>() / moved.len() as f32;
        let worst = moved.iter().fold(0.0_f32, |a, b| a.max(*b));
        println!("{}: the surface moves by {mean:.4} cells, at most {worst:.4}", exec.describe());
        assert!(moved.len() > 100 && mean < 0.02 && worst < 0.1);
        assert!(same_signs(&after, &scene.phi));
    }
}

#[test]
fn signs_and_bounds_hold_in_random_scenes() {
    for exec in test_executors() {
        for seed in 0..24 {
            let scene = random_scene(&mut Rng::new(seed), seed);
            for got in [reinitialised(exec, &scene, 3), clamped(exec, &scene)] {
                assert!(got.iter().all(|phi| phi.abs() <= BAND), "{} seed {seed}", exec.describe());
                assert!(same_signs(&got, &scene.phi), "{} seed {seed}", exec.describe());
            }
        }
    }
}

/// Ends of tall cells deep in the water are as deep as can be; nothing comes through a closed wall.
#[test]
fn tall_cells_and_walls() {
    let shape = Shape { nx: 8, nz: 1, regular: 12 };
    let mut scene = Scene::new(shape, vec![[0, 9]; 8], |[i, y, _]| y - if i < 4.0 { 15.0 } else { 19.5 });
    scene.close_x(4);
    for exec in test_executors() {
        let got = reinitialised(exec, &scene, 1);
        for (column, line) in got.chunks(shape.samples()).enumerate() {
            assert!(is_tall(scene.heights[column]) && line[0] == -BAND && line[1] == -BAND);
            let surface = if column < 4 { 15.0 } else { 19.5 };
            for (sample, phi) in line.iter().enumerate().skip(2) {
                let exact = ((7 + sample) as f32 - surface).clamp(-BAND, BAND);
                assert!((phi - exact).abs() < 1e-5, "{} column {column} sample {sample}", exec.describe());
            }
        }
    }
}

/// A cell edge next to the surface, five elsewhere.
#[test]
fn level_sets_are_clamped() {
    let scene = Scene::uniform([3, 9, 3], |[_, y, _]| 3.0 * (y - 3.5));
    for exec in test_executors() {
        let got = clamped(exec, &scene);
        let column = &got[4 * scene.shape.samples()..][..5];
        assert_eq!(column, [-5.0, -5.0, -4.5, -1.0, 1.0], "{}", exec.describe());
    }
}
