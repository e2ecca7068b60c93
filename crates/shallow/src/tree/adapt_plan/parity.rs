use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::tree::layout::{action, clock, want};
use crate::tree::slot_counts;
use crate::tree::testing_trees::{RandomTree, SHAPES};

pub(super) struct Case {
    pub(super) tree: RandomTree,
    pub(super) wants: Vec<u32>,
    pub(super) clock: Vec<f32>,
}

/// Wishes of all bits, some of them all alike, in trees with few free slots or many.
pub(super) fn case(rng: &mut Rng, shape: usize) -> Case {
    let (size, levels) = SHAPES[shape];
    let room = [1, 7, 40, 300][rng.below(4) as usize];
    let mut tree = RandomTree::new(rng, size, levels, room);
    tree.forget_beds(rng);
    let mode = rng.below(4);
    let wants = (0..tree.capacity())
        .map(|_| {
            let sides = if mode < 2 && rng.below(3) > 0 { 0 } else { rng.below(16) };
            let bits = match mode {
                0 if rng.below(24) > 0 => want::MERGE,
                1 => want::SPLIT,
                2 if rng.below(2) == 0 => want::KEEP,
                _ => rng.below(4),
            };
            let sides = if mode == 0 && bits == want::MERGE { 0 } else { sides };
            bits | sides << want::SIDES
        })
        .collect();
    let mut clock = vec![0.0; clock::SOURCES];
    clock[clock::STRAIN] = rng.range(1.0, 3.0);
    clock[clock::CHANGES] = rng.below(10) as f32;
    Case { tree, wants, clock }
}

pub(super) struct Planned {
    pub(super) wants: Vec<u32>,
    pub(super) free: Vec<u32>,
    pub(super) plan: Vec<u32>,
    pub(super) clock: Vec<f32>,
}

pub(super) fn adapt_plan(exec: &Executor, case: &Case) -> Result<Planned> {
    let capacity = case.tree.capacity();
    let topology = &exec.buffer_from("test.topology", &case.tree.topology)?;
    let wants = &exec.buffer_from("test.wants", &case.wants)?;
    let free = &exec.buffer_from("test.free", &vec![77; capacity])?;
    let plan = &exec.buffer_from("test.plan", &vec![77; action::WORDS * capacity + 1])?;
    let clock = &exec.buffer_from("test.clock", &case.clock)?;
    let p = case.tree.water.plan().adapt_plan;
    let tallies = &exec.buffer_from("test.tallies", &vec![77; slot_counts::WORDS * slot_counts::groups(capacity)])?;
    let buffers = AdaptPlanBuffers { topology, wants, free, plan, tallies, clock };
    let mut rec = exec.record();
    record(&mut rec, &p, buffers, [Dispatch::Elements(capacity), Dispatch::Groups([1, 1, 1])]).expect("recorded");
    rec.submit()?;
    Ok(Planned { wants: exec.read(wants)?, free: exec.read(free)?, plan: exec.read(plan)?, clock: exec.read(clock)? })
}

fn plan(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for shape in 0..SHAPES.len() {
        let found = adapt_plan(exec, &case(rng, shape))?;
        out.u32(&format!("wants {shape}"), found.wants);
        out.u32(&format!("free {shape}"), found.free);
        out.u32(&format!("plan {shape}"), found.plan);
        out.f32(&format!("clock {shape}"), found.clock, Tolerance::Exact); // one product
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    plan: 10 seeds,
}
