//! What comes and goes: sources, drains, open sides, a pool that grows; ground and solids.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_compute::parity::own_test_executors;
use thalweg_ledger::{Account, Quantity};
use thalweg_model::{Motion, Travel};
use thalweg_particles::{Ground, LiquidParticles, Options, Placing, Remark, Seed, Setup, Source};
use thalweg_solids::Obstacle;

use crate::house::{both, dam, particles};

fn balance(water: &LiquidParticles, account: Account) -> i128 {
    water.ledger().expect("a ledger").balance(Quantity::Mass, account).expect("an account that is kept")
}

/// A jet into a box that is open at the side of high x, with a drain in a corner: every particle is accounted for.
#[test]
fn every_particle_is_in_the_ledger() {
    for exec in own_test_executors() {
        for constraint in both() {
            let walls = [true, false, true, true, true, true];
            let options = Options { constraint, walls, capacity: Some(4000), ..Options::default() };
            let source =
                Source { centre: [0.2, 0.5, 0.2], velocity: [1.5, 0.0, 0.0], radius: 0.06, open: [0.0, f64::INFINITY] };
            let seeds = [Seed::lattice([0.0; 3], [0.8, 0.1, 0.4])];
            let drains = [[[0.0, 0.0, 0.0], [0.1, 0.1, 0.1]]];
            let setup =
                Setup { sources: &[source], drains: &drains, ..Setup::new([0.8, 0.6, 0.4], 0.04, &seeds, &options) };
            let mut water = LiquidParticles::new(Arc::clone(&exec), &setup).expect("a tank");
            for _ in 0..10 {
                water.advance(1.0 / 30.0).expect("a frame");
            }
            let ledger = water.ledger().expect("a ledger");
            assert_eq!(ledger.imbalance(Quantity::Mass), 0);
            let count = water.census_later().expect("asked").wait().expect("a census").count;
            assert_eq!(balance(&water, Account::Particles), count as i128, "{}", exec.describe());
            assert!(balance(&water, Account::East) > 10, "{}", exec.describe());
            let sources = ledger.turnover(Quantity::Mass, Account::Sources).expect("kept");
            let volume = source.rate() * water.time() / water.particle_volume();
            assert!((sources.given as f64 - volume).abs() <= 1.0 && sources.received > 0, "{sources:?} of {volume}");
        }
    }
}

#[test]
fn a_pool_says_when_it_is_nearly_full_and_grows() {
    let exec = Arc::new(Executor::cpu().expect("the processor"));
    let options = Options { capacity: Some(400), ..Options::default() };
    let source = Source { centre: [0.3, 0.5, 0.2], velocity: [0.0, -1.0, 0.0], radius: 0.08, open: [0.0, 9.0] };
    let setup = Setup { sources: &[source], ..Setup::new([0.6, 0.6, 0.4], 0.04, &[], &options) };
    let mut water = LiquidParticles::new(exec, &setup).expect("a tank");
    let remark = |water: &LiquidParticles| water.census_later().expect("asked").wait().expect("a census").remark();
    while remark(&water).is_none() {
        water.advance(1.0 / 30.0).expect("a frame");
    }
    let Some(Remark::NearlyFull { count, capacity: 400 }) = remark(&water) else { panic!("{:?}", remark(&water)) };
    water.grow(1000).expect("room");
    for _ in 0..10 {
        water.advance(1.0 / 30.0).expect("a frame");
    }
    assert!(remark(&water).is_none() && balance(&water, Account::Particles) > count as i128 + 100);
    while balance(&water, Account::Particles) < 1000 {
        water.advance(1.0 / 30.0).expect("a frame");
    }
    water.advance(1.0 / 30.0).expect("a frame");
    assert!(matches!(remark(&water), Some(Remark::Refused { refused: 1.. })), "{:?}", remark(&water));
    assert_eq!(balance(&water, Account::Particles), 1000);
}

/// Water over a slope with a sphere 8 cm above it: nothing is in the ground or in the sphere.
#[test]
fn ground_and_solids_keep_water_out() {
    let heights: Vec<f32> = (0..4).flat_map(|_| (0..6).map(|i| 0.06 * i as f32)).collect();
    let ground = Ground { nodes: [6, 4], spacing: 0.2, heights: &heights };
    let sphere = Obstacle::Sphere { centre: [0.45, 0.33, 0.3], radius: 0.1 };
    for constraint in both() {
        let exec = Arc::new(Executor::cpu().expect("the processor"));
        let options = Options { constraint, ..Options::default() };
        let seeds = [Seed::lattice([0.5, 0.0, 0.0], [1.0, 0.7, 0.6])];
        let solids = [sphere.clone()];
        let setup =
            Setup { ground: Some(ground), solids: &solids, ..Setup::new([1.0, 0.8, 0.6], 0.04, &seeds, &options) };
        let mut water = LiquidParticles::new(Arc::clone(&exec), &setup).expect("a slope");
        let start = particles(&exec, &water).len();
        assert!(start > 1000 && start < 13 * 17 * 15);
        for _ in 0..30 {
            water.advance(1.0 / 30.0).expect("a frame");
            for (place, _) in particles(&exec, &water) {
                let [x, y, z, _] = place;
                let above = (y - 0.3 * x) / 1.09f32.sqrt();
                let outside = sphere.distance([x, y, z]);
                // Half a spacing is kept from what is nearest, but for a sub-step's way along what is round.
                assert!(above > 0.01 && outside > 0.01, "{place:?}: {above} {outside}");
            }
        }
        assert_eq!(particles(&exec, &water).len(), start);
    }
}

