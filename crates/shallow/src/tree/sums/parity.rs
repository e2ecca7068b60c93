use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result, fold};

use super::*;
use crate::testing::{launch, left_alone};
use crate::tree::testing::{TREES, TreeWords, random_tree};

/// Sums of all slots, and what lies behind them.
pub(super) fn sums(exec: &Executor, g: &TreeWords, p: &SumsParams) -> Result<Vec<f32>> {
    let topology = &exec.buffer_from("test.topology", &g.topology)?;
    let cells = &exec.buffer_from("test.cells", &g.cells)?;
    let totals = &left_alone(exec, (p.capacity as usize + 1) * WORDS)?;
    let groups = fold(u64::from(p.capacity) + 1).expect("few slots"); // the last one has nothing to do
    launch(exec, &Sums { topology, cells, totals }, p, Dispatch::Groups(groups))?;
    exec.read(totals)
}

fn random_trees(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for tree in TREES {
        let g = random_tree(rng, tree);
        // No sum has terms of both signs: eight roundings of pairs, a handful of the terms.
        out.f32(&format!("sums {tree:?}"), sums(exec, &g, &g.params.sums)?, Tolerance::Relative(3e-6));
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    random_trees: 4 seeds,
}
