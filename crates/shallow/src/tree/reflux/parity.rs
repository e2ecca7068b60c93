use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result, fold};

use super::*;
use crate::testing::launch;
use crate::tree::layout::{clock, lists, out};
use crate::tree::testing::{TREES, TreeWords, random_tree};

/// Cells, registers and status after a step of a level.
pub(super) fn reflux(exec: &Executor, g: &TreeWords, level: usize) -> Result<[Vec<f32>; 3]> {
    let topology = &exec.buffer_from("test.topology", &g.topology)?;
    let lists = &exec.buffer_from("test.lists", &g.lists)?;
    let clock = &exec.buffer_from("test.clock", &g.clock)?;
    let out = &exec.buffer_from("test.out", &g.out)?;
    let cells = &exec.buffer_from("test.cells", &g.cells)?;
    let registers = &exec.buffer_from("test.registers", &g.registers)?;
    let status = &exec.buffer_from("test.status", &g.status)?;
    let kernel = Reflux { topology, lists, clock, out, cells, registers, status };
    // One workgroup more than there are tiles: it has nothing to do.
    let groups = fold(u64::from(g.lists[lists::COUNTS + level]) + 1).expect("few tiles");
    launch(exec, &kernel, &g.params.reflux[level], Dispatch::Groups(groups))?;
    Ok([exec.read(cells)?, exec.read(registers)?, exec.read(status)?])
}

/// Reports of a step, all of it random; a third of the tiles hold something back.
pub(super) fn random_reports(rng: &mut Rng, g: &mut TreeWords) {
    g.out = rng.f32s(g.out.len(), -1.0, 1.0);
    for report in g.out.chunks_exact_mut(out::WORDS) {
        report[out::HELD_BACK] = if rng.below(3) == 0 { rng.below(16) as f32 } else { 0.0 };
    }
    g.registers = rng.f32s(g.registers.len(), -1.0, 1.0);
}

fn steps(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for tree in TREES {
        let mut g = random_tree(rng, tree);
        random_reports(rng, &mut g);
        for level in 0..tree.1 as usize {
            // Any of this level's steps in the round.
            let period = g.clock[clock::PERIODS + level].max(1.0) as u32;
            let steps = g.clock[clock::TICKS] as u32 / period;
            g.clock[clock::TICK] = (period * (1 + rng.below(steps.max(1)))) as f32;
            let [cells, registers, status] = reflux(exec, &g, level)?;
            // A product and a sum of numbers below 1, perhaps fused; twice in corners.
            out.f32(&format!("cells {tree:?} {level}"), cells, Tolerance::Absolute(5e-7));
            out.f32(&format!("registers {tree:?} {level}"), registers, Tolerance::Exact);
            out.f32(&format!("status {tree:?} {level}"), status, Tolerance::Exact);
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    steps: 4 seeds,
}
