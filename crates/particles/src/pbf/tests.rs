use std::sync::Arc;

use thalweg_compute::parity::own_test_executors;

use crate::Seed;
use crate::particles::LiquidParticles;
use crate::setup::{Constraint, Options, PositionBased, Setup};

/// A free block of 8³ particles that is compressed by 7 % along each axis, without gravity and far from walls.
fn compressed(exec: Arc<thalweg_compute::Executor>, iterations: u32) -> LiquidParticles {
    let a = 0.05;
    let of = PositionBased { iterations, tension: 0.0, smoothing: 0.0, softness: 1e-6, ..PositionBased::default() };
    let options = Options { constraint: Constraint::PositionBased(of), gravity: [0.0; 3], ..Options::default() };
    let seeds = [Seed::lattice([0.8; 3], [0.8 + 8.0 * a; 3])];
    let mut water = LiquidParticles::new(exec, &Setup::new([2.0; 3], a, &seeds, &options)).expect("a block");
    let mut saved = water.snapshot().expect("saved");
    for place in &mut saved.places {
        for x in &mut place[..3] {
            *x = 1.0 + 0.93 * (*x - 1.0);
        }
    }
    water.restore(&saved).expect("restored");
    water
}

/// Mean of max(0, ρ − 1), as the last iteration found it before it moved anything.
fn excess(water: &LiquidParticles) -> f64 {
    let density = water.exec.read(&water.state.density).expect("densities");
    density.iter().map(|of| f64::from(of - 1.0).max(0.0)).sum::<f64>() / density.len() as f64
}

/// The mean compression from iteration to iteration, beside that of a program of a page in f64 that sums over all
/// pairs: it gives 0.1051, 0.0137, 0.0070, 0.0012, 0.0002 without a limit to corrections, and this with ours of 0.1 h.
#[test]
fn compression_decays_from_iteration_to_iteration() {
    for exec in own_test_executors() {
        let left: Vec<f64> = (1..=4)
            .map(|iterations| {
                let mut water = compressed(Arc::clone(&exec), iterations);
                water.advance(1.0 / 120.0).expect("a sub-step");
                excess(&water)
            })
            .collect();
        println!("{}: {left:?}", exec.describe());
        for (found, wanted) in left.iter().zip([0.1051, 0.0272, 0.0141, 0.0015]) {
            assert!((found - wanted).abs() < 0.02 * wanted + 1e-4, "{left:?}");
        }
    }
}

#[test]
fn the_centre_of_mass_stays() {
    for exec in own_test_executors() {
        let mut water = compressed(exec, 4);
        let centre = |water: &LiquidParticles| -> [f64; 3] {
            let places = water.exec.read(&water.state.places).expect("places");
            [0, 1, 2].map(|axis| places.iter().map(|p| f64::from(p[axis])).sum::<f64>() / places.len() as f64)
        };
        let before = centre(&water);
        water.advance(1.0 / 120.0).expect("a sub-step");
        let after = centre(&water);
        for axis in 0..3 {
            // Each place is rounded to 6e-8 m; the mean of 512 of them, four times moved, to less.
            assert!((after[axis] - before[axis]).abs() < 1e-7, "{before:?} {after:?}");
        }
    }
}
