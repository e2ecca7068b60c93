use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{edge_faces, step};
use super::*;
use crate::clock::word;
use crate::testing::{Case, SIZES, case, volume};

#[test]
fn a_step_books_every_drop() {
    for exec in test_executors() {
        for (seed, size) in SIZES.into_iter().enumerate() {
            for second in [false, true] {
                let c = case(&mut Rng::new(seed as u64), size, 0.9);
                let (next, edges, _) = step(exec, &c, second, &vec![0.0; edge_faces(&c)]).unwrap();
                assert!(next.iter().all(|&x| x.is_finite()), "{size:?}: every cell is written");
                let cells = c.bed.len();
                assert!((0..cells).all(|at| depth_of(&next, &c, at) >= 0.0), "{size:?}: a negative depth");
                let area = f64::from(c.params.cell).powi(2);
                let rain = f64::from(c.clock[word::DT] * c.clock[word::RAIN_RATE]) * cells as f64;
                let entered = edges.iter().map(|&v| f64::from(v)).sum::<f64>() / area + rain;
                let gained = volume(&next[..cells], &c.bed) - volume(&c.state[..cells], &c.bed);
                // Every cell rounds its surface once, to 6e-8 of at most 1.5 m.
                let tolerance = 2e-7 * cells as f64 + 1e-6;
                assert!((gained - entered).abs() < tolerance, "{size:?} {}: {gained} {entered}", exec.describe());
            }
        }
    }
}

fn depth_of(state: &[f32], c: &Case, at: usize) -> f32 {
    crate::physics::depth(state[at], c.bed[at])
}

/// A still lake over any bed does not change by a single bit.
#[test]
fn still_water_keeps_every_bit() {
    for exec in test_executors() {
        for second in [false, true] {
            let mut c = case(&mut Rng::new(5), (131, 19), 0.9);
            c.params.set_sides(&[Edge { kind: 0, from: 0, to: 0, rest: 0.0 }; 4]);
            c.clock[word::RAIN_RATE] = 0.0;
            c.state.fill(0.0);
            for (s, z) in c.state.iter_mut().zip(&c.bed) {
                *s = if *z < 0.0 { 0.0 } else { z.min(0.0) }; // level with the datum, or dry land
            }
            let (next, ..) = step(exec, &c, second, &vec![0.0; edge_faces(&c)]).unwrap();
            let worst = next.iter().zip(&c.state).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert_eq!(worst, 0.0, "second order {second}, {}", exec.describe());
        }
    }
}
