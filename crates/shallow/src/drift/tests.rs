use thalweg_compute::parity::{Rng, test_executors};

use super::parity::drift;
use crate::testing::case;

#[test]
fn a_discharge_is_depth_times_velocity() {
    for exec in test_executors() {
        let c = case(&mut Rng::new(3), (29, 17), 0.9);
        let cells = c.bed.len();
        for (at, velocity) in drift(exec, &c).unwrap().into_iter().enumerate() {
            let h = c.state[at] - c.bed[at].min(0.0);
            for axis in 0..2 {
                let q = c.state[at + (1 + axis) * cells];
                if h > 1e-3 {
                    assert!((velocity[axis] - q / h).abs() < 1e-5, "{at}: {velocity:?}");
                } else {
                    assert!(velocity[axis].abs() <= 1.5, "a film: {velocity:?}");
                }
            }
        }
    }
}
