use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::sides::parity::{CURVES, random_levels};
use crate::sides::rule;
use crate::testing::launch;
use crate::tree::layout::clock;
use crate::tree::testing::{TREES, TreeWords, random_tree};

fn settle(exec: &Executor, g: &TreeWords, p: &SideParams, before: &[f32]) -> Result<Vec<f32>> {
    let topology = &exec.buffer_from("test.topology", &g.topology)?;
    let clock = &exec.buffer_from("test.clock", &g.clock)?;
    let cells = &exec.buffer_from("test.cells", &g.cells)?;
    let curves = &exec.buffer_from("test.curves", &CURVES)?;
    let levels = &exec.buffer_from("test.levels", before)?;
    launch(exec, &TreeSides { topology, clock, cells, curves, levels }, p, Dispatch::Groups([1, 1, 1]))?;
    exec.read(levels)
}

fn levels(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for tree in TREES {
        let mut g = random_tree(rng, tree);
        g.clock[clock::STEP] = g.clock[clock::TICK_DT];
        for rule in [rule::GIVEN, rule::RATING, rule::NORMAL] {
            let [nx, nz] = tree.0.map(|tiles| 16 * tiles);
            let side = rng.below(4);
            let length = if side < 2 { nz } else { nx };
            let start = rng.below(length);
            let p = SideParams {
                side,
                rule,
                nx,
                nz,
                start,
                stop: start + 1 + rng.below(length - start),
                levels: tree.1,
                face: 0.5,
                gravity: 9.81,
                h_eps: g.params.sums.h_eps,
                memory: [0.0, 3.0][rng.below(2) as usize],
                conveyance: rng.range(0.5, 9.0),
                curve_start: 1,
                curve_len: 3,
            };
            let before = random_levels(rng, 2 * (nx + nz) as usize);
            let after = settle(exec, &g, &p, &before)?;
            // As for a uniform grid; sums are over more faces.
            out.f32(&format!("levels {tree:?} rule {rule}"), after, Tolerance::Absolute(2e-5));
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    levels: 4 seeds,
}
