use std::f64::consts::TAU;

use thalweg_compute::parity::{Rng, test_executors};

use super::BANDS;
use super::parity::{CELL, DEPTH, PERIOD, sums, waves, zone};

/// Heights and velocities of the columns of all sides against the sums in f64.
#[test]
fn bands_add_up_to_the_sea() {
    for exec in test_executors() {
        for side in 0..4 {
            let waves = waves(&mut Rng::new(5));
            let p = zone(side, 0x4000_0000);
            let found = sums(exec, &waves, &p);
            let time = 0.25 * PERIOD;
            for number in 0..p.columns() {
                let (column, _) = super::super::cpu::column_of([14, 9], side, 5, number);
                let middle = [(column % 14) as f64 + 0.5, (column / 14) as f64 + 0.5].map(|x| x * CELL);
                let total = found[number * BANDS..][..BANDS]
                    .iter()
                    .fold([0.0; 4], |sum, part| std::array::from_fn(|n| sum[n] + f64::from(part[n])));
                let mut wanted = [0.0; 4];
                for wave in &waves {
                    let (k, omega) = (wave.k[0].hypot(wave.k[1]), TAU * f64::from(wave.turns) / PERIOD);
                    let angle = |x: f64, z: f64| wave.k[0] * x + wave.k[1] * z + wave.phase - omega * time;
                    let speed = wave.amplitude * omega / (1.0 - (-2.0 * k * DEPTH).exp());
                    let [x, z] = middle;
                    wanted[0] += wave.amplitude / CELL * angle(x, z).cos();
                    wanted[1] += speed * wave.k[0] / k * angle(x - 0.5 * CELL, z).cos();
                    wanted[2] += speed * wave.k[1] / k * angle(x, z - 0.5 * CELL).cos();
                    wanted[3] += speed * angle(x, z).sin();
                }
                for (found, wanted) in total.iter().zip(wanted) {
                    assert!((found - wanted).abs() < 1e-4, "{found} for {wanted} on {}", exec.describe());
                }
            }
        }
    }
}
