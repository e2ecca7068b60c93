//! A closed tank keeps its water and never gains energy.

use std::f64::consts::PI;
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::own_physics_executors;
use thalweg_tall::{Band, Options, Setup, TallWater};

const CELL: f64 = 0.05;

/// Period of the first mode, s: `ω² = g k tanh(k h)` with `k = π/2.4 m` and `h = 1.6 m`.
const PERIOD: f64 = 1.78;

/// A slice of 2.4 m with water of 1.6 m, its surface a cosine of `amplitude` metres.
fn tank(exec: &Arc<Executor>, amplitude: f64, hold_volume: bool) -> TallWater {
    let shape = Shape { nx: 48, nz: 1, regular: 28 };
    // Fewer iterations than usual are recorded: those that are not needed take the time of software drivers.
    let options = Options { band: Some(Band::default()), hold_volume, iterations: 8, ..Default::default() };
    let level_set = move |[x, y, _]: [f64; 3]| y - 1.6 - amplitude * (PI * x / 2.4).cos();
    let setup = Setup {
        shape,
        cell: CELL,
        height: 3.0,
        terrain: &[0.0; 48],
        level_set: &level_set,
        obstacles: &[],
        velocity: [0.0; 2],
        options,
    };
    TallWater::new(exec.clone(), &setup).expect("a tank")
}

/// Potential energy over that of the still surface, per unit density, width of a cell and gravity: ½ Σ η² Δx.
fn potential(water: &TallWater) -> f64 {
    let heights: Vec<f64> = water.surface().expect("a surface").iter().map(|h| f64::from(h.unwrap_or(0.0))).collect();
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    heights.iter().map(|h| 0.5 * (h - mean).powi(2)).sum::<f64>() * 9.81 * CELL
}

/// `Σ ½ u²` of cells is in the same unit.
fn energy(water: &TallWater) -> f64 {
    water.statistics().expect("sums").energy + potential(water)
}

/// Sloshes for a minute in steps of `dt` seconds; the largest change of the volume, as a part of it.
fn slosh(exec: &Arc<Executor>, amplitude: f64, hold_volume: bool, dt: f64) -> f64 {
    let mut water = tank(exec, amplitude, hold_volume);
    let volume = water.statistics().expect("sums").volume;
    // Velocities and surface are half a step apart, which makes the sum swing by a few per cent: its largest
    // value in each period counts.
    let mut peaks = vec![0.0f64];
    let mut worst: f64 = 0.0;
    while water.time() < 60.0 {
        for _ in 0..5 {
            water.step(dt).expect("a step");
        }
        if water.time() >= PERIOD * peaks.len() as f64 {
            peaks.push(0.0);
        }
        let last = peaks.len() - 1;
        peaks[last] = peaks[last].max(energy(&water));
        let drift = water.statistics().expect("sums").volume / volume - 1.0;
        worst = if drift.abs() > worst.abs() { drift } else { worst };
    }
    peaks.pop(); // not a whole period
    for pair in peaks.windows(2) {
        assert!(pair[1] <= 1.01 * pair[0], "energy grows: {peaks:?}");
    }
    println!(
        "{}: amplitude {amplitude} m, held: {hold_volume}: volume at most {:+.3} %, energy {:.2} of the first",
        exec.describe(),
        100.0 * worst,
        peaks[peaks.len() - 1] / peaks[0]
    );
    worst.abs()
}

#[test]
fn a_minute_of_sloshing_keeps_volume_and_gains_no_energy() {
    for exec in own_physics_executors() {
        for amplitude in [0.05, 0.2] {
            assert!(slosh(&exec, amplitude, true, 0.02) < 0.001);
            assert!(slosh(&exec, amplitude, false, 0.02) < 0.005);
        }
    }
}
