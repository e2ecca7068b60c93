use std::f64::consts::TAU;

use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Executor, bytemuck::Zeroable};

use super::{BANDS, SeaSide, SeaWave};
use crate::exchange::zones::{ZoneParams, far_field};

const PERIOD: f64 = 64.0;
const CELL: f64 = 0.5;
const DEPTH: f64 = 4.0;

fn waves(rng: &mut Rng) -> Vec<SeaWave> {
    let wave = |_| SeaWave {
        k: [f64::from(rng.range(-0.6, 0.6)), f64::from(rng.range(-0.6, 0.6))],
        amplitude: f64::from(rng.range(0.0, 0.1)),
        phase: f64::from(rng.range(-3.0, 3.0)),
        turns: 10 + rng.below(100),
    };
    (0..37).map(wave).collect()
}

fn zone(side: u32, turn: u32) -> ZoneParams {
    ZoneParams { nx: 14, nz: 9, samples: 8, side, layer: 5, far_field: far_field::SEA, turn, ..Zeroable::zeroed() }
}

fn sums(exec: &Executor, waves: &[SeaWave], p: &ZoneParams) -> Vec<[f32; 4]> {
    let side = SeaSide::new(exec, waves, PERIOD, (DEPTH, CELL), p.columns()).unwrap();
    let mut rec = exec.record();
    side.record(&mut rec, p).unwrap();
    rec.submit().unwrap();
    exec.read(&side.sums).unwrap()
}

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

#[test]
fn sea_columns_parity() {
    assert_parity(8, |exec, rng, out| {
        let waves = waves(rng);
        let p = zone(rng.below(4), rng.next_u32());
        // Cosines of angles up to 20 in single precision, times speeds of up to 1 m/s of 37 waves.
        out.f32("sums", sums(exec, &waves, &p).into_iter().flatten().collect(), Tolerance::Absolute(2e-4));
        Ok(())
    });
}
