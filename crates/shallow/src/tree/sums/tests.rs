use thalweg_compute::parity::{Rng, test_executors};

use super::parity::sums;
use super::*;
use crate::testing::LEFT_ALONE;
use crate::tree::map::Map;
use crate::tree::testing::{TREES, random_tree};

#[test]
fn tiles_make_up_the_domain_and_free_slots_are_empty() {
    for exec in test_executors() {
        for (seed, tree) in TREES.into_iter().enumerate() {
            let g = random_tree(&mut Rng::new(seed as u64), tree);
            let p = SumsParams { wet_depth: -1.0, ..g.params.sums };
            let totals = sums(exec, &g, &p).unwrap();
            let (found, rest) = totals.split_at(totals.len() - WORDS);
            assert!(rest.iter().all(|&x| x == LEFT_ALONE), "nothing is written past the last slot");
            let mut area = 0.0;
            for (slot, words) in found.chunks_exact(WORDS).enumerate() {
                area += f64::from(words[3]);
                let free = Map(&g.topology).tile(slot as u32).is_none();
                assert!(!free || words.iter().all(|&x| x == 0.0), "slot {slot}: {words:?}");
                assert_eq!(words[3] == 0.0, free);
            }
            let ([x, z], _) = tree;
            let expected = f64::from(256 * x * z) * f64::from(p.cell).powi(2);
            assert!((area / expected - 1.0).abs() < 1e-6, "{}: {area} of {expected} m²", exec.describe());
        }
    }
}
