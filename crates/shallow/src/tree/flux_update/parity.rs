use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result, fold};

use super::*;
use crate::testing::launch;
use crate::tree::layout::{CELLS, SIDE_WORDS, clock, lists, out};
use crate::tree::testing::{TREES, TreeWords, has_larger_cells_beyond, random_tree};

/// What the tiles of a level report, and only those.
fn flux_update(exec: &Executor, g: &TreeWords, level: usize) -> Result<Vec<f32>> {
    let topology = &exec.buffer_from("test.topology", &g.topology)?;
    let lists = &exec.buffer_from("test.lists", &g.lists)?;
    let clock = &exec.buffer_from("test.clock", &g.clock)?;
    let cells = &exec.buffer_from("test.cells", &g.cells)?;
    let registers = &exec.buffer_from("test.registers", &g.registers)?;
    let levels = &exec.buffer_from("test.levels", &g.levels)?;
    let out = &exec.buffer_from("test.out", &vec![-7.25e8; g.out.len()])?;
    let kernel = FluxUpdate { topology, lists, clock, cells, registers, levels, out };
    let count = g.lists[lists::COUNTS + level] as usize;
    // One workgroup more than there are tiles: it has nothing to do.
    let groups = fold(count as u64 + 1).expect("few tiles");
    launch(exec, &kernel, &g.params.flux_update[level], Dispatch::Groups(groups))?;
    let reports = exec.read(out)?;
    assert!(reports[count * out::WORDS..].iter().all(|&w| w == -7.25e8), "nobody else reports");
    let mut reports = reports[..count * out::WORDS].to_vec();
    // Edges that do not count hold anything.
    let list = &g.lists[lists::PLACES + g.params.capacity * (1 + level)..];
    for (report, &slot) in reports.chunks_exact_mut(out::WORDS).zip(list) {
        let held_back = report[out::HELD_BACK] as u32;
        for side in (0..4).filter(|&side| held_back >> side & 1 == 0 && !has_larger_cells_beyond(g, slot, side)) {
            report[out::EDGES + SIDE_WORDS * side..][..SIDE_WORDS].fill(0.0);
        }
    }
    Ok(reports)
}

/// A random tree in the middle of a round, of either order, with and without friction, perhaps with a step so long that
/// cells run dry.
fn busy_tree(rng: &mut Rng, tree: ([u32; 2], u32)) -> TreeWords {
    let mut g = random_tree(rng, tree);
    let (order, theta, drag) = (1 + rng.below(2), rng.range(1.0, 2.0), [0.0, 9.81 * 9e-4][rng.below(2) as usize]);
    for p in &mut g.params.flux_update {
        (p.order, p.theta, p.drag) = (order, theta, drag);
    }
    g.registers = rng.f32s(g.registers.len(), -1e-3, 1e-3);
    g.clock[clock::TICK_DT] *= [0.5, 1.0, 3.0][rng.below(3) as usize];
    g
}

fn steps(exec: &Executor, rng: &mut Rng, outputs: &mut Outputs) -> Result<()> {
    for tree in TREES {
        let mut g = busy_tree(rng, tree);
        for level in 0..tree.1 as usize {
            let period = g.clock[clock::PERIODS + level].max(1.0) as u32;
            let steps = g.clock[clock::TICKS] as u32 / period;
            g.clock[clock::TICK] = (period * (1 + rng.below(steps.max(1)))) as f32;
            let reports = flux_update(exec, &g, level)?;
            let part = |from: usize, to: usize| -> Vec<f32> {
                reports.chunks_exact(out::WORDS).flat_map(|r| r[from..to].to_vec()).collect()
            };
            let name = |what: &str| format!("{what} of {tree:?}, level {level}");
            // Sums of products, perhaps fused; limiters switch on the last bit of their arguments.
            let close = Tolerance::Mixed { absolute: 2e-5, relative: 2e-5 };
            outputs.f32(&name("surface"), part(0, CELLS), close);
            outputs.f32(&name("discharge"), part(CELLS, 3 * CELLS), close);
            outputs.f32(&name("edges"), part(out::EDGES, out::SPEED), close);
            outputs.f32(&name("speed"), part(out::SPEED, out::SPEED + 1), Tolerance::Relative(1e-3));
            outputs.f32(&name("sides"), part(out::HELD_BACK, out::HELD_BACK + 1), Tolerance::Exact);
            outputs.f32(&name("exchanged"), part(out::ADDED, out::REMOVED + 1), close);
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    steps: 6 seeds,
}
