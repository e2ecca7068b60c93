//! Volumes, distances, slopes and what both executors make of them.

use thalweg_columns::Shape;
use thalweg_columns::grid::{face_heights, is_tall};
use thalweg_columns::interpolate::SideSpan;
use thalweg_compute::parity::{Rng, test_executors};
use thalweg_model::{Motion, Spin, Travel};

use super::parity::{find, point, random_obstacle};
use thalweg_solids::Obstacle;
use thalweg_solids::packed::corners;

use super::SLIVER;
use crate::testing_heights::{Scene, random_scene};

#[test]
fn solid_cells_have_the_volume_of_their_obstacle() {
    use std::f32::consts::PI;
    let shape = Shape { nx: 40, nz: 40, regular: 38 };
    let centre = [20.3, 19.8, 20.1];
    let (below, above) = ([20.3, 11.8, 20.1], [20.3, 27.8, 20.1]);
    let tilted = [[14.0, 14.0, 16.0], [26.0, 26.0, 24.0]]; // √352 long
    let cases = [
        ("sphere", Obstacle::Sphere { centre, radius: 8.0 }, 4.0 / 3.0 * PI * 512.0),
        ("box", Obstacle::Box { centre, half: [8.0, 7.0, 9.0] }, 8.0 * 504.0),
        ("cylinder", Obstacle::Cylinder { ends: [below, above], radius: 8.0 }, 16.0 * PI * 64.0),
        ("cylinder, tilted", Obstacle::Cylinder { ends: tilted, radius: 8.0 }, 352.0f32.sqrt() * PI * 64.0),
        ("capsule", Obstacle::Capsule { ends: [below, above], radius: 8.0 }, (16.0 + 32.0 / 3.0) * PI * 64.0),
        ("cone", Obstacle::Cone { ends: [below, above], radii: [12.0, 4.0] }, 16.0 / 3.0 * PI * (144.0 + 16.0 + 48.0)),
        ("tip", Obstacle::Cone { ends: [below, above], radii: [12.0, 0.0] }, 16.0 / 3.0 * PI * 144.0),
    ];
    let scene = Scene::dry(shape, |_, _| 0.0);
    for exec in test_executors() {
        for (name, obstacle, volume) in &cases {
            let found = find(exec, &scene, &[obstacle.clone().checked().unwrap()]);
            let sum: f64 = found.solid.iter().map(|s| f64::from(*s)).sum();
            let error = sum / f64::from(*volume) - 1.0;
            println!("{}: volume of a {name} {:+.2} %", exec.describe(), 100.0 * error);
            assert!(error.abs() < 0.02, "{name}: {sum} of {volume}");
        }
    }
}

#[test]
fn bounding_boxes_hold_their_obstacles() {
    let scene = Scene::dry(Shape { nx: 12, nz: 9, regular: 20 }, |_, _| 3.5);
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let obstacle = random_obstacle(&mut rng, &scene);
        let [low, high] = corners(&obstacle.placed(0.0).pack(0, 1.0)).map(|corner| corner);
        let mut inside = [[f32::MAX; 3], [f32::MIN; 3]];
        for _ in 0..20_000 {
            let p = point(&mut rng, low.map(|v| v - 1.0), high.map(|v| v + 1.0));
            if obstacle.distance(p) < 0.0 {
                assert!((0..3).all(|axis| p[axis] > low[axis] - 1e-4 && p[axis] < high[axis] + 1e-4), "{obstacle:?}");
                inside = [[0, 1, 2].map(|a| inside[0][a].min(p[a])), [0, 1, 2].map(|a| inside[1][a].max(p[a]))];
            }
        }
        if let Obstacle::Sphere { radius, .. } = obstacle {
            assert!((0..3).all(|axis| inside[0][axis] - low[axis] < 0.3 * radius));
        }
    }
}

