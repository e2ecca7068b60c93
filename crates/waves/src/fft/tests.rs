use std::f64::consts::TAU;

use thalweg_compute::parity::{Rng, test_executors};

use super::parity::transformed;

/// Against the sum itself, in f64.
#[test]
fn transforms_are_the_sums_that_they_stand_for() {
    for exec in test_executors() {
        let points = 64;
        let mut values = vec![[0.0; 2]; 2 * 64 * 64];
        let mut rng = Rng::new(3);
        let waves: Vec<(usize, [f32; 2])> =
            (0..40).map(|_| (rng.below(64 * 64) as usize, [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)])).collect();
        for (at, value) in &waves {
            let cell: &mut [f32; 2] = &mut values[64 * 64 + at];
            cell[0] += value[0];
            cell[1] += value[1];
        }
        let found = transformed(exec, points, &values);
        assert!(found[..64 * 64].iter().all(|v| *v == [0.0; 2]), "an empty field stays empty");
        for at in (0..64 * 64).step_by(37) {
            let [x, z] = [at % 64, at / 64].map(|n| n as f64);
            let sum = waves.iter().fold([0.0; 2], |[re, im], (k, value)| {
                let angle = TAU * ((k % 64) as f64 * x + (k / 64) as f64 * z) / 64.0;
                let [a, b] = value.map(f64::from);
                [re + a * angle.cos() - b * angle.sin(), im + a * angle.sin() + b * angle.cos()]
            });
            let [re, im] = found[64 * 64 + at].map(f64::from);
            assert!((re - sum[0]).abs() < 1e-4 && (im - sum[1]).abs() < 1e-4, "{re} {im} for {sum:?}");
        }
    }
}
