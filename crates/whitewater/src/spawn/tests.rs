use thalweg_columns::flow::spray_word as word;
use thalweg_compute::parity::test_executors;
use thalweg_ledger::transfer::load;

use super::parity::{Spawned, spawned};
use super::{extent, state};
use crate::particle::{fraction, parts};
use crate::trial::SLOTS;

#[test]
fn when_it_is_full_the_oldest_stay_and_the_rest_is_counted() {
    let trials = [[[5.0, 5.0, 5.0, 0.5], [1.0, 2.0, 3.0, 0.0]]; 2 * SLOTS].concat();
    for exec in test_executors() {
        let Spawned { places, motions, events, extents, state } =
            spawned(exec, &[0b0101, 0b1110], &trials, 8).expect("spawned");
        assert_eq!((extents[extent::COUNT], state[state::REFUSED]), (8, 15 - 5), "{}", exec.describe());
        assert!(places[..3].iter().all(|place| *place == [1.0, 2.0, 3.0, 0.25]));
        let volumes: u64 = places[3..].iter().map(|p| u64::from(fraction(4.1887903, parts(p[3]).1))).sum();
        assert_eq!(load(&events, word::LEFT), volumes);
        for (place, motion) in places[3..].iter().zip(&motions[3..]) {
            let radius = parts(place[3]).1;
            assert!(place[0] <= 5.3 && place[2] <= 4.9, "in the domain: {place:?}");
            assert!(place[..3].iter().all(|x| (x - 5.0).abs() <= 0.5) && (0.0499..0.1501).contains(&radius));
            let change = 0.2 * 14_f32.sqrt() + 1e-5;
            assert!((0..3).all(|axis| (motion[axis] - [1.0, 2.0, 3.0][axis]).abs() <= change) && motion[3] == 4.0);
        }
    }
}
