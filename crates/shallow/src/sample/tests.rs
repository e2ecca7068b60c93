use thalweg_compute::parity::{Rng, test_executors};

use super::parity::sample_cells;
use super::*;
use crate::testing::case;

#[test]
fn values_are_those_of_the_listed_cells_in_order() {
    for exec in test_executors() {
        let c = case(&mut Rng::new(9), (31, 13), 0.9);
        let cells = c.bed.len();
        let list: Vec<u32> = [402, 0, 7, 7, 131].into();
        let values = sample_cells(exec, &c, &list).unwrap();
        for (&cell, found) in list.iter().zip(values.chunks_exact(WORDS)) {
            let at = cell as usize;
            let (s, z) = (c.state[at], c.bed[at]);
            let h = s - z.min(0.0);
            assert_eq!([found[0], found[1], found[4]], [h, s + z.max(0.0), z]);
            for (axis, &velocity) in found[2..4].iter().enumerate() {
                let q = c.state[at + (1 + axis) * cells];
                assert!(h < 1e-3 || (velocity - q / h).abs() < 1e-6, "cell {cell}: {velocity} of {}", q / h);
            }
        }
    }
}