#[test]
fn a_slope_has_the_volume_under_it() {
    let shape = Shape { nx: 31, nz: 17, regular: 12 };
    let plane = |x: f32, z: f32| 2.3 + 0.37 * x - 0.11 * z;
    let scene = Scene::dry(shape, |i, k| plane(i as f32 + 0.5, k as f32 + 0.5));
    for exec in test_executors() {
        let found = find(exec, &scene, &[]);
        let below: i32 = scene.heights.iter().map(|h| h[0]).sum();
        let sum = f64::from(below) + found.solid.iter().map(|s| f64::from(*s)).sum::<f64>();
        let volume = f64::from(31.0 * 17.0 * plane(15.5, 8.5));
        assert!((sum / volume - 1.0).abs() < 1e-5, "{sum} {volume}");
        // Side faces: from the plane at their own place up to the top that both columns reach.
        let n = shape.samples();
        for (column, h) in scene.heights.iter().enumerate() {
            let (i, k) = (column % 31, column / 31);
            // A run of one face is stored twice.
            let single = i > 0 && h[1].min(scene.heights[column - 1][1]) - h[0].max(scene.heights[column - 1][0]) == 1;
            let line: f32 = found.open[column * n..][..n].iter().skip(usize::from(single)).sum();
            let expected = if i == 0 {
                0.0
            } else {
                let before = scene.heights[column - 1];
                let ground = plane(i as f32, k as f32 + 0.5).max(h[0].max(before[0]) as f32);
                let exact = h[1].min(before[1]) as f32 + 12.0 - ground;
                // The lowest face is closed if it is a sliver.
                if exact.fract() < SLIVER { exact.floor() } else { exact }
            };
            assert!((line - expected).abs() < 1e-4, "column {column}: {line} {expected}");
            assert!(found.open[shape.len() + column * n..][..n].iter().all(|open| *open == 1.0));
        }
        assert!(found.ceiling.iter().all(|t| *t == i32::MAX));
    }
}

/// Tall cells hold no solid; a run is closed by what closes its lowest face, and stays within 0 and 1.
#[test]
fn runs_have_the_open_area_of_their_faces() {
    let mut runs = 0;
    for exec in test_executors() {
        for seed in 0..32 {
            let scene = random_scene(&mut Rng::new(seed), seed);
            let found = find(exec, &scene, &[]);
            let (n, nx) = (scene.shape.samples(), scene.shape.nx);
            assert!(found.solid.iter().chain(&found.open).all(|v| (0.0..=1.0).contains(v)));
            for (column, h) in scene.heights.iter().enumerate() {
                assert!(!is_tall(*h) || found.solid[column * n..][..2] == [0.0; 2]);
                for (plane, step) in [(0, 1), (2, nx)] {
                    let line = &found.open[plane * scene.shape.len() + column * n..][..n];
                    if (plane == 0 && column % nx == 0) || column < step {
                        assert!(line.iter().all(|open| *open == 0.0));
                        continue;
                    }
                    let span = SideSpan::new(scene.heights[column - step], *h, n);
                    let run = face_heights(scene.heights[column - step], *h);
                    let ground = 0.5 * (scene.terrain[column - step] + scene.terrain[column]);
                    let count = run[1] - run[0];
                    let open = |y: i32| {
                        let open = 1.0 - (ground - y as f32).clamp(0.0, 1.0);
                        let is_line = (run[0]..run[1]).contains(&y) && count > 2;
                        if open < SLIVER && !is_line { 0.0 } else { open }
                    };
                    for (sample, value) in line.iter().enumerate() {
                        let expected = if span.has(sample) { open(span.cell_of(sample)) } else { 0.0 };
                        assert!(sample < 2 || (value - expected).abs() < 1e-6);
                    }
                    if count > 0 {
                        let sum: f32 = (run[0]..run[1]).map(open).sum();
                        let found = 0.5 * count as f32 * (line[0] + line[1]);
                        assert!((found - sum).abs() < 1e-4, "{count} faces: {found} and {sum}");
                        runs += usize::from(count > 2);
                    }
                }
            }
        }
    }
    assert!(runs > 1000, "{runs}");
}

