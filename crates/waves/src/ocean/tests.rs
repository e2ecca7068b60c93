use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_compute::parity::own_test_executors;

use super::parity::{PLACE, tiles};
use super::*;
use crate::Mode;

/// The maps of tiles at a time.
fn maps(exec: &Arc<Executor>, tiles: Tiles, time: f64) -> (Ocean, Vec<[f32; 4]>, Vec<[f32; 4]>) {
    let mut ocean = Ocean::new(exec, tiles, 1.0, Foam::default(), &PLACE).unwrap();
    let mut rec = exec.record();
    ocean.record(&mut rec, time).unwrap();
    rec.submit().unwrap();
    let (moved, bent) = (exec.read(ocean.moved()).unwrap(), exec.read(ocean.bent()).unwrap());
    (ocean, moved, bent)
}

/// A single wave along x of a tile of 200 m.
fn single(amplitude: f64) -> Tiles {
    let mut tiles = tiles(64, 1);
    let turns = tiles.tiles[0].modes[5].turns;
    tiles.tiles[0].modes.fill(Mode::default());
    let half = 0.5 * amplitude;
    tiles.tiles[0].modes[5] = Mode { forth: [half, 0.0], back: [0.0; 2], turns };
    tiles.tiles[0].modes[64 - 5] = Mode { forth: [0.0; 2], back: [half, 0.0], turns };
    tiles
}

#[test]
fn transforms_and_sums_are_the_same_sea() {
    for exec in own_test_executors() {
        let time = 1234.5;
        let (ocean, moved, _) = maps(&exec, tiles(64, 2), time);
        let rms = (ocean.tiles().variance(0) + ocean.tiles().variance(1)).sqrt();
        for tile in 0..2 {
            // One tile by itself: its waves in its own axes.
            let mut alone = ocean.tiles().clone();
            alone.tiles = vec![alone.tiles[tile].clone()];
            alone.tiles[0].rotation = 0.0;
            let waves = alone.waves(0.0, usize::MAX);
            let step = alone.tiles[0].size / 64.0;
            for at in (0..64 * 64).step_by(311) {
                let place = [(at % 64) as f64 * step, (at / 64) as f64 * step];
                let [dx, height, dz, _] = moved[tile * 64 * 64 + at].map(f64::from);
                let [wx, wz] = waves.shift(place, time);
                let error = (height - waves.elevation(place, time)).abs().max((dx - wx).abs()).max((dz - wz).abs());
                assert!(error < 1e-4 * rms, "{error} of {rms} m at {place:?} of tile {tile}");
            }
        }
    }
}

/// The imaginary part of a packed field is another field; with that one empty what is left is rounding.
#[test]
fn the_surface_is_real() {
    for exec in own_test_executors() {
        // Waves along x alone have no mixed derivative: the partner of the height is zero.
        let mut flat = tiles(128, 1);
        flat.tiles[0].modes[128..].fill(Mode::default());
        let ocean = maps(&exec, flat, 77.0).0;
        let fields = exec.read(&ocean.fields).unwrap();
        let largest = |n: usize| fields[..128 * 128].iter().map(|v| v[n].abs()).fold(0.0, f32::max);
        println!("heights up to {}, imaginary parts up to {:e}", largest(0), largest(1));
        assert!(largest(0) > 0.05 && largest(1) < 1e-5 * largest(0));
    }
}

#[test]
fn a_single_wave_has_its_speed_its_crests_and_its_fold() {
    for exec in own_test_executors() {
        let k = 5.0 * TAU / 200.0;
        let crest = |time: f64| {
            let (_, moved, _) = maps(&exec, single(0.8), time);
            // Phase of the wave by its first harmonic.
            let [c, s] = (0..64).fold([0.0; 2], |[c, s], n| {
                let angle = k * f64::from(n) * 200.0 / 64.0;
                let h = f64::from(moved[n as usize][1]);
                [c + h * angle.cos(), s + h * angle.sin()]
            });
            s.atan2(c) / k
        };
        let speed = (crest(1.0) - crest(0.0)).rem_euclid(TAU / k);
        println!("phase speed {speed:.4} m/s");
        // Frequencies are whole multiples of 1/4096 s: to 0.1 %.
        assert!((speed / (9.81 / k).sqrt() - 1.0).abs() < 1e-3, "{speed}");
        // Flattened, the crest is narrower than the trough: less than half of the places are above still water.
        let (ocean, _, bent) = maps(&exec, single(0.8 / k), 0.0);
        let words = exec.read(ocean.words()).unwrap();
        let heights = words[layout::HEAD..].chunks(4).take(64 * 64).map(|w| w[0]);
        let above = heights.filter(|h| *h > 0.0).count();
        assert!(above < 64 * 64 * 2 / 5, "{above} of {}", 64 * 64);
        assert!(bent.iter().all(|b| b[2] > 0.0), "λ k a of 0.8 does not fold");
        let folds = |steep: f64| maps(&exec, single(steep / k), 0.0).2.iter().any(|b| b[2] < 0.0);
        assert!(!folds(0.99) && folds(1.01));
    }
}

