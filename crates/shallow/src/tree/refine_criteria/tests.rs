use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{case, refine_criteria};
use crate::tree::layout::want;
use crate::tree::testing_trees::SHAPES;

/// The random trees ask for everything that a tile can want, and nothing is written past the last slot.
#[test]
fn all_that_a_tile_can_want_occurs() {
    for exec in test_executors() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..4 {
            for shape in 0..SHAPES.len() {
                let case = case(&mut Rng::new(seed), shape);
                let wants = refine_criteria(exec, &case).unwrap();
                let capacity = case.tree.capacity();
                assert_eq!(wants[capacity], 77);
                seen.extend(wants[..capacity].iter().copied());
            }
        }
        for word in [want::MERGE, want::KEEP, want::SPLIT] {
            assert!(seen.contains(&word), "{}: {seen:?}", exec.describe());
        }
        let sides: std::collections::BTreeSet<u32> = seen.iter().map(|word| word >> want::SIDES).collect();
        assert!(sides.len() >= 8, "{}: {sides:?}", exec.describe());
    }
}