#[test]
fn tall_cells_end_below_obstacles() {
    let scene = Scene::dry(Shape { nx: 20, nz: 20, regular: 30 }, |_, _| 0.0);
    for exec in test_executors() {
        let high = Obstacle::Sphere { centre: [6.0, 20.5, 7.0], radius: 3.25 };
        let low = Obstacle::Box { centre: [7.0, 12.0, 9.0], half: [1.0, 2.0, 1.0] };
        let found = find(exec, &scene, &[high, low]);
        let ceiling = |i: usize, k: usize| found.ceiling[i + 20 * k];
        assert_eq!(ceiling(6, 7), 8, "the lower one counts");
        assert_eq!(ceiling(3, 6), 15);
        assert_eq!([ceiling(12, 12), ceiling(0, 7), ceiling(6, 1)], [i32::MAX; 3]);
        // Every cell and face that an obstacle touches lies over a column that knows of it.
        let n = scene.shape.samples();
        for (at, solid) in found.solid.iter().enumerate() {
            assert!(*solid == 0.0 || found.ceiling[at / n] < at as i32 % n as i32);
        }
        for (at, open) in found.open.iter().enumerate().filter(|(_, open)| **open < 1.0) {
            let (plane, column) = (at / scene.shape.len(), at % scene.shape.len() / n);
            let step = [1, 0, 20][plane];
            let side = (plane == 0 && column % 20 == 0) || column < step;
            assert!(
                side || (found.ceiling[column] < i32::MAX && found.ceiling[column - step] < i32::MAX),
                "{at} {open}"
            );
        }
    }
}

/// The velocity of a turning box is that of its points, on the faces that it covers and nowhere else.
#[test]
fn faces_have_the_velocity_of_what_covers_them() {
    let scene = Scene::dry(Shape { nx: 20, nz: 20, regular: 30 }, |_, _| 0.0);
    let shape = Box::new(Obstacle::Box { centre: [10.0, 12.0, 9.0], half: [4.0, 3.0, 2.0] });
    let travel = Travel::Constant { velocity: [1.0, -2.0, 0.5] };
    let spin = Some(Spin { axis: [0.0, 3.0, 0.0], rate: 0.8, pivot: None });
    let solid = Obstacle::Moving { shape, motion: Motion { travel, spin } };
    let (len, n) = (scene.shape.len(), scene.shape.samples());
    for exec in test_executors() {
        let found = find(exec, &scene, std::slice::from_ref(&solid));
        let mut covered = 0;
        for at in 0..3 * len {
            let (plane, column, sample) = (at / len, at % len / n, at % n);
            let (i, k) = (column % 20, column / 20);
            let is_side = (plane == 0 && i == 0) || (plane == 2 && k == 0);
            if is_side || (plane == 1 && sample == 0) {
                assert_eq!(found.velocity[at], 0.0, "sides and tops are no obstacle");
                continue;
            }
            let mut point = [i as f32 + 0.5, sample as f32 + 0.5, k as f32 + 0.5];
            point[plane] -= 0.5;
            // At 0.7 s, in cells of half a metre; y does not turn.
            let arm = [point[0] - 10.7, point[2] - 9.35];
            let velocity = [0.5 + 0.4 * arm[1], -1.0, 0.25 - 0.4 * arm[0]][plane];
            let is_covered = solid.distance_at(0.7, point) < 0.499;
            let expected = if is_covered { velocity } else { 0.0 };
            if is_covered || solid.distance_at(0.7, point) > 0.501 {
                assert!((found.velocity[at] - expected).abs() < 1e-4, "{point:?}: {} {expected}", found.velocity[at]);
                covered += u32::from(is_covered);
            }
        }
        assert!(covered > 500, "{covered} faces");
    }
}
