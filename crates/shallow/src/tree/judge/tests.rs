use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result, fold};

use super::*;
use crate::testing::launch;
use crate::tree::layout::clock;
use crate::tree::testing_trees::{RandomTree, SHAPES, constants};

struct Case {
    tree: RandomTree,
    p: JudgeParams,
    wishes: Vec<f32>,
    strain: f32,
}

fn judge(exec: &Executor, Case { tree, p, wishes, strain }: &Case) -> Result<Vec<u32>> {
    let mut words = vec![0.0; clock::SOURCES];
    words[clock::STRAIN] = *strain;
    let topology = &exec.buffer_from("test.topology", &tree.topology)?;
    let wishes = &exec.buffer_from("test.wishes", wishes)?;
    let clock = &exec.buffer_from("test.clock", &words)?;
    let cells = &exec.buffer_from("test.cells", &tree.cells)?;
    let wants = &exec.buffer_from("test.wants", &vec![77; tree.capacity() + 1])?;
    let groups = fold(tree.capacity() as u64 + 3).unwrap_or([0, 1, 1]); // more groups than slots
    launch(exec, &Judge { topology, wishes, clock, cells, wants }, p, Dispatch::Groups(groups))?;
    exec.read(wants)
}

fn case(rng: &mut Rng, shape: usize) -> Case {
    let (size, levels) = SHAPES[shape];
    let mut tree = RandomTree::new(rng, size, levels, 4);
    tree.stir(rng);
    let mut p = tree.water.plan().judge;
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

#[test]
fn judgement_parity() {
    assert_parity(6, |exec, rng, out| {
        for shape in 0..SHAPES.len() {
            out.u32(&format!("wants {shape}"), judge(exec, &case(rng, shape))?);
        }
        Ok(())
    });
}

/// The random trees ask for everything that a tile can want, and nothing is written past the last slot.
#[test]
fn all_that_a_tile_can_want_occurs() {
    for exec in test_executors() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..4 {
            for shape in 0..SHAPES.len() {
                let case = case(&mut Rng::new(seed), shape);
                let wants = judge(exec, &case).unwrap();
                let capacity = case.tree.capacity();
                assert_eq!(wants[capacity], 77);
                seen.extend(wants[..capacity].iter().copied());
            }
        }
        for word in [want::MERGE, want::KEEP, want::SPLIT] {
            assert!(seen.contains(&word), "{}: {seen:?}", exec.describe());
        }
        let sides: std::collections::BTreeSet<u32> = seen.iter().map(|word| word >> want::SIDES).collect();
        assert!(sides.len() >= 8, "{}: {sides:?}", exec.describe());
    }
}

#[test]
fn words_are_where_the_shader_looks_for_them() {
    let rust = [
        ("WANT_MERGE", want::MERGE),
        ("WANT_KEEP", want::KEEP),
        ("WANT_SPLIT", want::SPLIT),
        ("WANT_SIDES", want::SIDES),
        ("WISH_OBSERVER", wish::OBSERVER as u32),
        ("WISH_X", wish::X as u32),
        ("WISH_Z", wish::Z as u32),
        ("WISH_NEAR", wish::NEAR as u32),
        ("WISH_REGIONS", wish::REGIONS as u32),
        ("WISH_FIRST", wish::FIRST as u32),
        ("WISH_REGION_WORDS", wish::REGION_WORDS as u32),
        ("APART", 16),
    ];
    assert_eq!(constants(include_str!("judge.wesl")), rust);
    assert!(include_str!("judge.wesl").contains(&format!("const BAND: i32 = {BAND};")));
}
