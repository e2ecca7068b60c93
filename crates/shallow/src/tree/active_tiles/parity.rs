use thalweg_compute::parity::{Outputs, Rng};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::launch;
use crate::tree::layout::clock;
use crate::tree::slot_counts;
use crate::tree::testing::{TREES, TreeWords, random_tree};

/// What words of lists hold that are not written.
pub(super) const UNWRITTEN: u32 = 0xdead_beef;

pub(super) fn find_active(exec: &Executor, g: &TreeWords) -> Result<Vec<u32>> {
    let topology = &exec.buffer_from("test.topology", &g.topology)?;
    let status = &exec.buffer_from("test.status", &g.status)?;
    let clock = &exec.buffer_from("test.clock", &g.clock)?;
    let lists = &exec.buffer_from("test.lists", &vec![UNWRITTEN; g.lists.len()])?;
    let p = &g.params.active_tiles;
    let slots = p.capacity as usize;
    let tallies =
        &exec.buffer_from("test.tallies", &vec![UNWRITTEN; slot_counts::WORDS * slot_counts::groups(slots)])?;
    launch(exec, &FindActive { topology, status, clock, lists, tallies }, p, Dispatch::Elements(slots))?;
    launch(exec, &ListActive { tallies, lists }, p, Dispatch::Elements(slots))?;
    exec.read(lists)
}

fn lists(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for tree in TREES {
        let mut g = random_tree(rng, tree);
        out.u32(&format!("lists {tree:?}"), find_active(exec, &g)?);
        // Without rain and driven sides few tiles are awake.
        g.clock[clock::RAIN_RATE] = 0.0;
        g.params.active_tiles.driven = 0;
        out.u32(&format!("few {tree:?}"), find_active(exec, &g)?);
        g.clock[clock::RAIN_RATE] = 1e-6;
        out.u32(&format!("all {tree:?}"), find_active(exec, &g)?);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    lists: 6 seeds,
}
