use thalweg_compute::parity::{Rng, test_executors};

use super::parity::looked;
use super::*;
use crate::testing::{Case, case};

/// Three cells: a lake over a bed below the datum, land that floods at the second look, land that stays dry.
fn shore() -> Case {
    let mut c = case(&mut Rng::new(5), (3, 1), 0.9);
    c.bed = vec![-2.0, 0.5, 0.5];
    c.state = vec![0.25, 0.0, 0.005, 4.5, 0.0, 0.01, 0.0, 0.0, 0.0];
    c
}

#[test]
fn the_highest_and_the_first_are_kept() {
    for exec in test_executors() {
        let c = shore();
        // 0.75 m on the land, and the lake lower and faster than before.
        let flood = [0.0, 0.75, 0.005, 6.0, 0.75, 0.0, 8.0, 0.0, 0.0];
        let ebb = [0.125, 0.5, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let states: [(f32, &[f32]); 3] = [(0.0, &c.state), (1.5, &flood), (2.0, &ebb)];
        let maps = unpack(&looked(exec, &c, (0.01, 40.0), &states).unwrap(), &c.bed, 10.0);
        let who = exec.describe();
        assert_eq!((maps.depth[0], maps.surface[0], maps.arrival[0], maps.peak[0]), (2.25, 10.25, 40.0, 40.0), "{who}");
        assert!((maps.speed[0] - 5.0).abs() < 1e-5, "{who}: 3 m/s and 4 m/s across, {}", maps.speed[0]);
        assert_eq!((maps.depth[1], maps.surface[1], maps.arrival[1], maps.peak[1]), (0.75, 11.25, 41.5, 41.5), "{who}");
        assert!((maps.speed[1] - 2.0).abs() < 1e-5, "{who}: the ebb is faster, {}", maps.speed[1]);
        // A film thinner than the limit wets nothing.
        for plane in [&maps.depth, &maps.surface, &maps.speed, &maps.arrival, &maps.peak] {
            assert!(plane[2].is_nan(), "{who}: {maps:?}");
        }
    }
}

#[test]
fn looking_twice_changes_nothing() {
    for exec in test_executors() {
        let c = case(&mut Rng::new(3), (67, 31), 0.9);
        let once = looked(exec, &c, (0.01, 7.0), &[(0.5, &c.state)]).unwrap();
        let again = looked(exec, &c, (0.01, 7.0), &[(0.5, &c.state), (3.0, &c.state)]).unwrap();
        assert!(once.contains(&NEVER) && once.contains(&7.5), "some ground is dry and some is wet");
        assert_eq!(once, again, "{}: water as high and as fast as before is nothing new", exec.describe());
    }
}
