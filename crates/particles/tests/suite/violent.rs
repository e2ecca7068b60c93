//! A dam that breaks, and bits that do not depend on anything.

use std::sync::Arc;

use thalweg_compute::parity::own_test_executors;
use thalweg_compute::{Cpu, Executor};
use thalweg_ledger::{Account, Quantity};
use thalweg_particles::Options;

use crate::house::{both, dam, particles};

#[test]
fn a_dam_of_ten_thousand_particles_stays_inside_and_finite() {
    for constraint in both() {
        let exec = Arc::new(Executor::cpu().expect("the processor"));
        let options = Options { constraint, ..Options::default() };
        let (size, spacing) = ([1.8, 1.2, 0.3], 0.025);
        let mut water = dam(Arc::clone(&exec), size, [0.65, 0.8, 0.3], spacing, &options);
        let count = 26 * 32 * 12;
        let mut front = 0.0f32;
        for _ in 0..30 {
            water.advance(1.0 / 30.0).expect("a frame");
            let all = particles(&exec, &water);
            assert_eq!(all.len(), count);
            for (place, velocity) in &all {
                for axis in 0..3 {
                    let inside = 0.0..=size[axis] as f32;
                    assert!(inside.contains(&place[axis]) && velocity[axis].is_finite(), "{place:?} {velocity:?}");
                }
            }
            front = all.iter().fold(front, |front, (place, _)| front.max(place[0]));
        }
        assert!(front > 1.75, "the front has reached the other side: {front} m");
        let ledger = water.ledger().expect("a ledger");
        assert_eq!(ledger.balance(Quantity::Mass, Account::Particles), Some(count as i128));
        assert_eq!(ledger.imbalance(Quantity::Mass), 0);
    }
}

#[test]
fn bits_are_the_same_for_any_number_of_threads_and_after_a_restart() {
    for constraint in both() {
        let options = Options { constraint, friction: 0.1, ..Options::default() };
        let run = |threads: usize, restart: bool| {
            let exec = Arc::new(Executor::from(Cpu::with_threads(threads).expect("threads")));
            let new = || dam(Arc::clone(&exec), [1.0, 0.8, 0.4], [0.4, 0.6, 0.4], 0.04, &options);
            let mut water = new();
            for frame in 0..12 {
                if restart && frame == 7 {
                    let saved = water.snapshot().expect("saved");
                    water = new();
                    water.restore(&saved).expect("restored");
                }
                water.advance(1.0 / 30.0).expect("a frame");
            }
            water.snapshot().expect("saved")
        };
        let one = run(1, false);
        assert!(one == run(3, false), "threads");
        assert!(one == run(2, true), "a restart");
    }
}

/// The same on both executors, each by itself.
#[test]
fn a_run_is_the_same_from_time_to_time() {
    for exec in own_test_executors() {
        for constraint in both() {
            let options = Options { constraint, ..Options::default() };
            let run = || {
                let mut water = dam(Arc::clone(&exec), [0.6, 0.5, 0.2], [0.3, 0.4, 0.2], 0.05, &options);
                for _ in 0..4 {
                    water.advance(1.0 / 30.0).expect("a frame");
                }
                water.snapshot().expect("saved")
            };
            assert!(run() == run(), "{}", exec.describe());
        }
    }
}
