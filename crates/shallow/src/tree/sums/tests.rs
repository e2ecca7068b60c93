use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result, fold};

use super::*;
use crate::testing::{SENTINEL, launch, unwritten};
use crate::tree::map::Map;
use crate::tree::testing::{Grove, TREES, grove};

/// Sums of all slots, and what lies behind them.
fn sums(exec: &Executor, g: &Grove, p: &SumsParams) -> Result<Vec<f32>> {
    let topology = &exec.buffer_from("test.topology", &g.topology)?;
    let cells = &exec.buffer_from("test.cells", &g.cells)?;
    let totals = &unwritten(exec, (p.capacity as usize + 1) * WORDS)?;
    let groups = fold(u64::from(p.capacity) + 1).expect("few slots"); // the last one has nothing to do
    launch(exec, &Sums { topology, cells, totals }, p, Dispatch::Groups(groups))?;
    exec.read(totals)
}

#[test]
fn sums_parity() {
    assert_parity(4, |exec, rng, out| {
        for tree in TREES {
            let g = grove(rng, tree);
            // No sum has terms of both signs: eight roundings of pairs, a handful of the terms.
            out.f32(&format!("sums {tree:?}"), sums(exec, &g, &g.params.sums)?, Tolerance::Relative(3e-6));
        }
        Ok(())
    });
}

#[test]
fn tiles_make_up_the_domain_and_free_slots_are_empty() {
    for exec in test_executors() {
        for (seed, tree) in TREES.into_iter().enumerate() {
            let g = grove(&mut Rng::new(seed as u64), tree);
            let p = SumsParams { wet_depth: -1.0, ..g.params.sums };
            let totals = sums(exec, &g, &p).unwrap();
            let (found, rest) = totals.split_at(totals.len() - WORDS);
            assert!(rest.iter().all(|&x| x == SENTINEL), "nothing is written past the last slot");
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
