use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result, fold};

use super::*;
use crate::testing::launch;
use crate::tree::layout::NONE;
use crate::tree::layout::action;
use crate::tree::map::Map;
use crate::tree::testing_trees::{RandomTree, SHAPES};

/// A tree, and every split and merge that it has room for, chosen at random: neighbours do not matter here.
pub(super) fn case(rng: &mut Rng, shape: usize) -> (RandomTree, Vec<u32>) {
    let (size, levels) = SHAPES[shape];
    let mut tree = RandomTree::new(rng, size, levels, 40);
    tree.stir(rng);
    let capacity = tree.capacity();
    let map = Map(&tree.topology);
    let mut free: Vec<u32> = (0..capacity as u32).filter(|&slot| map.tile(slot).is_none()).collect();
    let mut plan = vec![action::NONE; action::WORDS * capacity];
    let mut used = vec![false; capacity];
    for (slot, place) in tree.tiles() {
        if used[slot as usize] || rng.below(4) == 0 {
            continue;
        }
        let siblings = [1, 2, 3].map(|n| map.slot(place.level, place.x as i32 + (n & 1), place.z as i32 + (n >> 1)));
        let merges = place.level > 0
            && place.number() == 0
            && siblings.iter().all(|&other| other != NONE && !used[other as usize])
            && rng.below(2) == 0;
        let (what, others) = if merges {
            siblings.iter().for_each(|&other| used[other as usize] = true);
            (action::MERGE, siblings)
        } else if map.has_nursery(slot) && place.level + 1 < levels && free.len() >= 3 {
            (action::SPLIT, [0; 3].map(|_| free.swap_remove(rng.below(free.len() as u32) as usize)))
        } else {
            continue;
        };
        used[slot as usize] = true;
        plan[action::WORDS * slot as usize] = what;
        plan[action::WORDS * slot as usize + 1..][..3].copy_from_slice(&others);
    }
    (tree, plan)
}

pub(super) struct Applied {
    pub(super) topology: Vec<u32>,
    pub(super) cells: Vec<f32>,
    pub(super) nursery: Vec<f32>,
    pub(super) status: Vec<f32>,
}

pub(super) fn adapt_apply(exec: &Executor, tree: &RandomTree, plan: &[u32]) -> Result<Applied> {
    let plan = &exec.buffer_from("test.plan", plan)?;
    let topology = &exec.buffer_from("test.topology", &tree.topology)?;
    let cells = &exec.buffer_from("test.cells", &tree.cells)?;
    let nursery = &exec.buffer_from("test.nursery", &tree.nursery)?;
    let status = &exec.buffer_from("test.status", &tree.status)?;
    let p = tree.water.plan().adapt_apply;
    let groups = fold(tree.capacity() as u64 + 3).unwrap_or([0, 1, 1]); // more groups than slots
    launch(exec, &AdaptApply { plan, topology, cells, nursery, status }, &p, Dispatch::Groups(groups))?;
    Ok(Applied {
        topology: exec.read(topology)?,
        cells: exec.read(cells)?,
        nursery: exec.read(nursery)?,
        status: exec.read(status)?,
    })
}

fn random_plans(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for shape in 0..SHAPES.len() {
        let (tree, plan) = case(rng, shape);
        let found = adapt_apply(exec, &tree, &plan)?;
        out.u32(&format!("topology {shape}"), found.topology);
        // Beds of up to 8 m: five roundings of them. A quotient, which a GPU may round by 2.5 units, of a depth.
        let tolerance = Tolerance::Mixed { absolute: 3e-6, relative: 1e-6 };
        out.f32(&format!("cells {shape}"), found.cells, tolerance);
        out.f32(&format!("nursery {shape}"), found.nursery, Tolerance::Exact); // copies
        out.f32(&format!("status {shape}"), found.status, Tolerance::Exact); // sums of four in one order
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    random_plans: 6 seeds,
}