/// A plate that moves through a channel takes the water before it along, and stays empty.
#[test]
fn a_moving_solid_pushes_water() {
    for constraint in both() {
        let plate = |x: f32| Obstacle::Box { centre: [x, 0.2, 0.15], half: [0.04, 0.2, 0.2] };
        let motion = Motion { travel: Travel::Constant { velocity: [0.4, 0.0, 0.0] }, spin: None };
        let solids = [Obstacle::Moving { shape: Box::new(plate(0.2)), motion }];
        let exec = Arc::new(Executor::cpu().expect("the processor"));
        let options = Options { constraint, ..Options::default() };
        let seeds = [Seed::lattice([0.0; 3], [1.2, 0.18, 0.3])];
        let setup = Setup { solids: &solids, ..Setup::new([1.2, 0.6, 0.3], 0.03, &seeds, &options) };
        let mut water = LiquidParticles::new(Arc::clone(&exec), &setup).expect("a channel");
        let count = particles(&exec, &water).len();
        for frame in 1..=24 {
            water.advance(1.0 / 30.0).expect("a frame");
            let now = plate(0.2 + 0.4 * frame as f32 / 30.0);
            let inside =
                particles(&exec, &water).iter().filter(|(p, _)| now.distance([p[0], p[1], p[2]]) < 0.0).count();
            assert_eq!(inside, 0, "frame {frame}");
        }
        let all = particles(&exec, &water);
        let before: Vec<_> = all.iter().filter(|(p, _)| (0.56..0.66).contains(&p[0])).collect();
        let speed = before.iter().map(|(_, v)| f64::from(v[0])).sum::<f64>() / before.len() as f64;
        let height = before.iter().fold(0.0f32, |height, (p, _)| height.max(p[1]));
        assert!(all.len() == count && speed > 0.2 && height > 0.2, "{speed} m/s, {height} m high");
    }
}

#[test]
fn random_water_is_relaxed_before_it_begins() {
    let exec = Arc::new(Executor::cpu().expect("the processor"));
    let seeds = [Seed { placing: Placing::Random(3), ..Seed::lattice([0.0; 3], [0.6, 0.4, 0.4]) }];
    let densest = |relaxation: u32| {
        let options = Options { relaxation, ..Options::default() };
        let setup = Setup::new([0.6, 0.8, 0.4], 0.04, &seeds, &options);
        let mut water = LiquidParticles::new(Arc::clone(&exec), &setup).expect("water");
        assert!(particles(&exec, &water).iter().all(|(_, v)| *v == [0.0; 4]), "at rest");
        water.advance(1e-4).expect("a short step");
        water.census_later().expect("asked").wait().expect("a census").speed
    };
    let (rough, relaxed) = (densest(0), densest(6));
    assert!(relaxed < 0.5 * rough, "speeds by which distances are made good: {rough} and {relaxed} m/s");
}

#[test]
fn setups_that_make_no_sense_are_refused() {
    let exec = Arc::new(Executor::cpu().expect("the processor"));
    let seeds = [Seed::lattice([0.0; 3], [0.5; 3])];
    let make = |size, spacing, options: &Options| {
        LiquidParticles::new(Arc::clone(&exec), &Setup::new(size, spacing, &seeds, options)).map(drop)
    };
    let options = Options::default();
    assert!(make([1.0; 3], 0.1, &options).is_ok());
    assert!(make([1.0; 3], 0.0, &options).is_err() && make([1.0, f64::NAN, 1.0], 0.1, &options).is_err());
    assert!(make([1000.0; 3], 0.1, &options).is_err(), "too many cells");
    assert!(make([1.0; 3], 0.1, &Options { capacity: Some(10), ..Options::default() }).is_err());
    let mut water = dam(exec, [1.0; 3], [0.5; 3], 0.1, &options);
    assert!(water.advance(f64::NAN).is_err() && water.advance(-1.0).is_err() && water.advance(0.0).is_ok());
}
