use thalweg_compute::parity::{Outputs, Rng};
use thalweg_compute::{Dispatch, Executor, Result, fold};

use super::*;
use crate::testing::launch;
use crate::tree::layout::{clock, wish};
use crate::tree::testing_trees::{RandomTree, SHAPES};

pub(super) struct Case {
    pub(super) tree: RandomTree,
    pub(super) p: RefineParams,
    pub(super) wishes: Vec<f32>,
    pub(super) strain: f32,
}

pub(super) fn refine_criteria(exec: &Executor, Case { tree, p, wishes, strain }: &Case) -> Result<Vec<u32>> {
    let mut words = vec![0.0; clock::SOURCES];
    words[clock::STRAIN] = *strain;
    let topology = &exec.buffer_from("test.topology", &tree.topology)?;
    let wishes = &exec.buffer_from("test.wishes", wishes)?;
    let clock = &exec.buffer_from("test.clock", &words)?;
    let cells = &exec.buffer_from("test.cells", &tree.cells)?;
    let wants = &exec.buffer_from("test.wants", &vec![77; tree.capacity() + 1])?;
    let groups = fold(tree.capacity() as u64 + 3).unwrap_or([0, 1, 1]); // more groups than slots
    launch(exec, &RefineCriteria { topology, wishes, clock, cells, wants }, p, Dispatch::Groups(groups))?;
    exec.read(wants)
}

pub(super) fn case(rng: &mut Rng, shape: usize) -> Case {
    let (size, levels) = SHAPES[shape];
    let mut tree = RandomTree::new(rng, size, levels, 4);
    tree.stir(rng);
    let mut p = tree.water.plan().refine_criteria;
    p.fronts = rng.below(2);
    p.bends = rng.below(2);
    (p.surface, p.speed) = (rng.range(0.01, 0.05), rng.range(0.1, 0.4));
    let (width, length) = (p.nx as f32 * p.cell, p.nz as f32 * p.cell);
    let regions = rng.below(4) as usize;
    let mut wishes = vec![0.0; wish::FIRST + wish::REGION_WORDS * regions];
    let observer = [rng.below(2) as f32, rng.range(0.0, width), rng.range(0.0, length), rng.range(1.0, width)];
    wishes[wish::OBSERVER..][..4].copy_from_slice(&observer);
    wishes[wish::REGIONS] = regions as f32;
    for words in wishes[wish::FIRST..].chunks_exact_mut(wish::REGION_WORDS) {
        let (x, z) = (rng.range(0.0, width), rng.range(0.0, length));
        let (dx, dz) = (rng.range(0.0, 0.5 * width), rng.range(0.0, 0.5 * length));
        words.copy_from_slice(&[x, z, x + dx, z + dz, rng.below(levels) as f32]);
    }
    let strain = rng.range(1.0, 2.0);
    Case { tree, p, wishes, strain }
}

fn judgement(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for shape in 0..SHAPES.len() {
        out.u32(&format!("wants {shape}"), refine_criteria(exec, &case(rng, shape))?);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    judgement: 6 seeds,
}
