//! Reductions against direct sums over every decoded cell and face.

use thalweg_columns::Shape;
use thalweg_columns::grid::{has_cell, is_tall, world_cell};
use thalweg_columns::interpolate::{SideSpan, cell_at};
use thalweg_compute::parity::{Rng, test_executors};

use super::Statistics;
use super::parity::{Input, random_input, reduce_words};
use crate::testing_heights::Scene;

/// One cell and one face after the other, in f64.
fn direct(input: &Input) -> Statistics {
    let Input { scene, solid, open, faces, inner } = input;
    let Shape { nx, .. } = scene.shape;
    let (n, len) = (scene.shape.samples(), scene.shape.len());
    let finite = |v: f32| v.is_finite();
    let phi = |column: usize, y: i32| cell_at(&scene.phi[column * n..][..n], scene.heights[column], y);
    let is_wet = |column: usize, y: i32| phi(column, y) < 0.0;
    let mut found = Statistics { volume: 0.0, speed: 0.0, highest: None, wet_cells: 0, not_finite: 0, energy: 0.0 };
    found.not_finite += scene.phi.iter().filter(|v| !v.is_finite()).count() as u32;
    for (column, h) in scene.heights.iter().enumerate() {
        for y in h[0]..h[1] + n as i32 - 2 {
            assert!(has_cell(*h, n, y));
            let share = match (0..n).find(|s| !(is_tall(*h) && *s < 2) && world_cell(*h, *s) == y) {
                Some(sample) => solid[column * n + sample],
                None if y == h[0] => (scene.terrain[column] - h[0] as f32).clamp(0.0, 1.0),
                None => 0.0,
            };
            if finite(phi(column, y)) {
                let water = (0.5 - f64::from(phi(column, y))).clamp(0.0, 1.0) - f64::from(share);
                found.volume += water.max(0.0);
                if is_wet(column, y) && share < 1.0 {
                    found.wet_cells += 1;
                    found.highest = found.highest.max(Some(y));
                }
            }
        }
        let mut add = |open: f64, u: f64, wet: bool| {
            if u.is_finite() && wet {
                found.energy += 0.5 * open * u * u;
            }
        };
        // A run of faces: lines of open fractions and velocities.
        let line = |ends: [f32; 2], count: i32, m: i32| {
            let [low, high] = ends.map(f64::from);
            if count == 1 { high } else { low + (high - low) * f64::from(m) / f64::from(count - 1) }
        };
        let mut speeds = Vec::new();
        let up = len + column * n;
        let touches = |y: i32| is_wet(column, y - 1) || is_wet(column, y);
        let top = h[1] + n as i32 - 3;
        speeds.push((faces[up], is_wet(column, top)));
        speeds.extend((1..n).map(|sample| (faces[up + sample], touches(world_cell(*h, sample)))));
        let count = h[1] - h[0] - 1;
        for m in 0..count {
            let y = h[0] + 1 + m;
            let u = line([inner[column], faces[up + 1]], count, m);
            add(f64::from(open[up + 1]), u, is_wet(column, y - 1) && is_wet(column, y));
        }
        if is_tall(*h) {
            speeds.push((inner[column], touches(h[0] + 1)));
        }
        for sample in 2..n {
            let y = world_cell(*h, sample);
            let wet = is_wet(column, y - 1) && is_wet(column, y);
            add(f64::from(open[up + sample]), f64::from(faces[up + sample]), wet);
        }
        for (plane, step) in [(0, 1), (2, nx)] {
            if (plane == 0 && column % nx == 0) || column < step {
                continue;
            }
            let (at, other) = (plane * len + column * n, column - step);
            let span = SideSpan::new(scene.heights[other], *h, n);
            let count = span.run[1] - span.run[0];
            for m in 0..count {
                let y = span.run[0] + m;
                let [a, u] = [&open, &faces].map(|list| line([list[at], list[at + 1]], count, m));
                add(a, u, is_wet(other, y) && is_wet(column, y));
            }
            for sample in (0..n).filter(|sample| span.has(*sample)) {
                let y = span.cell_of(sample);
                speeds.push((faces[at + sample], is_wet(other, y) || is_wet(column, y)));
                let wet = sample > 1 && is_wet(other, y) && is_wet(column, y);
                add(f64::from(open[at + sample]), f64::from(faces[at + sample]), wet);
            }
        }
        for (u, touches_water) in speeds {
            found.not_finite += u32::from(!u.is_finite());
            found.speed = if u.is_finite() && touches_water { found.speed.max(u.abs()) } else { found.speed };
        }
    }
    found
}

fn assert_close(name: &str, found: Statistics, expected: Statistics) {
    let close = |a: f64, b: f64| (a - b).abs() <= 3e-6 * b.abs() + 1e-5;
    assert!(close(found.volume, expected.volume), "{name}: volume {} of {}", found.volume, expected.volume);
    assert!(close(found.energy, expected.energy), "{name}: energy {} of {}", found.energy, expected.energy);
    let exact = |s: Statistics| (s.speed, s.highest, s.wet_cells, s.not_finite);
    assert_eq!(exact(found), exact(expected), "{name}");
}

#[test]
fn sums_agree_with_double_precision() {
    let mut dry = 0;
    for exec in test_executors() {
        for seed in 0..64 {
            let input = random_input(&mut Rng::new(seed), seed);
            let expected = direct(&input);
            let found = Statistics::unpack(&reduce_words(exec, &input));
            assert_close(&format!("{} seed {seed}", exec.describe()), found, expected);
            dry += usize::from(expected.highest.is_none());
        }
    }
    assert!(dry > 0, "some scenes must be dry");
}

#[test]
fn broken_values_are_counted_and_left_out() {
    for exec in test_executors() {
        for seed in 0..16 {
            let rng = &mut Rng::new(seed);
            let mut input = random_input(rng, seed);
            for _ in 0..3 {
                let broken = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY][rng.below(3) as usize];
                let n = input.scene.shape.samples();
                // Cells of their own: inside of a tall line an infinity would make others.
                let at = rng.below(input.scene.phi.len() as u32) as usize;
                if at % n > 1 {
                    input.scene.phi[at] = broken;
                }
                let at = rng.below(input.faces.len() as u32) as usize;
                input.faces[at] = broken;
                let at = rng.below(input.inner.len() as u32) as usize;
                input.inner[at] = broken;
            }
            let expected = direct(&input);
            let found = Statistics::unpack(&reduce_words(exec, &input));
            assert_close(&format!("{} seed {seed}", exec.describe()), found, expected);
        }
    }
}

/// More samples than 1024 workgroups hold: every invocation counts several.
#[test]
fn large_lakes_are_counted_to_the_cell() {
    let shape = Shape { nx: 211, nz: 97, regular: 14 };
    let scene = Scene::dry(shape, |_, _| 0.25).with_tops(|i, _| 600 + (i % 3) as i32).with_surface(|_, _| 609.75);
    let len = shape.len();
    let mut open = vec![1.0; 3 * len];
    open[shape.samples()] = 0.5;
    let still = vec![0.0; shape.columns()];
    let input = Input { scene, solid: vec![0.0; len], open, faces: vec![0.0; 3 * len], inner: still };
    for exec in test_executors() {
        let first = reduce_words(exec, &input);
        let found = Statistics::unpack(&first);
        let volume = 609.5 * (211 * 97) as f64;
        assert!((found.volume - volume).abs() < 1e-2, "{} of {volume}", found.volume);
        assert_eq!((found.wet_cells, found.highest, found.energy), (610 * 211 * 97, Some(609), 0.0));
        assert!(first == reduce_words(exec, &input), "the same bits each time");
    }
}
