//! A side that brings in a sea of many waves: it arrives with its height, and the level stays.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_tall::{Exchange, IncomingSea, Options, Setup, Side, TallWater, Wave};

const CELL: f64 = 0.25;
const LEVEL: f64 = 5.0;
const LAYER: u32 = 48;
/// Time after which the sea repeats, s: all its frequencies are whole multiples of 1/PERIOD.
const PERIOD: f64 = 40.0;

/// Waves of 6 to 18 m in a channel, periods 2 to 4 s.
fn sea() -> Vec<Wave> {
    (10..=20)
        .map(|turns: u32| {
            let omega = TAU * f64::from(turns) / PERIOD;
            // ω² = g k tanh(k h), by repetition.
            let k = (0..200)
                .fold(omega * omega / 9.81, |k: f64, _| 0.5 * (k + omega * omega / (9.81 * (k * LEVEL).tanh())));
            Wave { k: [k, 0.0], omega, amplitude: 0.03, phase: 2.4 * f64::from(turns * turns) }
        })
        .collect()
}

#[test]
fn a_sea_comes_in_with_its_variance_and_keeps_the_level() {
    let exec = Arc::new(Executor::cpu().unwrap());
    let shape = Shape { nx: 200, nz: 1, regular: 24 };
    let setup = Setup {
        shape,
        cell: CELL,
        height: 8.0,
        terrain: &vec![0.0; shape.columns()],
        level_set: &|[_, y, _]| y - LEVEL,
        obstacles: &[],
        velocity: [0.0; 2],
        options: Options::default(),
    };
    let west = Side::Ocean { level: Some(LEVEL), ramp: Some(4.0), layer: LAYER };
    let east = Side::Open { level: Some(LEVEL), layer: 64 };
    let exchange = Exchange {
        sides: [west, east, Side::Wall, Side::Wall].into(),
        sea: Some(IncomingSea { waves: sea(), period: PERIOD, peak_period: 3.0 }),
        ..Default::default()
    };
    let mut water = TallWater::with_exchange(exec, &setup, &exchange).unwrap();
    // Ten cells inside of the zone.
    let gauge = LAYER as usize + 10;
    let (mut heights, dt) = (Vec::new(), 0.04);
    while water.time() < 20.0 + PERIOD {
        water.step(dt).unwrap();
        if water.time() > 20.0 {
            heights.push(f64::from(water.surface().unwrap()[gauge].unwrap()) * CELL - LEVEL);
        }
    }
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    let variance = heights.iter().map(|h| (h - mean).powi(2)).sum::<f64>() / heights.len() as f64;
    let wanted: f64 = sea().iter().map(|w| 0.5 * w.amplitude * w.amplitude).sum();
    let error = (variance / wanted).sqrt() - 1.0;
    let ledger = water.ledger().unwrap();
    let [added, removed] = [ledger.added(), ledger.removed()].map(|volume| volume / CELL.powi(3));
    let statistics = water.statistics().unwrap();
    let first = 200.0 * LEVEL / CELL;
    let drift = (statistics.volume - first - added + removed) / first;
    println!(
        "height of the sea {:+.1} %, mean level {:+.4} m, drift against the ledger {drift:+.1e}",
        100.0 * error,
        mean
    );
    assert!(error.abs() < 0.15, "{error}");
    assert!(mean.abs() < 0.01, "{mean}");
    assert!(drift.abs() < 1e-3, "{drift}");
}