/// The sum over places of a tile is the sum over its waves (Parseval), for heights and slopes.
#[test]
fn variances_of_places_are_those_of_waves() {
    let exec = Arc::new(Executor::cpu().unwrap());
    let mut ocean = Ocean::new(&exec, tiles(128, 3), 0.0, Foam::default(), &PLACE).unwrap();
    let mut means = [[0.0; 2]; 3];
    let times = 24;
    for n in 0..times {
        let mut rec = exec.record();
        ocean.record(&mut rec, f64::from(n) * 31.7).unwrap();
        rec.submit().unwrap();
        let (moved, bent) = (exec.read(ocean.moved()).unwrap(), exec.read(ocean.bent()).unwrap());
        let area = 128 * 128;
        for (tile, mean) in means.iter_mut().enumerate() {
            let points = tile * area..(tile + 1) * area;
            mean[0] += moved[points.clone()].iter().map(|m| f64::from(m[1]).powi(2)).sum::<f64>() / area as f64;
            mean[1] += bent[points].iter().map(|b| f64::from(b[0]).powi(2) + f64::from(b[1]).powi(2)).sum::<f64>()
                / area as f64;
        }
    }
    for (tile, mean) in means.iter().enumerate() {
        let [heights, slopes] = mean.map(|sum| sum / f64::from(times));
        let tiles = ocean.tiles();
        let wanted = [tiles.variance(tile), tiles.slope_variance(tile, f64::INFINITY)];
        println!(
            "tile {tile}: heights {:+.2} %, slopes {:+.2} %",
            100.0 * (heights / wanted[0] - 1.0),
            100.0 * (slopes / wanted[1] - 1.0)
        );
        // Waves that run against each other beat: of few long waves the mean in time is known to some percent.
        assert!((heights / wanted[0] - 1.0).abs() < 0.05 && (slopes / wanted[1] - 1.0).abs() < 0.02);
    }
}

#[test]
fn foam_comes_where_the_surface_folds_and_fades() {
    for exec in own_test_executors() {
        let k = 5.0 * TAU / 200.0;
        let mut ocean = Ocean::new(&exec, single(0.9 / k), 1.0, Foam::default(), &PLACE).unwrap();
        // Half a period later the trough is where the crest was.
        let half = 0.5 * TAU / (9.81 * k).sqrt();
        let found = [0.0, half].map(|time| {
            let mut rec = exec.record();
            ocean.record(&mut rec, time).unwrap();
            rec.submit().unwrap();
            exec.read(ocean.moved()).unwrap()[0][3]
        });
        assert!(found[0] > 0.99, "the crest is white: {found:?}");
        let left = (-half / Foam::default().decay).exp();
        assert!((f64::from(found[1]) - left).abs() < 1e-3, "{found:?}, {left} should be left");
        let mut calm = Ocean::new(&exec, single(0.1), 1.0, Foam::default(), &PLACE).unwrap();
        let mut rec = exec.record();
        calm.record(&mut rec, 0.0).unwrap();
        rec.submit().unwrap();
        assert!(exec.read(calm.moved()).unwrap().iter().all(|m| m[3] == 0.0));
    }
}

#[test]
fn everything_repeats_after_the_period() {
    let exec = Arc::new(Executor::cpu().unwrap());
    let first = maps(&exec, tiles(64, 1), 3.25).1;
    assert_eq!(first, maps(&exec, tiles(64, 1), 3.25 + 4096.0).1);
    assert_ne!(first, maps(&exec, tiles(64, 1), 3.5).1);
}
